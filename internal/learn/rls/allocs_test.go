//go:build !race

package rls_test

import (
	"math"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// Training for one λ allocates one kernel matrix, and with a basis no matrix of all rows. The race
// detector empties pools at random.
func TestOneLambdaMakesNoMatrix(t *testing.T) {
	const m = 2000
	x := far(m, 3)
	y := make([]float64, m)
	for i := range y {
		y[i] = x.Row(i)[1]
	}
	gaussian := kernel.Gaussian{Gamma: 0.4}
	for name, queries := range map[string]*data.Partition{"list": data.OneList(m),
		"queries": data.NewPartition(remainders(m, 100), 100)} {
		goal, err := goals.Scored(y, 1, queries, pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		basis := rls.DualOf(m, func(k *data.Dense, _ []int32) { kernel.UpperTo(gaussian, k, x) })
		got := allocated(func() { _, err = rls.Solve(ctx, basis, goal, 1) })
		if limit := 8 * m * m * 1.5; err != nil || got > limit {
			t.Errorf("dual, %s: %.3g bytes, more than %.3g: one and a half kernel matrices (%v)", name, got, limit, err)
		}
	}
	const long, b = 60_000, 40
	x = far(long, 3)
	y = make([]float64, long)
	support := make([]int, b)
	for i := range y {
		y[i] = x.Row(i)[1]
	}
	for c := range support {
		support[c] = c * long / b
	}
	goal, err := goals.Scored(y, 1, data.OneList(long), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	among := data.Select(x, support).(*data.Dense)
	basis := rls.SparseOf(long, kernel.Matrix(gaussian, among, among), func(dst *data.Dense, rows []int) {
		for a, i := range rows {
			for c := range dst.Row(a) {
				dx, dy, dz := x.Row(i)[0]-among.Row(c)[0], x.Row(i)[1]-among.Row(c)[1], x.Row(i)[2]-among.Row(c)[2]
				dst.Row(a)[c] = math.Exp(-0.4 * (dx*dx + dy*dy + dz*dz)) // without memory
			}
		}
	})
	got := allocated(func() { _, err = rls.Solve(ctx, basis, goal, 1) })
	if limit := 8.0 * long * b / 2; err != nil || got > limit {
		t.Errorf("basis: %.3g bytes, more than %.3g: half of its rows (%v)", got, limit, err)
	}
}
