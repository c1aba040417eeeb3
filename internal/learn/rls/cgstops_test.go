package rls_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

func TestPathByConjugateGradientsStops(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	s := newSetting(t, gen.New(r, gen.Options{MaxRows: 24}), false, everyGoal[1].Options)
	lambdas := []float64{1e-3, 1}
	_, results, err := rls.ConjugateGradientsPath(ctx, s.x(), s.goal, lambdas,
		rls.CGOptions{MaxIterations: 1, Tolerance: 1e-15})
	if err != nil || results[0].Converged || results[0].Iterations != 1 {
		t.Fatalf("one iteration: %+v, %v", results, err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	fits, _, err := rls.ConjugateGradientsPath(done, s.x(), s.goal, lambdas, rls.CGOptions{})
	if !errors.Is(err, context.Canceled) || len(fits) != 2 {
		t.Fatalf("cancelled: %v", err)
	}
	training := rls.Training{Goal: s.goal, Held: []int32{0}}
	for i := range s.M {
		training.Rows = append(training.Rows, int32(i))
	}
	err = rls.PredictIteratively(done, s.x(), []rls.Training{training}, lambdas, nil, rls.CGOptions{}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	s.X[0] = math.MaxFloat64
	_, _, err = rls.ConjugateGradientsPath(ctx, s.x(), s.goal, lambdas, rls.CGOptions{})
	if !errors.Is(err, rls.ErrNumerical) {
		t.Errorf("overflow: %v", err)
	}
	err = rls.PredictIteratively(ctx, s.x(), []rls.Training{training}, lambdas, nil, rls.CGOptions{}, nil)
	if !errors.Is(err, rls.ErrNumerical) {
		t.Errorf("overflow: %v", err)
	}
}

// TestPathOfScales: labels whose squares overflow or underflow have the weights of labels of usual
// size, to the last bit, times the power of two between them.
func TestPathOfScales(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	x, y := text(r, 60, 80, 8)
	train := func(exponent int) []float64 {
		far := make([]float64, len(y))
		for i, v := range y {
			far[i] = math.Ldexp(v, exponent)
		}
		fits, results, err := rls.ConjugateGradientsPath(ctx, x, goals.Regression(far, 1), []float64{2},
			rls.CGOptions{Scores: rls.DefaultScores})
		if err != nil || !results[0].Converged {
			t.Fatalf("2^%d: %+v, %v", exponent, results, err)
		}
		return fits[0].Coef.Data
	}
	want := train(0)
	for _, exponent := range []int{-900, -500, 500, 900} {
		for j, w := range train(exponent) {
			if w != math.Ldexp(want[j], exponent) {
				t.Fatalf("2^%d: weight %d is %v, want %v", exponent, j, w, math.Ldexp(want[j], exponent))
			}
		}
	}
}
