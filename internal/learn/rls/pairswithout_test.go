package rls_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	. "pairrank/internal/learn/rls"
	"pairrank/pref"
)

// Leave-pair-out without a feature, of a linear kernel in the dual form, has the differences of leave-pair-out of the
// kernel matrix of the other features, also for equal rows and for features that are constant.
func TestPairsWithoutIsTheKernelOfTheOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const m, n = 14, 24
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		x.Row(i)[0], x.Row(i)[1] = 3, 0
		y[i] = math.Round(2*x.Row(i)[2] + r.NormFloat64())
	}
	copy(x.Row(4), x.Row(9))
	for _, weight := range []pref.Weight{pref.Pairs, pref.Size, pref.Edges} {
		goal, err := goals.Scored(y, 1, data.OneList(m),
			pref.Options{Weight: weight, Cost: pref.Magnitude, Ties: pref.IncludeTies})
		if err != nil {
			t.Fatal(err)
		}
		checkPairsWithout(t, fmt.Sprint(weight), x, y, goal)
	}
	checkPairsWithout(t, "regression", x, y, goals.Regression(y, 1))
}

func checkPairsWithout(t *testing.T, name string, x *data.Dense, y []float64, goal *goals.Goal) {
	t.Helper()
	path := dualPath(t, x, goal)
	largest := path.Eigenvalues()[x.Rows-1]
	lambdas := []float64{largest / 1000, largest, 100 * largest}
	if !path.CanLeavePairsWithout(lambdas) {
		t.Fatalf("%s: there is no shortcut", name)
	}
	without := path.PairsWithout(lambdas, y, x)
	for j := range x.Cols {
		if !without.Can(j) {
			t.Errorf("%s: no digits are left without feature %d", name, j)
			continue
		}
		others := data.NewDense(x.Rows, x.Cols, append([]float64(nil), x.Data...))
		for i := range x.Rows {
			others.Row(i)[j] = 0
		}
		plain := dualPath(t, others, goal)
		for _, lambda := range lambdas {
			got, want, size := data.NewDense(x.Rows, x.Rows, nil), data.NewDense(x.Rows, x.Rows, nil), 0.0
			into := func(dst *data.Dense) func(_, i, _ int, fi, fj []float64) {
				return func(_, i, _ int, fi, fj []float64) {
					for b := range fi {
						dst.Row(i)[i+1+b] = fi[b] - fj[b]
					}
				}
			}
			if err := without.OrderPairs(t.Context(), j, lambda, into(got)); err != nil {
				t.Fatal(err)
			}
			if err := plain.LeavePairOut(t.Context(), lambda, into(want)); err != nil {
				t.Fatal(err)
			}
			for _, v := range want.Data {
				size = max(size, math.Abs(v))
			}
			for h, v := range got.Data {
				if math.Abs(v-want.Data[h]) > 1e-8*size || (want.Data[h] == 0) != (v == 0) {
					t.Fatalf("%s: λ %g without feature %d: rows %d and %d differ by %g, want %g", name, lambda, j,
						h/x.Rows, h%x.Rows, v, want.Data[h])
				}
			}
		}
	}
}

func dualPath(t *testing.T, x *data.Dense, goal *goals.Goal) *Path {
	t.Helper()
	path, err := Factor(t.Context(), Dual(x.MulT(x)), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// There is no shortcut for weights, several queries, or λ that leave no digits.
func TestPairsWithoutNeedsDigits(t *testing.T) {
	x := data.NewDense(6, 2, []float64{1, 0, 0, 1, 1, 1, 2, 5, 3, 1, 4, 0})
	y := []float64{1, 2, 3, 1, 0, 2}
	goal := goalOf(t, y, data.OneList(6))
	if pathOf(t, x, goal).CanLeavePairsWithout([]float64{1}) {
		t.Error("weights have the shortcut")
	}
	if path := dualPath(t, x, goal); path.CanLeavePairsWithout([]float64{1e-9}) ||
		!path.CanLeavePairsWithout([]float64{10}) || path.CanLeavePairsWithout([]float64{10, 1e9}) {
		t.Error("the shortcut is for other λ than those at which it has its digits")
	}
	queries := goalOf(t, y, data.NewPartition([]int32{0, 0, 0, 1, 1, 1}, 2))
	if dualPath(t, x, queries).CanLeavePairsWithout([]float64{10}) {
		t.Error("pairs of several queries have the shortcut")
	}
}
