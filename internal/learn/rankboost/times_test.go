package rankboost_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rankboost"
	"pairrank/internal/naive"
	"pairrank/model"
	"pairrank/pref"
)

// timed boosts on the labels of a problem as times.
func timed(t *testing.T, p gen.Problem, x data.Matrix, censored []bool, rounds int, w pref.Weight) *rankboost.Fit {
	t.Helper()
	fit, err := rankboost.Train(t.Context(), x, p.Y, partition(p), rankboost.Options{Rounds: rounds, Weight: w,
		Censored: censored})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// On censored times the stumps, weights and losses are those of boosting over the comparable pairs, for dense rows and,
// to the byte, for sparse ones; marks of no row give what labels give; and only the order of the times counts.
func TestTimesAreBoostedOverPairs(t *testing.T) {
	const rounds = 12
	r := rand.New(rand.NewPCG(8, 1))
	for k := range gen.Count(t, 1000) {
		p, w := problem(r), weights[k%3]
		censored := p.Censored(r)
		fit := timed(t, p, dense(p), censored, rounds, w)
		pairs := naive.TimedPairs(p.Y, censored, p.Query, "unit", string(w), false)
		want, loss := naive.RankBoost(p.X, p.N, pairs, rounds)
		terms := make([]model.Stump, len(want))
		for a, s := range want {
			terms[a] = model.Stump{Feature: s.Feature, Threshold: s.Threshold, Weight: s.Weight}
			if a < len(fit.Loss) && !near(fit.Loss[a], loss[a]) {
				t.Fatalf("problem %d: loss %v after round %d, want %v", k, fit.Loss[a], a+1, loss[a])
			}
		}
		if err := sameStumps(fit.Stumps.Terms, terms); err != nil || fit.Pairs != float64(len(pairs)) {
			t.Fatalf("problem %d, %s: %v, from explicit pairs; %v pairs, want %d", k, w, err, fit.Pairs, len(pairs))
		}
		if sparse := timed(t, p, csr(dense(p)), censored, rounds, w); !reflect.DeepEqual(sparse, fit) {
			t.Fatalf("problem %d: sparse rows give %+v, dense rows %+v", k, sparse, fit)
		}
		labels := train(t, dense(p), p.Y, partition(p), rounds, w)
		if all := timed(t, p, dense(p), make([]bool, p.M), rounds, w); !reflect.DeepEqual(all, labels) {
			t.Fatalf("problem %d: times of events give %+v, labels %+v", k, all, labels)
		}
		later := p
		later.Y = slices.Clone(p.Y)
		for i, y := range p.Y {
			later.Y[i] = math.Exp(y)
		}
		if again := timed(t, later, dense(p), censored, rounds, w); !reflect.DeepEqual(again, fit) {
			t.Fatalf("problem %d: %+v at other times, want %+v", k, again, fit)
		}
	}
}

func TestTimesRefused(t *testing.T) {
	x := data.NewDense(3, 1, nil)
	_, err := rankboost.Train(t.Context(), x, []float64{1, 2, 3}, data.OneList(3),
		rankboost.Options{Censored: []bool{true, true, false}})
	if !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("the only event is the last: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("two marks of three rows are taken")
		}
	}()
	_, _ = rankboost.Train(t.Context(), x, []float64{1, 2, 3}, data.OneList(3),
		rankboost.Options{Censored: []bool{true, false}})
}
