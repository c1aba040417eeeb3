package rls_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rls"
)

// TestConjugateGradientsAgainstDefinition: with a relative residual of 1e-14 and
// λ a thousandth of a pair's weight or more, the solution is within the bar.
func TestConjugateGradientsAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	worst := 0.0
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -3, 15) * s.pairWeight()
			for name, x := range map[string]data.Matrix{"dense": s.x(), "csr": s.csr()} {
				fit, result, err := rls.ConjugateGradients(ctx, x, s.goal, lambda, rls.CGOptions{Tolerance: 1e-14})
				if err != nil {
					t.Fatal(err)
				}
				want, floor := s.trained(nil, lambda)
				d := relative(fit.Predictions().Data, want, floor)
				worst = max(worst, d)
				if d > bar {
					t.Errorf("%s %+v λ=%g m=%d n=%d: %+v, relative difference %.2g",
						name, g, lambda, p.M, p.N, result, d)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("worst relative difference %.2g", worst)
}

func TestConjugateGradientsStops(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	p := gen.New(r, gen.Options{MaxRows: 24})
	s := newSetting(t, p, false, everyGoal[1].Options)
	fit, result, err := rls.ConjugateGradients(ctx, s.x(), s.goal, 1e-3,
		rls.CGOptions{MaxIterations: 1, Tolerance: 1e-15})
	if err != nil || result.Converged || result.Iterations != 1 || fit == nil {
		t.Fatalf("one iteration: %+v, %v", result, err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	fit, _, err = rls.ConjugateGradients(done, s.x(), s.goal, 1e-3, rls.CGOptions{})
	if !errors.Is(err, context.Canceled) || fit == nil {
		t.Fatalf("cancelled: %v", err)
	}
	first, _, err := rls.ConjugateGradients(ctx, s.x(), s.goal, 1, rls.CGOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, warm, err := rls.ConjugateGradients(ctx, s.x(), s.goal, 1, rls.CGOptions{Start: first.Coef})
	if err != nil || warm.Iterations > 1 {
		t.Fatalf("warm start at the solution: %+v, %v", warm, err)
	}
}
