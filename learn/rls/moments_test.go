package rls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// momentsOf are those of the queries of p, with query q in fold q mod folds.
func momentsOf(t testing.TB, p gen.Problem, o rls.MomentsOptions, folds int, sparse bool) *rls.Moments {
	t.Helper()
	o.Folds = folds
	m, err := rls.NewMoments(o)
	if err != nil {
		t.Fatal(err)
	}
	for q := range p.Queries {
		x, y := queryOf(p, q, sparse)
		if err := m.Add(x, y, q%folds); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// queryOf are the rows and labels of query q.
func queryOf(p gen.Problem, q int, sparse bool) (data.Matrix, []float64) {
	rows := p.RowsOf(q)
	x := data.NewDense(len(rows), p.N, naive.Submatrix(p.X, p.N, rows, naive.Without(p.N, nil)))
	y := naive.Pick(p.Y, rows)
	if sparse {
		return toSparse(x), y
	}
	return x, y
}

func toSparse(x *data.Dense) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

func TestMomentsTrainAsRowsDo(t *testing.T) {
	const same = 1e-10 // of the largest weight: rounding times a condition number of at most 1e5
	r := rand.New(rand.NewPCG(14, 1))
	for range problems(t, 300) {
		p := gen.New(r, gen.Options{})
		o := goals[r.IntN(len(goals))]
		s := newSetting(t, p, o.regression, o.Options)
		lambda := gen.Lambda(r, 0, 8)
		want, err := rls.Solve(ctx, rls.Primal(data.NewDense(p.M, p.N, p.X)), s.goal, lambda)
		if err != nil {
			t.Fatal(err)
		}
		options := rls.MomentsOptions{Regression: o.regression}
		if !o.regression {
			options.Pairs = o.Options
		}
		m := momentsOf(t, p, options, 1+r.IntN(3), r.IntN(2) == 0)
		got, err := m.Solve(ctx, lambda)
		if err != nil {
			t.Fatal(err)
		}
		largest := 0.0
		for _, w := range want.Coef.Data {
			largest = max(largest, math.Abs(w))
		}
		for j, w := range want.Coef.Data {
			if d := math.Abs(got.Coef.Data[j] - w); d > same*largest {
				t.Fatalf("%+v: weight %d is %v, want %v", o, j, got.Coef.Data[j], w)
			}
		}
		if d := math.Abs(got.Objectives[0] - want.Objective()); d > same*s.goal.Constant() {
			t.Fatalf("%+v: objective %v, want %v", o, got.Objectives[0], want.Objective())
		}
		if m.Rows() != int64(p.M) || m.Queries() != int64(p.Queries) || float64(m.Pairs()) != s.goal.Pairs {
			t.Fatalf("%d rows, %d queries, %d pairs", m.Rows(), m.Queries(), m.Pairs())
		}
	}
}

var _ = pref.Options{}

func TestHeldOutIsTrainingAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for range problems(t, 200) {
		p := gen.New(r, gen.Options{})
		o := goals[r.IntN(len(goals))]
		options := rls.MomentsOptions{Regression: o.regression}
		if !o.regression {
			options.Pairs = o.Options
		}
		folds := 1 + r.IntN(4)
		m := momentsOf(t, p, options, folds, r.IntN(2) == 0)
		lambdas := []float64{1, gen.Lambda(r, -4, 4), 64}
		losses, err := m.HeldOut(ctx, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		for f, loss := range losses {
			var in, out []int
			for i, q := range p.Query {
				if q%folds == f {
					out = append(out, i)
				} else {
					in = append(in, i)
				}
			}
			for l, lambda := range lambdas {
				want := lossWithout(p, o.regression, o.Options, in, out, lambda)
				if d := math.Abs(loss.Loss[l][0] - want); d > bar*(want+loss.Zero[0]) {
					t.Fatalf("%+v: fold %d of %d at λ = %g: loss %v, want %v; of 0 %v", o, f, folds, lambda, loss.Loss[l][0], want, loss.Zero[0])
				}
			}
		}
	}
}

// lossWithout trains by definition on the rows in, and sums the loss of the pairs of out.
func lossWithout(p gen.Problem, regression bool, o pref.Options, in, out []int, lambda float64) float64 {
	o, err := o.Resolved()
	if err != nil {
		panic(err)
	}
	x := func(rows []int) []float64 { return naive.Submatrix(p.X, p.N, rows, naive.Without(p.N, nil)) }
	pairs := func(rows []int) []naive.Pair {
		if regression {
			return nil
		}
		return append([]naive.Pair{}, naive.Pairs(naive.Pick(p.Y, rows), naive.Pick(p.Query, rows), string(o.Cost), o.Ties, string(o.Weight))...)
	}
	w, _ := naive.Primal(x(in), p.N, pairs(in), naive.Pick(p.Y, in), lambda)
	f, sum := naive.Product(x(out), w), 0.0
	if regression {
		for a, i := range out {
			sum += (p.Y[i] - f[a]) * (p.Y[i] - f[a])
		}
	}
	for _, pair := range pairs(out) {
		d := pair.Target - (f[pair.I] - f[pair.J])
		sum += pair.Weight * d * d
	}
	return sum
}

func TestMomentsComeBackAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	p := gen.New(r, gen.Options{MaxRows: 200})
	m := momentsOf(t, p, rls.MomentsOptions{}, 3, false)
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var n rls.Moments
	if err := n.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	again, _ := n.AppendBinary(nil)
	if string(again) != string(b) {
		t.Fatal("other bytes")
	}
}
