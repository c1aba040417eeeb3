package metric

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
)

// pairMetrics are those that weights are for.
var pairMetrics = []Metric{Disagreement, PooledDisagreement, DisagreementError, Concordance, AUC, PooledAUC, TauB}

// weighed is inputOf with weights: of kind 0 ones, 1 whole numbers that may be 0, 2 any numbers.
func weighed(r *rand.Rand, kind, levels int) Input {
	in := inputOf(r, 6, 12, levels)
	in.Weights = make([]float64, len(in.Labels))
	for i := range in.Weights {
		in.Weights[i] = []float64{1, float64(r.IntN(4)), r.ExpFloat64()}[kind]
	}
	return in
}

// copied has each row as often as its whole weight says.
func copied(in Input) Input {
	var out Input
	var of []int32
	for i, w := range in.Weights {
		for range int(w) {
			out.Labels, out.Scores = append(out.Labels, in.Labels[i]), append(out.Scores, in.Scores[i])
			of = append(of, in.Queries.Of()[i])
		}
	}
	out.Queries = data.NewPartition(of, in.Queries.Len())
	return out
}

func evaluated(t *testing.T, in Input, o Options) []Value {
	t.Helper()
	report, err := Evaluate(in, pairMetrics, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []Value
	for _, r := range report.Results {
		out = append(out, r.Mean)
	}
	for _, q := range report.PerQuery {
		out = append(out, q.Values...)
	}
	return out
}

// TestWeights compares each metric of pairs with what weights mean: ones are the bytes of none, a whole weight is as
// many copies, which tie with each other, and a factor of all weights changes nothing.
func TestWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	two := 2.0
	for trial := range 600 {
		o := Options{}
		levels := 2
		if trial%2 == 0 {
			o.MinRelevant, levels = &two, 4+20*r.IntN(2)
		}
		in := weighed(r, trial%3, levels)
		got := evaluated(t, in, o)
		switch trial % 3 {
		case 0:
			none := in
			none.Weights = nil
			if want := evaluated(t, none, o); !slices.Equal(got, want) {
				t.Fatalf("weights of 1 give %v, none %v", got, want)
			}
		case 1:
			for k, want := range evaluated(t, copied(in), o) {
				// τ-b also counts the pairs of copies, which are tied in both and so in none of its terms
				if got[k].Defined != want.Defined || !near(got[k].Value, want.Value) {
					t.Fatalf("%s: %v by weights %v, %v by copies", pairMetrics[k%len(pairMetrics)], got[k], in.Weights, want)
				}
			}
		}
		for _, by := range []float64{0x1p-30, 3, 1e-200, 1e200} {
			scaled := in
			scaled.Weights = slices.Clone(in.Weights)
			for i := range scaled.Weights {
				scaled.Weights[i] *= by
			}
			for k, v := range evaluated(t, scaled, o) {
				if v.Defined != got[k].Defined || !near(v.Value, got[k].Value) {
					t.Fatalf("weights times %v change a metric from %v to %v", by, got[k], v)
				}
			}
		}
	}
}

// TestWeightedDefinition compares any weights with sums over pairs.
func TestWeightedDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 400 {
		in := weighed(r, 2, 3)
		report, err := Evaluate(in, []Metric{PooledDisagreement, Disagreement}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		wrong, all, sum, queries := 0.0, 0.0, 0.0, 0.0
		for g := range in.Queries.Len() {
			w, n := 0.0, 0.0
			for _, i := range in.Queries.Part(g) {
				for _, j := range in.Queries.Part(g) {
					v := in.Weights[i] * in.Weights[j]
					if in.Labels[i] <= in.Labels[j] {
						continue
					}
					n += v
					switch {
					case in.Scores[i] < in.Scores[j]:
						w += v
					case in.Scores[i] == in.Scores[j]:
						w += v / 2
					}
				}
			}
			if wrong, all = wrong+w, all+n; n > 0 {
				sum, queries = sum+w/n, queries+1
			}
		}
		for k, want := range []float64{wrong / all, sum / queries} {
			if got := report.Results[k].Mean; got.Defined != (all > 0) || got.Defined && !near(got.Value, want) {
				t.Fatalf("%s: %v, want %v", report.Results[k].Metric, got, want)
			}
		}
	}
}

// Metrics of positions take no weights, and weights are finite and at least 0.
func TestWeightsRefused(t *testing.T) {
	in := Input{Labels: []float64{1, 0, 1}, Scores: []float64{1, 2, 3}, Weights: []float64{1, 2, 1}}
	var refused *weightsError
	for _, m := range []Metric{NDCG, NDCGAt(3), MAP, MRR, PrecisionAt(2), RecallAt(2), ERR} {
		if _, err := Evaluate(in, []Metric{m}, Options{}); !errors.As(err, &refused) || refused.Metric != m {
			t.Errorf("%s: %v", m, err)
		}
	}
	for _, w := range []float64{-1, math.NaN(), math.Inf(1)} {
		in.Weights = []float64{1, 2, w}
		var row *RowError
		if _, err := Evaluate(in, []Metric{Disagreement}, Options{}); !errors.As(err, &row) || row.Row != 2 {
			t.Errorf("weight %v: %v", w, err)
		}
	}
}
