package rankboost_test

import (
	"fmt"
	"math"
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

// Two ways to a weight or a loss differ by rounding: of sums of a few hundred terms, once a round,
// carried on from round to round by the distribution. Near 0 a weight is as exact as the W that it
// comes from, whose size is about one.
const (
	tolerance = 1e-10
	floor     = 1e-12
)

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Abs(b)+floor }

var weights = []pref.Weight{pref.Pairs, pref.Size, pref.Edges}

func partition(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

func dense(p gen.Problem) *data.Dense {
	return &data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}
}

func csr(d *data.Dense) *data.CSR {
	return gen.Sparse(d, func(i, j int, v float64) bool { return v != 0 || (i+j)%5 == 0 /* some zeros are stored */ })
}

// problem is a random problem; some have coarse features, whose stumps tie.
func problem(r *rand.Rand) gen.Problem {
	p := gen.New(r, gen.Options{MaxFeatures: 8})
	if r.IntN(2) == 0 {
		for i, v := range p.X {
			p.X[i] = math.Round(v)
		}
	}
	return p
}

func train(t *testing.T, x data.Matrix, y []float64, queries *data.Partition, rounds int,
	w pref.Weight) *rankboost.Fit {
	t.Helper()
	fit, err := rankboost.Train(t.Context(), x, y, queries, rankboost.Options{Rounds: rounds, Weight: w})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

func scores(fit *rankboost.Fit, x data.Matrix) []float64 {
	m, _ := x.Dims()
	f := make([]float64, m)
	fit.Stumps.ScoreTo(f, x)
	return f
}

// sameStumps returns how two rankers differ, with weights compared up to rounding.
func sameStumps(a, b []model.Stump) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d stumps and %d", len(a), len(b))
	}
	for k := range a {
		if a[k].Feature != b[k].Feature || a[k].Threshold != b[k].Threshold || !near(a[k].Weight, b[k].Weight) {
			return fmt.Errorf("stump %d is %+v and %+v", k+1, a[k], b[k])
		}
	}
	return nil
}

// The stumps, weights, Z and loss are those of boosting over explicit pairs, for
// dense rows and, to the byte, for sparse ones.
func TestTrainIsBoostingOverPairs(t *testing.T) {
	const rounds = 12
	r := rand.New(rand.NewPCG(1, 1))
	ended := 0
	for k := range 1000 {
		p, w := problem(r), weights[k%3]
		fit := train(t, dense(p), p.Y, partition(p), rounds, w)
		pairs := naive.Pairs(p.Y, p.Query, "unit", "exclude", string(w))
		want, loss := naive.RankBoost(p.X, p.N, pairs, rounds)
		terms := make([]model.Stump, len(want))
		product := 1.0
		for a, s := range want {
			terms[a] = model.Stump{Feature: s.Feature, Threshold: s.Threshold, Weight: s.Weight}
			product *= s.Z
			if a < len(fit.Loss) && (!near(fit.Loss[a], product) || !near(fit.Loss[a], loss[a])) {
				t.Fatalf("problem %d: loss %v after round %d, want %v = %v", k, fit.Loss[a], a+1, product, loss[a])
			}
		}
		if err := sameStumps(fit.Stumps.Terms, terms); err != nil {
			t.Fatalf("problem %d, %s: %v, from explicit pairs", k, w, err)
		}
		if fit.Exhausted != (len(want) < rounds) || len(fit.Loss) != len(want) || fit.Pairs != float64(len(pairs)) {
			t.Fatalf("problem %d: %v, %d losses, %v pairs; want %d rounds, %d pairs",
				k, fit.Exhausted, len(fit.Loss), fit.Pairs, len(want), len(pairs))
		}
		if fit.Exhausted {
			ended++
		}
		if sparse := train(t, csr(dense(p)), p.Y, partition(p), rounds, w); !reflect.DeepEqual(sparse, fit) {
			t.Fatalf("problem %d: sparse rows give %+v, dense rows %+v", k, sparse, fit)
		}
	}
	t.Logf("%d problems ended early", ended)
}

// Theorem 1: the share of the pairs that are not ordered correctly is at most the
// loss, which falls from round to round.
func TestLossBoundsWrongPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for k := range 300 {
		p, w := problem(r), weights[k%3]
		fit := train(t, dense(p), p.Y, partition(p), 20, w)
		f := make([]float64, p.M)
		for round, loss := range fit.Loss {
			fit.Stumps.Part(round, round+1).AddTo(f, dense(p))
			if wrong := notRight(p, f, w); wrong > loss+tolerance {
				t.Fatalf("problem %d: %v wrong after round %d, loss %v", k, wrong, round+1, loss)
			}
			if loss >= 1 || round > 0 && loss >= fit.Loss[round-1] {
				t.Fatalf("problem %d: the loss does not fall: %v", k, fit.Loss[:round+1])
			}
		}
		if round := len(fit.Loss); round > 0 && !slices.Equal(f, scores(fit, dense(p))) {
			t.Fatalf("problem %d: %d parts do not add up to the whole", k, round)
		}
	}
}

// notRight is the share of the pairs by weight that are tied or ordered wrongly.
func notRight(p gen.Problem, f []float64, w pref.Weight) float64 {
	all, wrong := 0.0, 0.0
	for _, pair := range naive.Pairs(p.Y, p.Query, "unit", "exclude", string(w)) {
		all += pair.Weight
		if (f[pair.I]-f[pair.J])*pair.Target <= 0 {
			wrong += pair.Weight
		}
	}
	return wrong / all
}
