package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/pref"
)

// made is queries of four rows whose labels are linear in the features.
func made(queries int, seed uint64) *data.Set {
	random := rand.New(rand.NewPCG(seed, 1))
	s := &data.Set{HasQID: true}
	x := data.NewDense(4*queries, 3, nil)
	var of []int32
	var names []string
	for i := range x.Rows {
		row := x.Row(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		if i%4 == 0 {
			names = append(names, string(rune('a'+i/4)))
		}
		s.Y, of = append(s.Y, row[0]-2*row[1]), append(of, int32(i/4))
	}
	s.X, s.Queries = x, data.NewQueries(of, names)
	return s
}

// TestTrainTakesTheBestOption has the options of the least held-out criterion, as training with each alone says.
func TestTrainTakesTheBestOption(t *testing.T) {
	s := Split{Test: made(5, 3), Options: func(o *pairrank.Options) { o.Metric = &metric.Disagreement }}
	s.Set, s.Valid = made(6, 1), made(6, 2)
	worse := pairrank.Options{Lambdas: []float64{1, 2},
		Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Unit}}}
	s.Set.Y[0] = -1e6 // a single label that turns the magnitudes round, and not the signs
	l := Learner{Name: "two", Options: []pairrank.Options{{Lambdas: []float64{1, 2}}, worse}}
	best, least := -1, math.Inf(1)
	for k, o := range l.Options {
		alone, err := Learner{Options: []pairrank.Options{o}}.Train(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if c := alone.Choice.Chosen().Criterion(&metric.Disagreement); c < least {
			best, least = k, c
		}
	}
	got, err := l.Train(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if best != 1 || got.Option != best || len(got.Scores) != len(s.Test.Y) {
		t.Errorf("option %d with %d scores, not %d", got.Option, len(got.Scores), best)
	}
}

// TestRun gives every learner every split, and leaves the options and labels of both as they are.
func TestRun(t *testing.T) {
	splits := make([]Split, 2)
	for k := range splits {
		splits[k].Set, splits[k].Test = made(6, uint64(k)), made(3, 9)
		splits[k].Options = func(o *pairrank.Options) { o.Lambdas = []float64{1e-3} }
	}
	y := slices.Clone(splits[0].Set.Y)
	learners := []Learner{
		{Name: "a", Options: []pairrank.Options{{}}},
		{Name: "b", Options: []pairrank.Options{{Learner: pairrank.LeastSquares{Regression: true}}}, Prepare: Centre},
	}
	var seen [][2]int
	err := Run(t.Context(), learners, splits, func(l, k int, trained *Trained) error {
		seen = append(seen, [2]int{l, k})
		means, queries, err := Values(splits[k].Test, trained.Scores, []metric.Metric{metric.Disagreement},
			metric.Options{})
		if err == nil && (len(queries[0]) != 3 || means[0] > 0.2) {
			t.Errorf("learner %d, split %d: disagreement %v of %d queries", l, k, means, len(queries[0]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}; !slices.Equal(seen, want) {
		t.Errorf("%v, not %v", seen, want)
	}
	if learners[0].Options[0].Lambdas != nil || !slices.Equal(y, splits[0].Set.Y) {
		t.Error("the options or the labels were changed")
	}
}
