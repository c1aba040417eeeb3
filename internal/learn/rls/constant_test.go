package rls_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

// moved is the linear kernel of the rows of p with the rows with coefficients,
// as they are, and with a point taken off, with the constants of the latter.
// Rows of coefficients move with the others in the dual form.
func moved(p gen.Problem, point []float64, basis []int) (whole, taken, constant *rls.Basis) {
	x, at := make([]float64, len(p.X)), func(x []float64, i int) []float64 { return x[i*p.N : (i+1)*p.N] }
	for i, v := range p.X {
		x[i] = v - point[i%p.N]
	}
	inner := func(u, v []float64) (sum float64) {
		for c := range u {
			sum += u[c] * v[c]
		}
		return sum
	}
	matrix := func(a []float64, rows []int, b []float64, cols []int) *data.Dense {
		k := data.NewDense(len(rows), len(cols), nil)
		for i, r := range rows {
			for j, c := range cols {
				k.Row(i)[j] = inner(at(a, r), at(b, c))
			}
		}
		return k
	}
	every := make([]int, p.M)
	for i := range every {
		every[i] = i
	}
	c := []float64{}
	if basis == nil {
		for i := range p.M {
			c = append(c, inner(at(x, i), point))
		}
		k := rls.Dual(matrix(x, every, x, every))
		return rls.Dual(matrix(p.X, every, p.X, every)), k, k.WithConstant(c)
	}
	for _, i := range basis {
		c = append(c, inner(at(p.X, i), point))
	}
	k := rls.Sparse(matrix(x, every, p.X, basis), matrix(p.X, basis, p.X, basis))
	return rls.Sparse(matrix(p.X, every, p.X, basis), matrix(p.X, basis, p.X, basis)), k, k.WithConstant(c)
}

// Subtracting a point from the rows, and adding it back with a constant, changes no prediction,
// held out or not, and no coefficient.
func TestWithConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for range problems(t, 150) {
		p := gen.New(r, gen.Options{OneQuery: r.IntN(2) == 0, MaxFeatures: 6})
		o := everyGoal[1+r.IntN(len(everyGoal)-1)].Options
		s := newSetting(t, p, false, o)
		point, lambda := make([]float64, p.N), gen.Lambda(r, -2, 6)
		for c := range point {
			point[c] = 3 * r.NormFloat64()
		}
		var basis []int
		if r.IntN(2) == 0 {
			basis = r.Perm(p.M)[:1+r.IntN(min(3, p.M))]
		}
		whole, taken, constant := moved(p, point, basis)
		paths := [3]*rls.Path{}
		for k, b := range []*rls.Basis{whole, taken, constant} {
			path, err := rls.Factor(ctx, b, s.goal)
			if err != nil {
				t.Fatal(err)
			}
			paths[k] = path
		}
		alike(t, "coefficients", paths[2].At(lambda).Coef, paths[1].At(lambda).Coef, 0)
		const rounding = 1e-9 // of problems whose λ is not small compared with their rows
		alike(t, "predictions", paths[2].At(lambda).Predictions(), paths[0].At(lambda).Predictions(), rounding)
		for _, groups := range []*data.Partition{data.Singletons(p.M), partition(p)} {
			if paths[0].Exact(groups) != nil {
				continue
			}
			want, err := paths[0].PredictHeldOut(ctx, groups, lambda)
			if err != nil {
				t.Fatal(err)
			}
			got, err := paths[2].PredictHeldOut(ctx, groups, lambda)
			if err != nil {
				t.Fatal(err)
			}
			alike(t, "held-out predictions", got, want, rounding)
		}
		if paths[0].Exact(data.Singletons(p.M)) == nil {
			alike(t, "held-out pairs", pairsOut(t, paths[2], lambda), pairsOut(t, paths[0], lambda), rounding)
		}
	}
}

// pairsOut are all held-out pairs as rows f_i, f_j.
func pairsOut(t *testing.T, p *rls.Path, lambda float64) *data.Dense {
	t.Helper()
	m := p.Rows()
	out := data.NewDense(m*m, 2, nil)
	var mu sync.Mutex
	err := p.LeavePairOut(ctx, lambda, func(_, i, _ int, fi, fj []float64) {
		mu.Lock()
		defer mu.Unlock()
		for b := range fi {
			copy(out.Row(i*m+i+1+b), []float64{fi[b], fj[b]})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// alike compares to a part of the largest value.
func alike(t *testing.T, what string, got, want *data.Dense, tolerance float64) {
	t.Helper()
	largest := 1e-3
	for _, v := range want.Data {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range want.Data {
		if !(math.Abs(got.Data[i]-v) <= tolerance*largest) {
			t.Errorf("%s: %v, want %v", what, got.Data[i], v)
			return
		}
	}
}

// A goal that is not invariant to the constant refuses it, and so does a basis of another length.
func TestWithConstantRefuses(t *testing.T) {
	b := rls.Dual(&data.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, 0, 0, 1}})
	for what, f := range map[string]func(){
		"regression": func() {
			rls.Solve(ctx, b.WithConstant([]float64{1, 2}), goals.Regression([]float64{1, 2}, 1), 1)
		},
		"length": func() { b.WithConstant([]float64{1}) },
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// Refit and Solve give the same coefficients, to the last bit, in every form.
func TestRefitIsSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		goal := everyWeighed()[r.IntN(2*len(everyGoal))]
		s := newWeighed(t, p, goal)
		lambda := gen.Lambda(r, -60, 40)
		k := &data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: p.Linear()}
		for name, basis := range map[string]func() *rls.Basis{
			"primal": func() *rls.Basis { return rls.Primal(s.x()) },
			"dual":   func() *rls.Basis { return rls.Dual(k) },
			"sparse": func() *rls.Basis { return rls.Sparse(k.Clone(), k.Clone()) },
			"made":   func() *rls.Basis { return sparseOf(k, nil) },
		} {
			path, err := rls.Factor(ctx, basis(), s.goal)
			if err != nil {
				t.Fatal(err)
			}
			refit, err := path.Refit(lambda)
			solved, failed := rls.Solve(ctx, basis(), s.goal, lambda)
			if (err == nil) != (failed == nil) {
				t.Errorf("%s, λ = %g: Refit says %v and Solve says %v", name, lambda, err, failed)
			} else if err == nil {
				alike(t, name, solved.Coef, refit.Coef, 0)
			}
		}
	}
}
