package holdout_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// tiedProblem has small whole numbers as features, equal rows and symmetric
// columns, so that many held-out scores are equal in exact arithmetic.
func tiedProblem(r *rand.Rand, one bool) gen.Problem {
	p := gen.New(r, gen.Options{OneQuery: one, MaxRows: 14, MaxFeatures: 4})
	values := 1 + r.IntN(3) // 1: all rows are equal
	for i := range p.X {
		p.X[i] = float64(r.IntN(values)) + 1
	}
	levels := 2 + r.IntN(2)
	for again := true; again; {
		for i := range p.Y {
			p.Y[i] = float64(r.IntN(levels))
		}
		again = !untied(p)
	}
	return p
}

func untied(p gen.Problem) bool {
	for i := range p.M {
		for j := range i {
			if p.Query[i] == p.Query[j] && p.Y[i] != p.Y[j] {
				return true
			}
		}
	}
	return false
}

// TestTiesAreThoseOfExactArithmetic compares the errors of leave-one-out,
// leave-query-out and folds with those of training again in extended precision,
// where scores that are equal come out equal, and checks that the error is that
// of the scores that HeldOut gives.
func TestTiesAreThoseOfExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 9))
	compared := 0
	for trial := range gen.Count(t, 400) {
		p := tiedProblem(r, trial%2 == 0)
		queries := partition(p)
		// Where λ is far below the eigenvalues, up to 1000 here, the systems lose the digits that
		// decide a tie.
		lambda := math.Exp2(float64(r.IntN(19) - 5))
		k, dual := p.Linear(), trial%3 != 0
		if trial%3 == 1 {
			k = p.Gaussian(0.25)
		}
		basis := rls.Primal(&data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X})
		if dual {
			basis = rls.Dual(&data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: k})
		}
		weight := pref.Size
		goal, err := goals.Scored(p.Y, 1, queries, pref.Options{Weight: weight})
		if err != nil {
			t.Fatal(err)
		}
		path, err := rls.Factor(ctx, basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		labels := holdout.Labels{Y: p.Y, Queries: queries}
		for _, name := range []string{"lqo", "loo", "kfold:2"} {
			method, _ := cv.ParseMethod(name)
			o := holdout.Options{Method: method, Candidates: []float64{lambda}, Seed: uint64(trial)}
			splits, err := holdout.MethodSplits(method, queries, o.Seed)
			if err != nil {
				continue
			}
			groups := splits.Groups()
			got, err := holdout.EstimatePath(ctx, path, labels, o)
			if err != nil {
				continue
			}
			want, clear := heldOutError(p, k, groups, name == "loo", lambda, string(weight))
			if !clear {
				continue
			}
			compared++
			scores, err := holdout.HeldOut(ctx, holdout.OfPath(path, nil).HoldOut, labels, o, lambda)
			if err != nil {
				t.Fatal(err)
			}
			written := errorOf(p, scores.Data, groups, name == "loo", func(a, b float64) bool { return a == b })
			if got := got[0].Points[0].Error; math.Abs(got-written) > 1e-12 {
				t.Errorf("trial %d, %s: error %g, and %g of the held-out scores", trial, name, got, written)
			}
			if math.Abs(got[0].Points[0].Error-want) > 1e-12 {
				t.Errorf("trial %d, %s, dual %v, λ=%g: error %g, exactly %g",
					trial, name, dual, lambda, got[0].Points[0].Error, want)
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d of the problems were compared", compared)
	}
}

// heldOutError is the error of training again; clear says that scores are either
// equal to rounding or well apart.
func heldOutError(p gen.Problem, k []float64, groups *data.Partition,
	together bool, lambda float64, weight string) (share float64, clear bool) {
	f := make([]float64, p.M)
	largest, size := 0.0, 0.0 // of the scores, and of the terms they are sums of
	for g := range groups.Len() {
		var test []int
		for _, i := range groups.Part(g) {
			test = append(test, int(i))
		}
		train := naive.Without(p.M, test)
		pairs := naive.Pairs(naive.Pick(p.Y, train), naive.Pick(p.Query, train), "magnitude", "include", weight)
		if len(pairs) == 0 {
			continue
		}
		a, _ := naive.Dual(naive.Submatrix(k, p.M, train, train), pairs, nil, lambda)
		for b, v := range naive.Product(naive.Submatrix(k, p.M, test, train), a) {
			f[test[b]] = v
			largest = max(largest, math.Abs(v))
		}
		for _, c := range a {
			size = max(size, math.Abs(c)*slices.Max(k))
		}
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= max(1e-14*largest, 1e-22*size) }
	for i := range p.M {
		for j := range i {
			if d := math.Abs(f[i] - f[j]); !same(f[i], f[j]) && d < 1e-9*size {
				return 0, false
			}
		}
	}
	share = errorOf(p, f, groups, together, same)
	return share, !math.IsNaN(share)
}

// errorOf is the share of the pairs with different labels that scores order
// wrongly, a tie counting one half, in each query, or where groups are not ranked
// together in what each has of a query; NaN without pairs.
func errorOf(p gen.Problem, f []float64, groups *data.Partition, together bool, same func(a, b float64) bool) float64 {
	wrong, pairs := 0.0, 0.0
	for i := range p.M {
		for j := range p.M {
			if p.Query[i] != p.Query[j] || !together && groups.Of()[i] != groups.Of()[j] || p.Y[i] <= p.Y[j] {
				continue
			}
			pairs++
			if same(f[i], f[j]) {
				wrong += 0.5
			} else if f[i] < f[j] {
				wrong++
			}
		}
	}
	return wrong / pairs
}
