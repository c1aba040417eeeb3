package metric

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
)

// timedPair is a pair that counts: its rows, the shorter first, what it weighs, and how much of it is in order.
type timedPair struct {
	i, j     int
	w, right float64
}

// naivePairs are the pairs of a metric of times by its definition; a stratum has a G of its own.
func naivePairs(m Metric, in Input, of []int32) (pairs []timedPair) {
	until, beyond := m.Horizon()
	for i, t := range in.Labels {
		if in.Censored[i] || t > until {
			continue
		}
		g := 1.0
		left := map[float64]bool{}
		for k, u := range in.Labels {
			if u >= t || of[k] != of[i] || !in.Censored[k] || left[u] {
				continue
			}
			left[u] = true
			risk, now := 0.0, 0.0
			for l, v := range in.Labels {
				if of[l] == of[i] && in.Censored[l] && v == u {
					now++
				}
				if of[l] == of[i] && (v > u || v == u && in.Censored[l]) {
					risk++
				}
			}
			g *= 1 - now/risk
		}
		for j, u := range in.Labels {
			if of[i] != of[j] || !(t < u || t == u && in.Censored[j]) || beyond && u <= until {
				continue
			}
			p := timedPair{i, j, 1, 0}
			if beyond {
				p.w = 1 / g
			} else if strings.HasPrefix(m.String(), "uno-c") {
				p.w = 1 / (g * g)
			}
			if in.Scores[i] < in.Scores[j] {
				p.right = 1
			} else if in.Scores[i] == in.Scores[j] {
				p.right = 0.5
			}
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// Strata are pooled, wherever their rows stand, and units have the pairs that one of their rows is in.
func TestTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	metrics, err := ParseList("c-index,uno-c,c-index@3,uno-c@3,time-auc@3,c-index@5.5,time-auc@5.5,time-auc@100")
	if err != nil {
		t.Fatal(err)
	}
	defined := make([]int, len(metrics))
	for try := range 300 {
		m, q := rng.IntN(30), 1+rng.IntN(4)
		in, of := Input{Labels: make([]float64, m), Scores: make([]float64, m), Censored: make([]bool, m)}, make([]int32, m)
		for i := range m {
			in.Labels[i], in.Scores[i] = float64(rng.IntN(8)), float64(rng.IntN(5))
			in.Censored[i], of[i] = try%2 == 0 && rng.IntN(2) == 0, int32(rng.IntN(q))
		}
		in.Queries = data.NewQueries(of, []string{"a", "b", "c", "d"}[:q])
		r, err := Evaluate(in, metrics, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j, metric := range metrics {
			sum := Term{}
			for _, p := range naivePairs(metric, in, of) {
				sum = Term{sum.Num + p.w*p.right, sum.Den + p.w}
			}
			want, got := sum.Value(), r.Results[j].Mean
			if got.Defined != want.Defined || math.Abs(got.Value-want.Value) > 1e-13 {
				t.Fatalf("%s is %v, and %v by hand", metric, got, want)
			}
			if got.Defined {
				defined[j]++
			}
		}
		checkUnits(t, metrics, in, of)
	}
	for j, n := range defined {
		if n < 100 != (j == len(defined)-1) || n > 0 && j == len(defined)-1 {
			t.Errorf("%s is defined %d times", metrics[j], n)
		}
	}
}

// checkUnits takes the queries for units of one stratum.
func checkUnits(t *testing.T, metrics []Metric, in Input, of []int32) {
	e, err := NewEvaluator(metrics, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetQuery(Query{Labels: in.Labels, Censored: in.Censored, Units: in.Queries}); err != nil {
		t.Fatal(err)
	}
	v := len(metrics)
	terms := make([]Term, (1+in.Queries.Len())*v)
	if err := e.TermsTo(terms, in.Scores); err != nil {
		t.Fatal(err)
	}
	want := make([]Term, len(terms))
	for j, metric := range metrics {
		for _, p := range naivePairs(metric, in, make([]int32, len(of))) {
			for at := range want {
				if unit := int32(at/v) - 1; at%v == j && (unit < 0 || of[p.i] == unit || of[p.j] == unit) {
					want[at] = Term{want[at].Num + p.w*p.right, want[at].Den + p.w}
				}
			}
		}
	}
	for at, w := range want {
		if math.Abs(terms[at].Num-w.Num) > 1e-11 || math.Abs(terms[at].Den-w.Den) > 1e-11 {
			t.Fatalf("%s of unit %d: %v, want %v", metrics[at%v], at/v-1, terms[at], w)
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
