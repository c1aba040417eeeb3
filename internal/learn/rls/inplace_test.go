package rls_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// dualOf computes only the upper triangle of k.
func dualOf(k *data.Dense) *rls.Basis {
	return rls.DualOf(k.Rows, func(dst *data.Dense, order []int32) {
		if order == nil {
			order = data.OneList(k.Rows).Rows
		}
		for a, i := range order {
			for b, j := range order[a:] {
				dst.Row(a)[a+b] = k.Row(int(i))[j]
			}
		}
	})
}

// DualOf gives the coefficients of Dual, to the last bit; scores and objective are those of the
// kernel matrix that Solve overwrites.
func TestDualOfIsDual(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		goal := everyWeighed()[r.IntN(2*len(everyGoal))]
		s := newWeighed(t, p, goal)
		lambda := gen.Lambda(r, -15, 15) * s.pairWeight()
		for _, name := range []string{"linear", "gaussian"} {
			k := s.Linear()
			if name == "gaussian" {
				k = s.Gaussian(0.3)
			}
			want, err := rls.Solve(ctx, rls.Dual(square(k)), s.goal, lambda)
			got, failed := rls.Solve(ctx, dualOf(square(k)), s.goal, lambda)
			if (err == nil) != (failed == nil) {
				t.Fatalf("%s: %v and in place %v", name, err, failed)
			}
			if err != nil {
				continue
			}
			alike(t, name, got.Coef, want.Coef, 0)
			_, floor := s.trained(k, lambda)
			if d := relative(got.Predictions().Data, want.Predictions().Data, floor); d > 1e-9 {
				t.Errorf("%s: scores differ by %.2g", name, d)
			}
			if a, b := got.Objective(), want.Objective(); math.Abs(a-b) > 1e-9*s.goal.Constant() {
				t.Errorf("%s: objective %v in place, else %v", name, a, b)
			}
		}
	}
}

// longProblems are goals over m rows that panels cut: components and classes of ties that are
// longer than a panel, and queries with scattered rows.
func longProblems(t *testing.T, m int) map[string]*goals.Goal {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(m), 8))
	y, grades := make([]float64, m), make([]float64, m)
	mixed, many := make([]int32, m), make([]int32, m)
	for i := range y {
		y[i], grades[i] = r.NormFloat64(), float64(r.IntN(3))
		if r.IntN(10) == 0 {
			mixed[i] = int32(1 + r.IntN(m/40))
		}
		many[i] = int32(r.IntN(m / 20))
	}
	groups := func(of []int32) *data.Partition { return data.NewPartition(of, m) }
	out := map[string]*goals.Goal{"regression": goals.Regression(y, 1)}
	for name, c := range map[string]struct {
		y       []float64
		queries *data.Partition
		o       pref.Options
	}{
		"list":                {y, data.OneList(m), pref.Options{}},
		"list without ties":   {grades, data.OneList(m), pref.Options{Ties: pref.ExcludeTies}},
		"list of unit cost":   {y, data.OneList(m), pref.Options{Cost: pref.Unit}},
		"a long query":        {y, groups(mixed), pref.Options{}},
		"a long one, no ties": {grades, groups(mixed), pref.Options{Ties: pref.ExcludeTies, Weight: pref.Size}},
		"short queries":       {y, groups(many), pref.Options{}},
		"short ones, no ties": {grades, groups(many), pref.Options{Ties: pref.ExcludeTies}},
	} {
		goal, err := goals.Scored(c.y, 1, c.queries, c.o)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = goal
	}
	return out
}

// far are m rows far from 0, in ascending order of a feature: the worst that a mean of
// some rows may meet is order.
func far(m, n int) *data.Dense {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	x := data.NewDense(m, n, nil)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		x.Row(i)[0] = 3 * float64(i) / float64(m)
	}
	return x
}

