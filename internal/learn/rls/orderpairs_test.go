package rls_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// nearlyTied is the difference, relative to the largest one, below which rounding may decide the order of two different
// rows: at λ of 1e-9 of the largest eigenvalue the predictions keep nine digits. LeavePairOut ties such rows.
const nearlyTied = 1e-8

// TestOrderPairsIsLeavePairOut: the pairs of rows with weights are ordered as by LeavePairOut, in the primal and the
// dual form, for several outputs, few and many values of the weights, heavy rows, equal rows, and every size of λ.
// Equal rows, and those without which there is nothing to learn, tie exactly.
func TestOrderPairsIsLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	ordered, tied := 0, 0
	for trial := range gen.Count(t, 200) {
		m, n, v := 3+r.IntN(60), 1+r.IntN(8), 1+trial%2
		x, first := longList(r, m, n, trial)
		y, weights := make([]float64, m*v), make([]float64, m)
		for i, label := range first {
			y[i*v] = label
			y[i*v+v-1] += float64(r.IntN(3))
			switch weights[i] = math.Exp2(3 * r.Float64()); trial % 5 {
			case 1:
				weights[i] = float64(1 + r.IntN(2))
			case 2:
				weights[i] = 1 + 1e-9*float64(r.IntN(2))
			case 3:
				weights[i] = math.Exp2(20 * r.Float64())
			case 4:
				weights[i] = 3
			}
		}
		y[0], y[v-1] = 9, 9
		goal, err := goals.WeightedScored(y, v, data.OneList(m), weights,
			pref.Options{Weight: []pref.Weight{pref.Pairs, pref.Edges, pref.Size}[trial%3], Cost: pref.Magnitude,
				Ties: pref.IncludeTies})
		if err != nil {
			t.Fatal(err)
		}
		basis, primal := rls.Primal(x), trial%4 <= 1
		if !primal { // no two rows are equal: each has a direction of its own
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(ctx, basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		largest := path.Eigenvalues()[len(path.Eigenvalues())-1]
		for _, share := range []float64{1e-9, 1e-3, 1, 5, 100, 1e6} {
			lambda := largest * share
			if lambda == 0 {
				continue
			}
			got, want := differences(t, path.OrderPairs, lambda, m, v), differences(t, path.LeavePairOut, lambda, m, v)
			size := 0.0
			for _, d := range want {
				size = max(size, math.Abs(d))
			}
			for h, d := range got {
				c, i, j := h/m/m, h/m%m, h%m
				tie := j > i && (primal && slices.Equal(x.Row(i), x.Row(j)) || alikeWithout(y, v, c, i, j))
				switch sign := cmp.Compare(want[h], 0); {
				case tie && (d != 0 || sign != 0), sign != cmp.Compare(d, 0) && math.Abs(want[h]) > nearlyTied*size:
					t.Fatalf("trial %d, %d rows, λ %g: pair %d differs by %g in order, want %g of %g", trial, m, lambda, h, d,
						want[h], size)
				case tie:
					tied++
				default:
					ordered++
				}
			}
		}
	}
	if tied == 0 || ordered == 0 {
		t.Errorf("%d ties, %d pairs in an order", tied, ordered)
	}
}

// alikeWithout reports whether all labels of output c are equal without rows i and j.
func alikeWithout(y []float64, v, c, i, j int) bool {
	var left []float64
	for k := c; k < len(y); k += v {
		if k/v != i && k/v != j {
			left = append(left, y[k])
		}
	}
	return slices.Min(left) == slices.Max(left)
}

// differences are f_i − f_j of every output and pair of rows.
func differences(t *testing.T, leave func(context.Context, float64, func(_, i, c int, fi, fj []float64)) error,
	lambda float64, m, v int) []float64 {
	t.Helper()
	out := make([]float64, v*m*m)
	if err := leave(ctx, lambda, func(_, i, c int, fi, fj []float64) {
		for b, f := range fi {
			out[(c*m+i)*m+i+1+b] = f - fj[b]
		}
	}); err != nil {
		t.Fatal(err)
	}
	return out
}
