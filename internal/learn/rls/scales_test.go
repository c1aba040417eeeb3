package rls_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// Features of any size from 1e-150 to 1e150 and λ from 2^-40 to 2^40, or as much
// times the square of the features: dependent features, equal rows and constant
// columns, with far more rows than features or fewer, give the scores of the
// definition or an error, never others.
func TestScales(t *testing.T) {
	const sixDigits, fiveDigits = 1e-6, 1e-5
	r := rand.New(rand.NewPCG(99, 2))
	solved, failed := 0, 0
	for range problems(t, 400) {
		g := everyGoal[r.IntN(len(everyGoal))]
		if g.Cost == pref.Relative {
			continue // weights of pairs span more than double precision themselves
		}
		p, scale := scaled(r)
		s, lambda := newSetting(t, p, g.regression, g.Options), math.Exp2(80*r.Float64()-40)
		if r.IntN(2) == 0 {
			lambda = min(lambda*scale*scale, 1e300)
		}
		lambda = max(lambda, 1e-300)
		if s.goal.Kind == goals.Untied && lambda < 0x1p-25*scale*scale {
			continue // moments without tied pairs are differences, and have lost their last digits
		}
		pairs, y := s.pairs(naive.Without(s.M, nil))
		w := naive.PrimalExactly(s.X, s.N, pairs, y, lambda)
		want, terms := naive.Product(s.X, w), 0.0
		for i, v := range s.X {
			terms = max(terms, math.Abs(v*w[i%s.N]))
		}
		k := &data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: p.Linear()}
		for name, basis := range map[string]func() *rls.Basis{
			"primal": func() *rls.Basis { return rls.Primal(s.x()) },
			"csr":    func() *rls.Basis { return rls.Primal(s.csr()) },
			"dual":   func() *rls.Basis { return rls.Dual(k) },
			"sparse": func() *rls.Basis { return rls.Sparse(k.Clone(), k.Clone()) },
			"made":   func() *rls.Basis { return sparseOf(k, nil) },
		} {
			tolerance := sixDigits
			if name == "dual" {
				tolerance = fiveDigits // scores are sums of kernel values times numbers of the order of 1/λ
			}
			path, err := rls.Factor(ctx, basis(), s.goal)
			if err != nil {
				t.Fatalf("%s, features of %g: %v", name, scale, err)
			}
			fit, err := rls.Solve(ctx, basis(), s.goal, lambda)
			switch {
			case err == nil:
				solved++
				s.sameOrder(t, name+" Solve", fit.Predictions().Data, want, tolerance, terms, scale, lambda)
			case errors.Is(err, rls.ErrNumerical):
				failed++
			default:
				t.Fatal(err)
			}
			s.sameOrder(t, name+" At", path.At(lambda).Predictions().Data, want, tolerance, terms, scale, lambda)
		}
	}
	const few = 100 // of features as small as the rounding of others
	if failed > solved/few {
		t.Errorf("%d of %d problems are errors", failed, solved+failed)
	}
}

// scaled is a problem whose features have different scales; the first is sometimes constant.
func scaled(r *rand.Rand) (p gen.Problem, scale float64) {
	p = gen.New(r, gen.Options{MaxRows: 12, MaxFeatures: 8, OneQuery: r.IntN(2) == 0})
	scale = math.Pow(10, float64(r.IntN(301)-150))
	if r.IntN(3) == 0 {
		scale = 1
	}
	constant := r.IntN(4) == 0
	for i := range p.X {
		if constant && i%p.N == 0 {
			p.X[i] = 0.1
		}
		p.X[i] *= scale
	}
	return p, scale
}

// sameOrder compares the scores in regression, else their differences within queries. The tolerance
// is relative to their size, or to a tenth of their summands or of the labels where that is larger.
func (s setting) sameOrder(t *testing.T, what string, got, want []float64, tolerance, terms, scale, lambda float64) {
	t.Helper()
	const smallest = 0.1
	for q := range s.Queries {
		rows, size, apart := s.RowsOf(q), 0.0, 0.0
		for _, i := range rows {
			base, wanted := got[rows[0]], want[rows[0]]
			if s.plain {
				base, wanted = 0, 0
			}
			size, apart = max(size, math.Abs(want[i]-wanted)), max(apart, math.Abs(got[i]-base-(want[i]-wanted)))
			if math.IsNaN(got[i]) {
				apart = math.Inf(1)
			}
		}
		if apart > tolerance*max(size, smallest*max(1, terms)) {
			t.Errorf("%s: %d rows, %d features of %g, λ = %g, %+v: off by %.2g of %.2g, terms of %.2g",
				what, s.M, s.N, scale, lambda, s.o, apart, size, terms)
		}
	}
}
