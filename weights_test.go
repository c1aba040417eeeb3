package pairrank_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/pref"
)

// weightedSet is m rows of two labels with whole weights from 0 to 3, and the set with each row as often, in groups.
func weightedSet(t *testing.T, m int, seed uint64) (weighted, copies *data.Set) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var x, more [][]float64
	var y, w, ys []float64
	var of []int32
	for i := range m {
		row := []float64{r.NormFloat64(), r.NormFloat64()}
		label, weight := float64(i%2), float64((i/2)%4)
		row[0] += label
		x, y, w = append(x, row), append(y, label), append(w, weight)
		for range int(weight) {
			more, ys, of = append(more, row), append(ys, label), append(of, int32(i))
		}
	}
	weighted, err := pairrank.Rows(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if copies, err = pairrank.Rows(more, ys, nil); err != nil {
		t.Fatal(err)
	}
	weighted.Weights = w
	copies.Groups = data.NewPartition(of, m)
	return weighted, copies
}

// A row of a whole weight is as many copies that leave together, under weights by pairs and by size, in the model and
// in the errors of leaving out pairs; and a row of weight 0 is none.
func TestWeightsAreCopies(t *testing.T) {
	for _, weight := range []pref.Weight{pref.Pairs, pref.Size} {
		for seed := range uint64(5) {
			weighted, copies := weightedSet(t, 24, seed)
			o := pairrank.EstimateOptions{Options: pairrank.Options{Lambdas: []float64{0.5, 3}},
				Intervals: cv.IntervalsNone}
			o.Learner = pairrank.LeastSquares{Pairs: pref.Options{Weight: weight}}
			e := estimate(t, weighted, o)
			c := estimate(t, copies, o)
			absent := estimate(t, weighted.Subset(present(weighted.Weights)), o)
			for l, p := range e.Choice.Chosen().Outputs[0].Points {
				q, r := c.Choice.Chosen().Outputs[0].Points[l], absent.Choice.Chosen().Outputs[0].Points[l]
				if math.Abs(p.Error-q.Error) > 1e-12 || p.Error != r.Error || p.Pairs != r.Pairs {
					t.Errorf("%s, λ %v: %v of weights, %v of copies, %v without rows of weight 0", weight, p.Candidate,
						p.Error, q.Error, r.Error)
				}
			}
			if e.Rows != absent.Rows || e.Weight != float64(len(copies.Y)) {
				t.Errorf("%d rows of weight %v", e.Rows, e.Weight)
			}
		}
	}
}

// Weights that are none are errors that name the row, as are those beside preferences; weights that are all 1 are none.
func TestWeightsAreChecked(t *testing.T) {
	weighted, _ := weightedSet(t, 12, 1)
	o := pairrank.EstimateOptions{Options: pairrank.Options{Lambdas: []float64{1}}, Intervals: cv.IntervalsNone}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		set := *weighted
		set.Weights = slices.Clone(set.Weights)
		set.Weights[4] = bad
		if _, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: &set}, o); err == nil ||
			!strings.Contains(err.Error(), "row 5") {
			t.Errorf("weight %v: %v", bad, err)
		}
	}
	set := *weighted
	for _, wrong := range [][]float64{make([]float64, 12), {1, 2}} {
		set.Weights = wrong
		if _, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: &set}, o); err == nil {
			t.Errorf("weights %v are accepted", wrong)
		}
	}
	if _, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: weighted,
		Preferences: []pref.Edge{{I: 0, J: 1, Weight: 1}}}, o); err == nil {
		t.Error("weights beside preferences are accepted")
	}
	ones := *weighted
	ones.Weights = slices.Repeat([]float64{1}, 12)
	plain := ones
	plain.Weights = nil
	if e, p := estimate(t, &ones, o), estimate(t, &plain, o); e.Weight != 0 ||
		e.Choice.Chosen().Error() != p.Choice.Chosen().Error() {
		t.Errorf("weights of 1: %v, without: %v", e.Choice.Chosen().Error(), p.Choice.Chosen().Error())
	}
}

// present are the rows with a weight above 0.
func present(weights []float64) (rows []int) {
	for i, w := range weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

func estimate(t *testing.T, set *data.Set, o pairrank.EstimateOptions) *pairrank.Estimated {
	t.Helper()
	e, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A selection of features by held-out queries takes a row of a whole weight as as many copies, in the model and in the
// error, under weights by pairs and by size; in one list it needs weights by size.
func TestSelectionOfWeightedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 45))
	var x, more [][]float64
	var y, w, ys []float64
	var q, qs []string
	for i := range 48 {
		row := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		label, weight := float64(r.IntN(3)), float64(r.IntN(4))
		row[2] += label
		of := string(rune('a' + i/6))
		x, y, w, q = append(x, row), append(y, label), append(w, weight), append(q, of)
		for range int(weight) {
			more, ys, qs = append(more, row), append(ys, label), append(qs, of)
		}
	}
	rows := func(x [][]float64, y []float64, q []string) *data.Set {
		set, err := pairrank.Rows(x, y, q)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	weighted, copies := rows(x, y, q), rows(more, ys, qs)
	weighted.Weights = w
	for _, learner := range []pairrank.Greedy{{Features: 2}, {Features: 2, Weight: pref.Size},
		{Features: 3, Regression: true, Criterion: "lqo"}} {
		o := pairrank.EstimateOptions{Options: pairrank.Options{Lambdas: []float64{0.5, 3}, Learner: learner},
			Intervals: cv.IntervalsNone}
		a, errA := pairrank.Train(t.Context(), pairrank.Problem{Set: weighted}, o.Options)
		b, errB := pairrank.Train(t.Context(), pairrank.Problem{Set: copies}, o.Options)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !slices.Equal(a.Training.Chosen, b.Training.Chosen) ||
			math.Abs(a.Training.Minimum-b.Training.Minimum) > 1e-8*b.Training.Minimum {
			t.Errorf("%+v: %v with the objective %v, of copies %v with %v", learner, a.Training.Chosen, a.Training.Minimum,
				b.Training.Chosen, b.Training.Minimum)
		}
		if e, c := estimate(t, weighted, o), estimate(t, copies, o); math.Abs(e.Choice.Chosen().Error()-
			c.Choice.Chosen().Error()) > 1e-12 {
			t.Errorf("%+v: error %v, of copies %v", learner, e.Choice.Chosen().Error(), c.Choice.Chosen().Error())
		}
	}
	list := rows(x, y, nil)
	list.Weights = w
	o := pairrank.Options{Lambdas: []float64{1}, Learner: pairrank.Greedy{Features: 2}}
	if _, err := pairrank.Train(t.Context(), pairrank.Problem{Set: list}, o); err == nil ||
		!strings.Contains(err.Error(), "a λ of its own") {
		t.Errorf("one list: %v", err)
	}
	o.Learner = pairrank.Greedy{Features: 2, Weight: pref.Size}
	if _, err := pairrank.Train(t.Context(), pairrank.Problem{Set: list}, o); err != nil {
		t.Errorf("one list by size: %v", err)
	}
}
