package rls_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// TestWeightedPairCounterIsLeavePairOut: every row with a weight has as much weight of pairs in order as LeavePairOut
// predicts, of lists with each weight of a query and of regression, primal and dual, over every size of λ and several
// kinds of weights, ties and equal rows, and few pairs are examined.
func TestWeightedPairCounterIsLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	few, all := 0, 0
	for trial := range gen.Count(t, 60) {
		m, n := 20+r.IntN(200), 1+r.IntN(5)
		x, y := longList(r, m, n, trial)
		weights := make([]float64, m)
		for i := range weights {
			switch weights[i] = 0.1 + 2*r.Float64(); trial % 5 {
			case 1:
				weights[i] = float64(1 + r.IntN(3))
			case 2:
				weights[i] = math.Exp2(5 * r.NormFloat64())
			case 3:
				weights[i] = 3
			}
		}
		goal, err := goals.WeightedScored(y, 1, data.OneList(m), weights,
			pref.Options{Weight: []pref.Weight{pref.Pairs, pref.Edges, pref.Size}[trial%3], Cost: pref.Magnitude,
				Ties: pref.IncludeTies})
		if err != nil {
			continue // all labels are equal
		}
		if trial%4 == 1 {
			goal = goals.WeightedRegression(y, 1, weights)
		}
		basis := rls.Primal(x)
		if trial%6 > 3 {
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(t.Context(), basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		whole := make([]int64, m)
		for i, w := range weights {
			whole[i] = int64(math.Ldexp(w, 30))
		}
		counter := path.PairCounter(y, whole)
		if counter == nil {
			if trial%5 != 2 {
				t.Fatalf("trial %d: no counter", trial)
			}
			continue
		}
		largest := path.Eigenvalues()[len(path.Eigenvalues())-1]
		for _, share := range []float64{1e-8, 1e-3, 0.1, 1, 30, 1e6} {
			lambda := share * largest
			if trial%6 > 3 && lambda < 0.1 {
				continue // the smallest eigenvalue is 0.1: rounding in Q decides some pairs
			}
			pairs, err := counter.At(lambda)
			if err != nil {
				t.Fatal(err)
			}
			got, err := pairs[0].Count(t.Context(), 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			want, surely := make([]int64, m), make([]int64, m)
			size := 0.0
			d := differences(t, path.LeavePairOut, lambda, m, 1)
			for _, v := range d {
				size = max(size, math.Abs(v))
			}
			for i := range m {
				for j := i + 1; j < m; j++ {
					signs := int64(cmp.Compare(y[i], y[j]) * cmp.Compare(d[i*m+j], 0))
					want[i] += signs * whole[j]
					want[j] += signs * whole[i]
					if math.Abs(d[i*m+j]) < 1e-9*size && d[i*m+j] != 0 { // rounding decides
						surely[i] += 2 * whole[j]
						surely[j] += 2 * whole[i]
					}
				}
			}
			for i, w := range want {
				if off := got.Signed[i] - w; max(off, -off) > surely[i] {
					t.Fatalf("trial %d (m=%d, n=%d), λ=%g of the largest, row %d: %d, want %d, apart %g of its weight", trial, m, n,
						share, i, got.Signed[i], w, float64(off)/float64(whole[i]))
				}
			}
			all++
			if pairs[0].Size() < int64(m*(m-1)/8) {
				few++
			}
		}
	}
	if few < all/4 {
		t.Errorf("few pairs were looked at in %d of %d cases only", few, all)
	}
}
