package holdout_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

var ctx = context.Background()

func partition(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

// trainer trains by definition on the kernel matrix k, each pair counting 1.
func trainer(p gen.Problem, k []float64) holdout.Trainer { return weighted(p, k, "pairs") }

// weighted is trainer with a weight of the pairs of a query.
func weighted(p gen.Problem, k []float64, weight string) holdout.Trainer {
	return func(_ context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error {
		pairs := naive.Pairs(naive.Pick(p.Y, train), naive.Pick(p.Query, train), "magnitude", "include", weight)
		for l, lambda := range lambdas {
			a := make([]float64, len(train))
			if len(pairs) > 0 {
				a, _ = naive.Dual(naive.Submatrix(k, p.M, train, train), pairs, nil, lambda)
			}
			f := make([]float64, len(test))
			if len(train) > 0 {
				f = naive.Product(naive.Submatrix(k, p.M, test, train), a)
			}
			emit(l, &data.Dense{Rows: len(f), Cols: 1, Stride: 1, Data: f})
		}
		return nil
	}
}

// TestEstimatesAreThoseOfRetraining compares errors, pair counts, metrics and the choice of each
// method with training without each fold. A held-out difference near zero may have either sign, so
// errors may differ by a pair where predictions are that close. The problems have Gaussian features
// and distinct rows, where they are not.
func TestEstimatesAreThoseOfRetraining(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	lambdas := []float64{0.01, 1, 30}
	ndcg := metric.NDCG
	for trial := range 150 {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0, MaxRows: 16})
		for i := range p.X {
			p.X[i] = r.NormFloat64()
		}
		k := p.Gaussian(0.3)
		goal, err := goals.Scored(p.Y, 1, partition(p), pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := rls.Factor(ctx, rls.Dual(&data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: k}), goal)
		if err != nil {
			t.Fatal(err)
		}
		labels := holdout.Labels{Y: p.Y, Queries: partition(p)}
		for _, name := range []string{"lqo", "loo", "kfold:2"} {
			method, err := cv.ParseMethod(name)
			if err != nil {
				t.Fatal(err)
			}
			o := holdout.Options{Method: method, Candidates: lambdas, Seed: uint64(trial)}
			if p.Y[0] == math.Trunc(p.Y[0]) {
				o.Metric = &ndcg
			}
			got, err := holdout.EstimatePath(ctx, path, labels, o)
			want, wantErr := holdout.Retrained(ctx, trainer(p, k).Predict, labels, o)
			var reason *rls.NotExactError
			if errors.As(err, &reason) {
				continue
			}
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %v, retraining %v", name, err, wantErr)
			}
			if err != nil {
				continue
			}
			same(t, name, got[0], want[0])
		}
	}
}

func same(t *testing.T, name string, got, want *cv.Estimate) {
	t.Helper()
	if got.Best != want.Best {
		t.Errorf("%s: best %d, want %d", name, got.Best, want.Best)
	}
	for l, p := range got.Points {
		w := want.Points[l]
		if p.Pairs != w.Pairs || p.Error != w.Error || math.Abs(p.Metric.Value-w.Metric.Value) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", name, p, w)
		}
	}
}

// TestLeavePairOut compares with training without each pair of a query.
func TestLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for trial := range 40 {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0, MaxRows: 9})
		for i := range p.X {
			p.X[i] = r.NormFloat64()
		}
		k := p.Gaussian(0.3)
		goal, err := goals.Scored(p.Y, 1, partition(p), pref.Options{Weight: pref.Size})
		if err != nil {
			t.Fatal(err)
		}
		path, err := rls.Factor(ctx, rls.Dual(&data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: k}), goal)
		if err != nil {
			t.Fatal(err)
		}
		e, err := holdout.EstimatePath(ctx, path, holdout.Labels{Y: p.Y, Queries: partition(p)},
			holdout.Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{0.5}})
		if err != nil {
			t.Fatal(err)
		}
		wrong, pairs := 0.0, 0
		for i := range p.M {
			for j := range i {
				if p.Y[i] == p.Y[j] || p.Query[i] != p.Query[j] {
					continue
				}
				pairs++
				err := weighted(p, k, "size")(ctx, naive.Without(p.M, []int{j, i}), []int{j, i}, []float64{0.5},
					func(_ int, f *data.Dense) {
						d := (f.Data[1] - f.Data[0]) * (p.Y[i] - p.Y[j])
						if d < 0 {
							wrong++
						} else if d == 0 {
							wrong += 0.5
						}
					})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := e[0].Points[0]; got.Pairs != int64(pairs) || math.Abs(got.Error-wrong/float64(pairs)) > 1e-12 {
			t.Errorf("m=%d: %+v, want error %v over %d pairs", p.M, got, wrong/float64(pairs), pairs)
		}
	}
}

func TestMethods(t *testing.T) {
	for _, name := range []string{"lqo", "lpo", "loo", "kfold:10"} {
		m, err := cv.ParseMethod(name)
		if err != nil || m.String() != name {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	for _, name := range []string{"", "lko", "kfold", "kfold:1", "kfold:x", "lqo:3"} {
		if m, err := cv.ParseMethod(name); err == nil {
			t.Errorf("%q is read as %v", name, m)
		}
	}
	one := data.OneList(5)
	if _, err := holdout.MethodSplits(cv.Method{Kind: cv.LeaveQueryOut}, one, 0); err == nil {
		t.Error("leave-query-out of one query")
	}
	if _, err := holdout.MethodSplits(cv.Method{Kind: cv.KFold, Folds: 6}, one, 0); err == nil {
		t.Error("six folds of five rows")
	}
	a, _ := holdout.MethodSplits(cv.Method{Kind: cv.KFold, Folds: 2}, data.OneList(40), 1)
	b, _ := holdout.MethodSplits(cv.Method{Kind: cv.KFold, Folds: 2}, data.OneList(40), 1)
	c, _ := holdout.MethodSplits(cv.Method{Kind: cv.KFold, Folds: 2}, data.OneList(40), 2)
	differ := false
	for i := range a.Held() {
		if a.Held()[i] != b.Held()[i] {
			t.Fatal("the same seed deals other folds")
		}
		differ = differ || a.Held()[i] != c.Held()[i]
	}
	if !differ || len(a.Test(0)) != 20 {
		t.Error("folds are not dealt by seed in equal sizes")
	}
}
