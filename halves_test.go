package pairrank

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
)

// Halves whose folds are retrained are the same for any number of threads, and do not change the notes of the
// estimate. In a list each fold has two rows.
func TestHalvesOfTrainedFolds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, o := range trainedFolds() {
		for _, set := range []*data.Set{made(60, 6, 12, 5), made(24, 6, 1, 5)} {
			if o.Method = (&cv.Method{Kind: cv.KFold, Folds: 5}); set.Queries.Len() == 1 {
				o.Method.Folds, o.Nested = 12, nil
			} else if name == "ranksvm" {
				o.Lambdas = []float64{0.01, 1} // the list has the 31 of the default
			}
			var halves [2]*cv.Halves
			var notes [3]string
			for k, threads := range []int{1, 3, 1} {
				runtime.GOMAXPROCS(threads)
				if o.Intervals = cv.IntervalsHalves; k == 2 {
					o.Intervals = cv.IntervalsNone
				}
				e, err := Estimate(t.Context(), Problem{Set: set}, o)
				if err != nil {
					t.Fatal(name, err)
				}
				if notes[k] = fmt.Sprint(e.Notes); k < 2 {
					halves[k] = e.Halves
				}
			}
			if halves[0] == nil || halves[0].Half[0] == 0 || !reflect.DeepEqual(halves[0], halves[1]) {
				t.Errorf("%s, %d queries: %+v on one thread, %+v on three", name, set.Queries.Len(), halves[0],
					halves[1])
			}
			if notes[0] != notes[2] || notes[1] != notes[2] {
				t.Errorf("%s, %d queries: notes %q with halves, without %q", name, set.Queries.Len(), notes[:2],
					notes[2])
			}
		}
	}
}

// Halves that would take long are left out, with a note, unless they are requested.
func TestHalvesWithinTheBudget(t *testing.T) {
	set, few := made(60, 6, 12, 5), &cv.Method{Kind: cv.KFold, Folds: 2}
	for name, c := range map[string]struct {
		learner Learner
		quick   bool
	}{
		"few rounds":  {RankBoost{Rounds: []int{10}}, true},
		"many rounds": {RankBoost{Rounds: []int{1_000_000}}, false},
		"many λ":      {RankSVM{}, true},
	} {
		tk, err := prepared(&Problem{Set: set}, EstimateOptions{Options: Options{Learner: c.learner, Method: few}},
			true)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := tk.prepareEstimate(); err != nil {
			t.Fatal(name, err)
		}
		s := newSource(tk)
		candidates, err := s.learner.candidates(s.trainer, nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		points := &cv.Estimate{Points: make([]cv.Point, len(candidates)), Retrained: true}
		e := cv.KernelEstimate{Candidates: candidates, Method: *few, Outputs: []*cv.Estimate{points}}
		work := s.Parts(&procedure.Choice{Choice: procedure.NewChoice([]cv.KernelEstimate{e}, 0)}).Work
		if work <= 0 || (work <= holdout.HalvesBudget) != c.quick {
			t.Errorf("%s: %.2g multiplications", name, work)
		}
	}
}

// The interval of an estimate uses the standard error if that is over the queries or rows that are split, else
// the halves alone. The interval is within [0,1] and contains the error.
func TestIntervalSources(t *testing.T) {
	queries, list := made(96, 5, 12, 3), made(40, 5, 1, 4)
	two := func(set *data.Set, at float64) *data.Set {
		c := *set
		c.Y = make([]float64, len(set.Y))
		for i, v := range set.Y {
			if v > at {
				c.Y[i] = 1
			}
		}
		return &c
	}
	easy := made(30, 5, 1, 5)
	for i := range easy.Y {
		easy.Y[i] = float64(i % 2)
		easy.X.(*data.Dense).Row(i)[2] = 100 * easy.Y[i]
	}
	for name, c := range map[string]struct {
		set    *data.Set
		method *cv.Method
		want   cv.VarianceSource
	}{
		"queries":           {queries, nil, cv.VarianceHalves},
		"folds of queries":  {queries, &cv.Method{Kind: cv.KFold, Folds: 4}, cv.VarianceHalves},
		"list":              {list, nil, cv.VarianceGiven},
		"two labels":        {two(list, 0), nil, cv.VarianceHalves},
		"error 0":           {easy, nil, cv.VarianceHalves},
		"list, each row":    {list, &cv.Method{Kind: cv.LeaveOneOut}, cv.VarianceHalves},
		"folds of the list": {list, &cv.Method{Kind: cv.KFold, Folds: 5}, cv.VarianceHalves},
	} {
		p := Problem{Set: c.set}
		e, err := Estimate(t.Context(), p, EstimateOptions{Options: Options{Method: c.method, Lambdas: []float64{1,
			16}}})
		if err != nil {
			t.Fatal(name, err)
		}
		if e.Halves == nil {
			t.Fatalf("%s: no halves, notes %v", name, e.Notes)
		}
		point := e.Choice.Chosen().Outputs[0]
		best := point.Points[point.Best]
		i, source := e.Interval(0), e.IntervalSource(0)
		if source != c.want || !i.Defined || !(0 <= i.Lo && i.Lo <= best.Error && best.Error <= i.Hi && i.Hi <= 1) {
			t.Errorf("%s: error %v, interval %+v, variance of %q, want of %q", name, best.Error, i, source, c.want)
		}
		if name == "error 0" && (best.Error != 0 || i.Lo != 0 || i.Hi < 0.05) {
			t.Errorf("%s: error %v, interval %+v", name, best.Error, i)
		}
	}
	none, err := Estimate(t.Context(), Problem{Set: list}, EstimateOptions{Options: Options{Lambdas: []float64{1}},
		Intervals: cv.IntervalsNone})
	if err != nil || none.Interval(0).Defined || none.IntervalSource(0) != "" {
		t.Errorf("without halves: %v, %v, %q", err, none.Interval(0), none.IntervalSource(0))
	}
}
