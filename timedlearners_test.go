package pairrank

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/kernel"
	"pairrank/pref"
)

// timedLearners learn from censored times.
var timedLearners = []Learner{LeastSquares{}, RankSVM{Epsilon: 1e-6}, RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-6,
	Weight: pref.Edges}, RankBoost{Rounds: []int{3, 9}}}

// withoutParts is 1 − C over the comparable pairs within the parts, by the weights of the rows, and their number, of
// models trained on the rows of the other parts.
func withoutParts(t *testing.T, set *data.Set, parts *data.Partition, o Options) (wrong float64, pairs int64) {
	t.Helper()
	sum, all, n := 0.0, 0.0, int64(0)
	for g := range parts.Len() {
		var train []int
		for i := range set.Y {
			if parts.Of()[i] != int32(g) {
				train = append(train, i)
			}
		}
		some := set.Subset(train)
		some.Folds = nil
		result, err := Train(t.Context(), Problem{Set: some}, o)
		if err != nil && !errors.Is(err, goals.ErrNothingToLearn) {
			t.Fatal(err)
		}
		score := func(i int32) float64 {
			if err != nil {
				return 0
			}
			return result.Model.ScoreRow(set.X.(*data.Dense).Row(int(i)))
		}
		for _, i := range parts.Part(g) {
			for _, j := range parts.Part(g) {
				if set.Censored[i] || !(set.Y[i] < set.Y[j] || set.Y[i] == set.Y[j] && set.Censored[j]) {
					continue
				}
				weight := 1.0
				if set.Weights != nil {
					weight = set.Weights[i] * set.Weights[j]
				}
				n, all = n+1, all+weight
				switch d := score(i) - score(j); {
				case math.Abs(d) < 1e-9:
					sum += weight / 2
				case d > 0:
					sum += weight
				}
			}
		}
	}
	return sum / all, n
}

// TestTimesHeldOutOfLearners compares the held-out error of every candidate, by folds and by strata, with that of
// models trained without them.
func TestTimesHeldOutOfLearners(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 7))
	for _, l := range timedLearners[1:] {
		for _, strata := range []int{1, 6} {
			set := timedSet(r, 60, 3, strata)
			o := EstimateOptions{Options: Options{Learner: l}, Intervals: cv.IntervalsNone}
			boost, boosts := l.(RankBoost)
			if !boosts {
				o.Lambdas = []float64{0.01, 1}
			}
			parts := set.Queries
			if strata == 1 {
				set.Folds = data.NewPartition(foldsOf(r, 60, 4), 4)
				parts = set.Folds
			} else {
				o.Method = &cv.Method{Kind: cv.LeaveQueryOut}
			}
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			for k, p := range e.Choice.Kernels[0].Outputs[0].Points {
				one := o.Options
				if boosts {
					one.Learner = RankBoost{Rounds: boost.Rounds[k : k+1]}
				} else {
					one.Lambdas = o.Lambdas[k : k+1]
				}
				if wrong, pairs := withoutParts(t, set, parts, one); p.Pairs != pairs || math.Abs(p.Error-wrong) > 1e-12 {
					t.Errorf("%s, %d strata, %v: error %v over %d pairs, want %v over %d", l.Name(), strata, p.Candidate,
						p.Error, p.Pairs, wrong, pairs)
				}
			}
		}
	}
}

// TestTimesNested: nested estimates, intervals, halves and kernels of learners without a shortcut on censored times.
func TestTimesNested(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 8))
	for _, l := range timedLearners[1:] {
		set := timedSet(r, 40, 2, 1)
		o := EstimateOptions{Options: Options{Learner: l}, Nested: &cv.Method{Kind: cv.KFold, Folds: 4}}
		if svm, is := l.(RankSVM); is {
			svm.Epsilon = 0
			o.Learner, o.Lambdas = svm, []float64{0.01, 1}
			o.Kernels = []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.5}}
		}
		e, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Nested == nil || !(e.Nested.Error < 0.4) {
			t.Errorf("%s: nested %+v", l.Name(), e.Nested)
		}
	}
}

