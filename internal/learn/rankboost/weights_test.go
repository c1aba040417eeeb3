package rankboost_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rankboost"
	"pairrank/internal/naive"
	"pairrank/model"
	"pairrank/pref"
)

// weighed boosts on the rows of a problem with weights.
func weighed(t *testing.T, p gen.Problem, x data.Matrix, w []float64, censored []bool, rounds int,
	by pref.Weight) *rankboost.Fit {
	t.Helper()
	fit, err := rankboost.Train(t.Context(), x, p.Y, partition(p), rankboost.Options{Rounds: rounds, Weight: by,
		RowWeights: w, Censored: censored})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// Weights below 1 are those of an explicit list of pairs that weigh w_i w_j, whole ones are copies, ones are none, and
// sparse rows are dense ones, to the byte: of labels and of censored times.
func TestWeightedPairs(t *testing.T) {
	const rounds = 12
	r := rand.New(rand.NewPCG(61, 62))
	for k := range gen.Count(t, 300) {
		p, by := problem(r), weights[k%3]
		w := make([]float64, p.M)
		for i := range w {
			w[i] = 0.05 + 0.9*r.Float64()
		}
		var censored []bool
		pairs := naive.WeightedPairs(p.Y, p.Query, w, "unit", "skip", string(by))
		if k/3%2 == 1 {
			censored = p.Censored(r)
			pairs = naive.WeightedTimedPairs(p.Y, censored, p.Query, w, "unit", string(by), false)
		}
		fit := weighed(t, p, dense(p), w, censored, rounds, by)
		want, loss := naive.RankBoost(p.X, p.N, pairs, rounds)
		terms := make([]model.Stump, len(want))
		for a, s := range want {
			terms[a] = model.Stump{Feature: s.Feature, Threshold: s.Threshold, Weight: s.Weight}
			if a < len(fit.Loss) && !near(fit.Loss[a], loss[a]) {
				t.Fatalf("problem %d: loss %v after round %d, want %v", k, fit.Loss[a], a+1, loss[a])
			}
		}
		if err := sameStumps(fit.Stumps.Terms, terms); err != nil || fit.Pairs != float64(len(pairs)) {
			t.Fatalf("problem %d, %s: %v, from explicit pairs", k, by, err)
		}
		if sparse := weighed(t, p, csr(dense(p)), w, censored, rounds, by); !reflect.DeepEqual(sparse, fit) {
			t.Fatalf("problem %d: sparse rows give %+v, dense rows %+v", k, sparse, fit)
		}
		ones := weighed(t, p, dense(p), slices.Repeat([]float64{1}, p.M), censored, rounds, by)
		if none := weighed(t, p, dense(p), nil, censored, rounds, by); !reflect.DeepEqual(ones, none) {
			t.Fatalf("problem %d: weights of 1 give %+v, none %+v", k, ones, none)
		}
		var copied gen.Problem
		var marks []bool
		copied.N, copied.Queries = p.N, p.Queries
		for i := range w {
			w[i] = float64(1 + r.IntN(3))
			for range int(w[i]) {
				copied.X = append(copied.X, p.X[i*p.N:(i+1)*p.N]...)
				copied.Y, copied.Query = append(copied.Y, p.Y[i]), append(copied.Query, p.Query[i])
				if copied.M++; censored != nil {
					marks = append(marks, censored[i])
				}
			}
		}
		whole := weighed(t, p, dense(p), w, censored, rounds, by)
		other := weighed(t, copied, dense(copied), nil, marks, rounds, by)
		if err := sameStumps(whole.Stumps.Terms, other.Stumps.Terms); err != nil {
			t.Fatalf("problem %d, %s: %v, from copies", k, by, err)
		}
	}
}