// Rows that are computed a panel at a time give the moments, and so the solution, of rows in
// memory; the sums do not depend on the number of threads.
func TestPanelsAreAllRows(t *testing.T) {
	const m, b, tolerance = 10_000, 6, 1e-9
	x := far(m, 3)
	support := make([]int, b)
	for a := range support {
		support[a] = a * m / b
	}
	gaussian := kernel.Gaussian{Gamma: 0.4}
	among := data.Select(x, support).(*data.Dense)
	panels := func() *rls.Basis {
		return rls.SparseOf(m, kernel.Matrix(gaussian, among, among), func(dst *data.Dense, rows []int) {
			gaussian.MatrixTo(dst, data.Select(x, rows), among)
		})
	}
	for name, goal := range longProblems(t, m) {
		t.Run(name, func(t *testing.T) {
			want, err := rls.Solve(ctx, rls.Sparse(kernel.Matrix(gaussian, x, among),
				kernel.Matrix(gaussian, among, among)), goal, 2)
			if err != nil {
				t.Fatal(err)
			}
			got, err := rls.Solve(ctx, panels(), goal, 2)
			if err != nil {
				t.Fatal(err)
			}
			alike(t, "coefficients", got.Coef, want.Coef, tolerance)
			alike(t, "scores", got.Predictions(), want.Predictions(), tolerance)
			path, err := rls.Factor(ctx, panels(), goal)
			if err != nil {
				t.Fatal(err)
			}
			refit, err := path.Refit(2)
			if err != nil {
				t.Fatal(err)
			}
			alike(t, "Refit", refit.Coef, got.Coef, 0)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
			again, err := rls.Solve(ctx, panels(), goal, 2)
			if err != nil {
				t.Fatal(err)
			}
			alike(t, "five threads", again.Coef, got.Coef, 0)
		})
	}
}

// The factorisation in place cuts long problems into blocks of rows, unlike small ones: its
// solution is that of the eigenvalues.
func TestDualOfManyRows(t *testing.T) {
	const m = 530 // three panels of 256 rows at most, and a reduction on several threads
	x := far(m, 3)
	k := kernel.Matrix(kernel.Gaussian{Gamma: 0.4}, x, x)
	for name, goal := range longProblems(t, m) {
		t.Run(name, func(t *testing.T) {
			path, err := rls.Factor(ctx, rls.Dual(k), goal)
			if err != nil {
				t.Fatal(err)
			}
			want := path.At(2)
			for _, threads := range []int{1, 5} {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
				got, err := rls.Solve(ctx, dualOf(k), goal, 2)
				if err != nil {
					t.Fatal(err)
				}
				about := fmt.Sprintf("%d threads: ", threads)
				alike(t, about+"scores", got.Predictions(), want.Predictions(), 1e-9)
				if a, b := got.Objective(), want.Objective(); math.Abs(a-b) > 1e-9*goal.Constant() {
					t.Errorf("%sobjective %v, else %v", about, a, b)
				}
				whole, err := rls.Factor(ctx, dualOf(k), goal)
				if err != nil {
					t.Fatal(err)
				}
				alike(t, about+"Factor", whole.At(2).Coef, want.Coef, 0)
				alike(t, about+"coefficients", got.Coef, want.Coef, 1e-9)
				refit, err := path.Refit(2)
				if err != nil {
					t.Fatal(err)
				}
				alike(t, about+"Refit", refit.Coef, got.Coef, 0)
			}
		})
	}
}

// remainders are the numbers of m rows, dealt to n queries in turn.
func remainders(m, n int) []int32 {
	of := make([]int32, m)
	for i := range of {
		of[i] = int32(i % n)
	}
	return of
}

// Equal rows are equal to the last bit in every panel, and so are their predictions.
func TestPanelsKeepEqualRows(t *testing.T) {
	const m, b = 2*4096 + 2, 60 // the last panel has two rows
	x, y := far(m, 3), make([]float64, m)
	copy(x.Row(m-1), x.Row(5))
	copy(x.Row(m-2), x.Row(4096))
	support := make([]int, b)
	for i := range y {
		y[i] = x.Row(i)[1]
	}
	for c := range support {
		support[c] = c * (m - 9) / b
	}
	goal := goals.Regression(y, 1)
	gaussian, among := kernel.Gaussian{Gamma: 0.4}, data.Select(x, support)
	path, err := rls.Factor(ctx, rls.SparseOf(m, kernel.Matrix(gaussian, among, among),
		func(dst *data.Dense, rows []int) {
			gaussian.MatrixTo(dst, data.Select(x, rows), among)
		}), goal)
	if err != nil {
		t.Fatal(err)
	}
	f := path.At(1).Predictions().Data
	if f[m-1] != f[5] || f[m-2] != f[4096] {
		t.Errorf("scores of equal rows differ: %v and %v, %v and %v", f[m-1], f[5], f[m-2], f[4096])
	}
}