// TestTimesImportance: the importance of a feature is the error of an estimate without it.
func TestTimesImportance(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 9))
	for _, l := range timedLearners {
		set := timedSet(r, 60, 3, 1)
		set.Folds = data.NewPartition(foldsOf(r, 60, 4), 4)
		o := EstimateOptions{Options: Options{Learner: l}, Intervals: cv.IntervalsNone, Importance: true}
		if boost, boosts := l.(RankBoost); boosts {
			o.Learner = RankBoost{Rounds: boost.Rounds[:1]}
		} else {
			o.Lambdas = []float64{0.1}
		}
		e, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatalf("%s: %v", l.Name(), err)
		}
		importance, err := e.Importance(t.Context(), 0)
		if err != nil {
			t.Fatalf("%s: %v", l.Name(), err)
		}
		for _, f := range importance.Features {
			others := []int{}
			for j := range 3 {
				if j != f.Feature {
					others = append(others, j)
				}
			}
			some := *set
			some.X = data.SelectColumns(set.X, others)
			if wrong, _ := withoutParts(t, &some, set.Folds, o.Options); math.Abs(f.Value-wrong) > 1e-12 {
				t.Errorf("%s: error %v without feature %d, want %v", l.Name(), f.Value, f.Feature, wrong)
			}
		}
		if first := importance.Features[0]; first.Feature != 0 {
			t.Errorf("%s: feature %d is the most important", l.Name(), first.Feature)
		}
	}
}

// TestTimesOfEventsAreLabels: times without a censored row give the model of labels.
func TestTimesOfEventsAreLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 10))
	for _, l := range timedLearners {
		timed := timedSet(r, 40, 3, 4)
		timed.Censored = make([]bool, 40)
		labels := *timed
		labels.Censored = nil
		o := Options{Learner: l, Lambdas: []float64{0.5}}
		of := o
		switch l.(type) {
		case RankBoost:
			o.Lambdas, of.Lambdas = nil, nil
		case LeastSquares:
			of.Learner = LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}
		}
		a, err := Train(t.Context(), Problem{Set: timed}, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Train(t.Context(), Problem{Set: &labels}, of)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := a.Model.Score(timed)
		y, _ := b.Model.Score(timed)
		for i := range x {
			if math.Abs(x[i]-y[i]) > 1e-9*(1+math.Abs(y[i])) || a.Training.Pairs != b.Training.Pairs {
				t.Fatalf("%s: score %v of row %d, of labels %v; %v and %v pairs", l.Name(), x[i], i, y[i], a.Training.Pairs,
					b.Training.Pairs)
			}
		}
	}
}

// Selections of features refuse times, with the reason.
func TestTimesNotSelected(t *testing.T) {
	set := timedSet(rand.New(rand.NewPCG(44, 11)), 20, 3, 1)
	_, err := Train(t.Context(), Problem{Set: set}, Options{Learner: Greedy{Features: 1}})
	var of *fault.Error
	if !errors.As(err, &of) || of.Code != codes.FaultTimes {
		t.Errorf("%v", err)
	}
}

// TestTimesFoldsAgain: folds of many rows under a kernel are trained again at one λ, also with weights and of separate
// rows, and their error is that of models that were trained without them.
func TestTimesFoldsAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("2,100 rows")
	}
	r := rand.New(rand.NewPCG(49, 2))
	set := timedSet(r, 2100, 3, 1)
	for range set.Y {
		set.Weights = append(set.Weights, 0.5+r.Float64())
	}
	set.Folds = data.NewPartition(foldsOf(r, 2100, 3), 3)
	one := Options{Lambdas: []float64{1}, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}}}
	e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Options: one, Intervals: cv.IntervalsNone})
	if err != nil {
		t.Fatal(err)
	}
	p := e.Choice.Kernels[0].Outputs[0].Points[0]
	if wrong, pairs := withoutParts(t, set, set.Folds, one); !e.Choice.Retrained || p.Pairs != pairs ||
		math.Abs(p.Error-wrong) > 1e-12 {
		t.Errorf("retrained: %v, error %v over %d pairs, want %v over %d", e.Choice.Retrained, p.Error, p.Pairs, wrong, pairs)
	}
}
