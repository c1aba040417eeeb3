package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/synth"
)

// TestPRSVM compares the training over pairs that are kept with that of ranksvm, of dense
// and sparse rows, with labels that are tied, too: both end near one optimum.
func TestPRSVM(t *testing.T) {
	houses, err := synth.Houses{Rows: 400, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	norm, err := data.FitNormalizer(data.NormalizeZScore, houses)
	if err != nil {
		t.Fatal(err)
	}
	if err := norm.Apply(houses); err != nil {
		t.Fatal(err)
	}
	news, err := synth.News{Rows: 300, Features: 1000, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	few := &data.Set{X: news.X, Y: make([]float64, len(news.Y)), Queries: news.Queries}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range few.Y {
		few.Y[i] = float64(r.IntN(3))
	}
	for name, set := range map[string]*data.Set{"dense": houses, "sparse": news, "tied": few} {
		for _, lambda := range []float64{1, 1e-2, 1e-4} {
			t.Run(fmt.Sprint(name, lambda), func(t *testing.T) { compare(t, set, lambda) })
		}
	}
}

// compare trains by both.
func compare(t *testing.T, set *data.Set, lambda float64) {
	pairs := 0
	for _, a := range set.Y {
		for _, b := range set.Y {
			if a > b {
				pairs++
			}
		}
	}
	solver, err := ranksvm.New(set.X, set.Y, data.OneList(len(set.Y)),
		ranksvm.Options{Loss: ranksvm.SquaredHinge, Epsilon: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	want, err := solver.Train(t.Context(), lambda)
	if err != nil {
		t.Fatal(err)
	}
	got, err := newPRSVM(set.X, set.Y, pairs).train(t.Context(), lambda)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Converged || got.Pairs != want.Pairs {
		t.Errorf("converged is %v, %v pairs and not %v", got.Converged, got.Pairs, want.Pairs)
	}
	// The decrement is about twice what is left of J before the last step.
	if off := got.Objective/want.Objective - 1; math.Abs(off) > leastDecrement {
		t.Errorf("J = %v, not %v: off by %.1e", got.Objective, want.Objective, off)
	}
	if err := same(&trained{Objective: got.Objective, Gap: got.Gap},
		&trained{Objective: want.Objective, Gap: want.Gap}); err != nil {
		t.Error(err)
	}
}

// TestPRSVMCancelled ends with the context.
func TestPRSVMCancelled(t *testing.T) {
	set, err := synth.Houses{Rows: 60, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newPRSVM(set.X, set.Y, 60*60).train(ctx, 1); err == nil {
		t.Error("no error of a context that has ended")
	}
}

// TestSame accepts what the gaps allow, and nothing else.
func TestSame(t *testing.T) {
	low, high := &trained{Objective: 1, Gap: 0.01}, &trained{Objective: 1.05, Gap: 0.06}
	if err := same(low, high); err != nil {
		t.Error(err)
	}
	high.Gap = 0.04
	if same(low, high) == nil || same(high, low) == nil {
		t.Error("a gap of 0.04 allows 0.05")
	}
}
