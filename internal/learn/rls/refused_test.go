package rls_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
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

// allocated is the memory that f asks for, in bytes.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// Every function with a λ panics where λ is not positive and finite.
func TestLambdaIsPositive(t *testing.T) {
	x, y, queries := sample()
	goal, err := goals.Scored(y, 1, queries, pref.Options{Weight: pref.Size})
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
			"HoldOut": func() {
				_ = path.HoldOut(ctx, queries, []float64{1, lambda}, func(int, int, rls.Held) {})
			},
			"PredictHeldOut": func() { _, _ = path.PredictHeldOut(ctx, queries, lambda) },
			"LeavePairOut":   func() { _ = path.LeavePairOut(ctx, lambda, func(_, _, _ int, _, _ []float64) {}) },
		} {
			if got := panics(f); !strings.Contains(got, "λ is positive and finite") {
				t.Errorf("%s of λ = %v: %q", name, lambda, got)
			}
		}
	}
}

// Matrices that do not fit panic with the name of the argument.
func TestMatricesAreNamed(t *testing.T) {
	_, y, queries := sample()
	goal, err := goals.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func(){
		"rls: x: there is no matrix": func() { rls.Primal(nil) },
		"rls: k: a Dense of 2×2 with Stride 0": func() {
			rls.Dual(&data.Dense{Rows: 2, Cols: 2, Data: make([]float64, 4)})
		},
		"rls: cross: there is no matrix":     func() { rls.Sparse(nil, data.NewDense(1, 1, nil)) },
		"a kernel matrix is square, not 2×1": func() { rls.Dual(data.NewDense(2, 1, nil)) },
		"a basis of 2 rows and a goal of 6 rows": func() {
			_, _ = rls.Factor(ctx, rls.Primal(data.NewDense(2, 1, nil)), goal)
		},
	} {
		if got := panics(f); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
