package holdout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// BenchmarkEstimatePath judges 31 values of λ: leave-query-out of queries of some 33
// rows in the primal form, leave-one-out and leave-pair-out of one list by a kernel.
func BenchmarkEstimatePath(b *testing.B) {
	for _, c := range []struct {
		method     cv.Kind
		m, n, size int
	}{{cv.LeaveQueryOut, 20000, 46, 33}, {cv.LeaveOneOut, 500, 10, 0}, {cv.LeavePairOut, 500, 10, 0}} {
		b.Run(fmt.Sprintf("%s/m=%d/n=%d", c.method, c.m, c.n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			x, y, of := data.NewDense(c.m, c.n, nil), make([]float64, c.m), make([]int32, c.m)
			for i := range c.m {
				for j := range x.Row(i) {
					x.Row(i)[j] = r.NormFloat64()
				}
				y[i] = float64(r.IntN(3))
				if c.size > 0 {
					of[i] = int32(i / c.size)
				}
			}
			queries := data.NewPartition(of, int(of[c.m-1])+1)
			goal, err := goals.Scored(y, 1, queries, pref.Options{})
			if err != nil {
				b.Fatal(err)
			}
			basis := rls.Primal(x)
			if c.size == 0 {
				basis = rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.1}, x, x))
			}
			path, err := rls.Factor(ctx, basis, goal)
			if err != nil {
				b.Fatal(err)
			}
			lambdas := make([]float64, 31)
			for l := range lambdas {
				lambdas[l] = math.Exp2(float64(l - 15))
			}
			labels := holdout.Labels{Y: y, Queries: queries}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := holdout.EstimatePath(ctx, path, labels, holdout.Options{Method: cv.Method{Kind: c.method},
					Candidates: lambdas}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
