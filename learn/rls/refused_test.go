package rls_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// panics runs f and returns what it panics with, "" where it does not.
func panics(f func()) (message string) {
	defer func() {
		if v := recover(); v != nil {
			message = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

// A λ that is not positive and finite is refused by all that takes one.
func TestLambdaIsPositive(t *testing.T) {
	x, y, queries := sample()
	goal, err := pref.Scored(y, 1, queries, pref.Options{Weight: pref.Size})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN()} {
		for name, f := range map[string]func(){
			"Solve":              func() { _, _ = rls.Solve(ctx, rls.Primal(x), goal, lambda) },
			"ConjugateGradients": func() { _, _, _ = rls.ConjugateGradients(ctx, x, goal, lambda, rls.CGOptions{}) },
			"At":                 func() { path.At(lambda) },
			"Refit":              func() { _, _ = path.Refit(lambda) },
			"HoldOut":            func() { _ = path.HoldOut(ctx, queries, []float64{1, lambda}, func(int, int, rls.Held) {}) },
			"PredictHeldOut":     func() { _, _ = path.PredictHeldOut(ctx, queries, lambda) },
			"LeavePairOut":       func() { _ = path.LeavePairOut(ctx, lambda, func(_, _, _ int, _, _ []float64) {}) },
			"LeavePairsWith":     func() { _, _ = path.LeavePairsWith(lambda) },
		} {
			if got := panics(f); !strings.Contains(got, "λ is positive and finite") {
				t.Errorf("%s of λ = %v: %q", name, lambda, got)
			}
		}
	}
}

// Matrices that a factorisation cannot use are refused by name, and not by what
// fails further down.
func TestMatricesAreNamed(t *testing.T) {
	x, y, queries := sample()
	goal, err := pref.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dense32, _ := data.Single(x)
	csr32, _ := data.Single(&data.CSR{Rows: 6, Cols: 1, Ptr: make([]int, 7)})
	for want, f := range map[string]func(){
		"Factor with x of Primal a *data.Dense32": func() { _, _ = rls.Factor(ctx, rls.Primal(dense32), goal) },
		"Factor with x of Primal a *data.CSR32":   func() { _, _ = rls.Factor(ctx, rls.Primal(csr32), goal) },
		"Solve with x of Primal a *data.Dense32":  func() { _, _ = rls.Solve(ctx, rls.Primal(dense32), goal, 1) },
		"rls: x: there is no matrix":              func() { rls.Primal(nil) },
		"rls: k: a Dense of 2×2 with Stride 0":    func() { rls.Dual(&data.Dense{Rows: 2, Cols: 2, Data: make([]float64, 4)}) },
		"rls: cross: there is no matrix":          func() { rls.Sparse(nil, data.NewDense(1, 1, nil)) },
		"a kernel matrix is square, not 2×1":      func() { rls.Dual(data.NewDense(2, 1, nil)) },
		"a basis of 2 rows and a goal of 6 rows":  func() { _, _ = rls.Factor(ctx, rls.Primal(data.NewDense(2, 1, nil)), goal) },
	} {
		if got := panics(f); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Conjugate gradients train on rows in single precision as on the same rows in
// double precision, and see the same squares.
func TestSinglePrecision(t *testing.T) {
	const rounding = 1e-9 // of a residual of 1e-13, and λ of the size of the weights
	r := rand.New(rand.NewPCG(41, 42))
	for range problems(t, 30) {
		p := gen.New(r, gen.Options{})
		s := newSetting(t, p, false, pref.Options{})
		for i, v := range s.X {
			s.X[i] = float64(float32(v))
		}
		for _, x := range []data.Matrix{s.x(), s.csr()} {
			single, _ := data.Single(x)
			lambda := gen.Lambda(r, 0, 5)
			want, _, err := rls.ConjugateGradients(ctx, x, s.goal, lambda, rls.CGOptions{Tolerance: 1e-13})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := rls.ConjugateGradients(ctx, single, s.goal, lambda, rls.CGOptions{Tolerance: 1e-13})
			if err != nil {
				t.Fatal(err)
			}
			if d := relative(got.Coef.Data, want.Coef.Data, 1e-3); d > rounding {
				t.Errorf("%T: relative difference %.2g", single, d)
			}
			if d := relative(rls.Squares(single, s.goal), rls.Squares(x, s.goal), 0); d > 0 {
				t.Errorf("%T: squares differ by %.2g", single, d)
			}
		}
	}
}
