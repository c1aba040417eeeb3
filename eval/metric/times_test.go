package metric

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
)

// naiveCIndex counts the comparable pairs of all strata by their definition.
func naiveCIndex(in Input, of []int32) (right, pairs float64) {
	for i, t := range in.Labels {
		for j, u := range in.Labels {
			if of[i] != of[j] || in.Censored[i] || !(t < u || t == u && in.Censored[j]) {
				continue
			}
			pairs++
			switch {
			case in.Scores[i] < in.Scores[j]:
				right++
			case in.Scores[i] == in.Scores[j]:
				right += 0.5
			}
		}
	}
	return right, pairs
}

// Strata are pooled, wherever their rows stand, and Uno's weights are 1 without censoring.
func TestTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for try := range 300 {
		m, q := rng.IntN(30), 1+rng.IntN(4)
		in, of := Input{Labels: make([]float64, m), Scores: make([]float64, m), Censored: make([]bool, m)}, make([]int32, m)
		for i := range m {
			in.Labels[i], in.Scores[i] = float64(rng.IntN(8)), float64(rng.IntN(5))
			in.Censored[i], of[i] = try%2 == 0 && rng.IntN(2) == 0, int32(rng.IntN(q))
		}
		in.Queries = data.NewQueries(of, []string{"a", "b", "c", "d"}[:q])
		r, err := Evaluate(in, Timed(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		right, pairs := naiveCIndex(in, of)
		c, uno := r.Results[0].Mean, r.Results[1].Mean
		if c.Defined != (pairs > 0) || c.Defined && math.Abs(c.Value-right/pairs) > 1e-15 {
			t.Fatalf("c-index %v, and %v of %v pairs by hand", c, right, pairs)
		}
		if uno.Defined != c.Defined || try%2 == 1 && math.Abs(uno.Value-c.Value) > 1e-15 {
			t.Fatalf("uno-c %v, c-index %v", uno, c)
		}
	}
}

// A metric is of times or of labels, and a score of NaN is an error with its row.
func TestTimesAreNoLabels(t *testing.T) {
	in := Input{Labels: []float64{1, 2, 3}, Scores: []float64{1, math.NaN(), 3}, Censored: []bool{false, false, true}}
	var row *RowError
	if _, err := Evaluate(in, Timed(), Options{}); !errors.As(err, &row) || row.Row != 1 {
		t.Error(err)
	}
	if _, err := Evaluate(in, []Metric{UnoC, MAP}, Options{}); err == nil || !strings.Contains(err.Error(), "map does") {
		t.Error(err)
	}
	in.Censored = nil
	_, err := Evaluate(in, []Metric{TauB, CIndex}, Options{})
	if err == nil || !strings.Contains(err.Error(), "c-index is") {
		t.Error(err)
	}
	if _, err := Evaluate(in, []Metric{CIndex}, Options{Style: TREC}); err == nil {
		t.Error("trec_eval has no c-index")
	}
}
