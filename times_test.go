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
	"pairrank/pref"
)

// timedSet has m rows whose times, of which some are censored, go with the first feature, in strata.
func timedSet(r *rand.Rand, m, n, strata int) *data.Set {
	s := &data.Set{X: data.NewDense(m, n, nil), Y: make([]float64, m), Censored: make([]bool, m)}
	of := make([]int32, m)
	for i := range m {
		row := s.X.(*data.Dense).Row(i)
		for j := range row {
			row[j] = math.Round(4*r.NormFloat64()) / 4
		}
		s.Y[i] = math.Round(4*math.Exp(row[0]+r.NormFloat64()/2)) / 4
		s.Censored[i] = r.IntN(3) == 0
		of[i] = int32(r.IntN(strata))
	}
	s.Queries, s.HasQID = data.NewPartition(of, strata), strata > 1
	return s
}

// Learners of labels refuse censored times, options say which labels are in their place, and a subset keeps them.
func TestTimesRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 3))
	timed := timedSet(r, 12, 2, 1)
	labels := *timed
	labels.Censored = nil
	if sub := timed.Subset([]int{3, 0}); sub.Censored[0] != timed.Censored[3] || sub.Y[1] != timed.Y[0] {
		t.Errorf("%+v", sub)
	}
	half := 0.5
	for _, l := range []Learner{LeastSquares{Regression: true}, Greedy{}} {
		_, err := Train(t.Context(), Problem{Set: timed}, Options{Learner: l})
		var of *fault.Error
		if !errors.As(err, &of) || of.Code != codes.FaultTimes {
			t.Errorf("%T: %v", l, err)
		}
	}
	with := func(change func(s *data.Set)) *data.Set {
		other := *timed
		change(&other)
		return &other
	}
	of := func(pairs pref.Options) Options { return Options{Learner: LeastSquares{Pairs: pairs}} }
	for name, of := range map[string]struct {
		p Problem
		o Options
	}{
		"valid":         {p: Problem{Set: &labels, Valid: timed}},
		"labels valid":  {p: Problem{Set: timed, Valid: &labels}},
		"preferences":   {p: Problem{Set: timed, Preferences: []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 1}}}},
		"outputs":       {p: Problem{Set: timed, Labels: data.NewDense(12, 2, nil)}},
		"threshold":     {p: Problem{Set: timed}, o: Options{Threshold: &half}},
		"relative":      {p: Problem{Set: timed}, o: of(pref.Options{Cost: pref.Relative})},
		"ties":          {p: Problem{Set: timed}, o: of(pref.Options{Ties: "include"})},
		"weights":       {p: Problem{Set: &labels}, o: of(pref.Options{CensoringWeights: true})},
		"marks":         {p: Problem{Set: with(func(s *data.Set) { s.Censored = s.Censored[1:] })}},
		"below 0":       {p: Problem{Set: with(func(s *data.Set) { s.Y = append([]float64{-1}, s.Y[1:]...) })}},
		"no event":      {p: Problem{Set: with(func(s *data.Set) { s.Censored = marked(12, 12) })}},
		"all tied":      {p: Problem{Set: with(func(s *data.Set) { s.Y, s.Censored = make([]float64, 12), marked(12, 0) })}},
		"last events":   {p: Problem{Set: with(func(s *data.Set) { s.Y, s.Censored = ramp(12), marked(12, 11) })}},
		"tied in marks": {p: Problem{Set: with(func(s *data.Set) { s.Y, s.Censored = make([]float64, 12), marked(12, 6) })}},
		"one row": {p: Problem{Set: &data.Set{X: data.NewDense(1, 1, nil), Y: []float64{1}, Censored: []bool{false},
			Queries: data.OneList(1)}}},
		"strata of one": {p: Problem{Set: with(func(s *data.Set) { s.Queries, s.HasQID = data.Singletons(12), true })}},
	} {
		if _, err := Train(t.Context(), of.p, of.o); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// marked has the first n of m marks.
func marked(m, n int) []bool {
	marks := make([]bool, m)
	for i := range n {
		marks[i] = true
	}
	return marks
}

func ramp(m int) []float64 {
	y := make([]float64, m)
	for i := range y {
		y[i] = float64(i)
	}
	return y
}

// TestTimesOneSolution trains censored times by every solver and kernel form: the models agree, and their error by
// given folds is 1 − C of the models without each fold.
func TestTimesOneSolution(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 4))
	for _, strata := range []int{1, 5} {
		set := timedSet(r, 40, 3, strata)
		for _, pairs := range []pref.Options{{}, {Cost: pref.Unit, Weight: pref.Size},
			{Weight: pref.Edges, CensoringWeights: true}} {
			var first []float64
			all := make([]int, 40)
			for i := range all {
				all[i] = i
			}
			for _, l := range []LeastSquares{{Solver: Primal}, {Solver: Dual}, {Solver: Sparse, Basis: Basis{Rows: all}},
				{Solver: CG, Tolerance: 1e-12}} {
				l.Pairs = pairs
				result, err := Train(t.Context(), Problem{Set: set}, Options{Learner: l, Lambdas: []float64{0.25}})
				if err != nil {
					t.Fatal(err)
				}
				var scores []float64
				for i := range set.Y {
					s := result.Model.ScoreRow(set.X.(*data.Dense).Row(i))
					scores = append(scores, s-result.Model.ScoreRow(set.X.(*data.Dense).Row(0)))
				}
				if first == nil {
					first = scores
				}
				for i := range scores {
					if math.Abs(scores[i]-first[i]) > 1e-8*(1+math.Abs(first[i])) {
						t.Fatalf("%d strata, %+v, %s: score %v of row %d, want %v", strata, pairs, l.Solver, scores[i], i, first[i])
					}
				}
			}
		}
	}
}

// TestTimesHeldOut compares the error of whole strata, without training again, and of folds with that of models trained
// without them.
func TestTimesHeldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 5))
	for _, strata := range []int{1, 6} {
		set := timedSet(r, 50, 3, strata)
		o := EstimateOptions{Options: Options{Learner: LeastSquares{}, Lambdas: []float64{0.5, 50}},
			Intervals: cv.IntervalsNone}
		if strata == 1 {
			set.Folds = data.NewPartition(foldsOf(r, 50, 4), 4)
		} else {
			o.Method = &cv.Method{Kind: cv.LeaveQueryOut}
		}
		e, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Choice.Retrained {
			t.Errorf("%d strata: trained again", strata)
		}
		o.Learner = LeastSquares{Solver: CG, Tolerance: 1e-12}
		again, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil || !again.Choice.Retrained || again.Choice.Error != e.Choice.Error {
			t.Errorf("%d strata: error %v trained again, %v, want %v", strata, again.Choice.Error, err, e.Choice.Error)
		}
		parts := set.Queries
		if strata == 1 {
			parts = set.Folds
		}
		for l, p := range e.Choice.Kernels[0].Outputs[0].Points {
			wrong, pairs := 0.0, 0.0
			for g := range parts.Len() {
				var train, test []int
				for i := range set.Y {
					if parts.Of()[i] == int32(g) {
						test = append(test, i)
					} else {
						train = append(train, i)
					}
				}
				some := set.Subset(train)
				some.Folds = nil
				result, err := Train(t.Context(), Problem{Set: some}, Options{Lambdas: o.Lambdas[l : l+1]})
				if err != nil {
					t.Fatal(err)
				}
				score := func(i int) float64 { return result.Model.ScoreRow(set.X.(*data.Dense).Row(i)) }
				for _, i := range test {
					for _, j := range test {
						if !set.Censored[i] && (set.Y[i] < set.Y[j] || set.Y[i] == set.Y[j] && set.Censored[j]) {
							pairs++
							switch d := score(i) - score(j); {
							case math.Abs(d) < 1e-12:
								wrong += 0.5
							case d > 0:
								wrong++
							}
						}
					}
				}
			}
			if p.Pairs != int64(pairs) || math.Abs(p.Error-wrong/pairs) > 1e-12 {
				t.Errorf("%d strata, λ %v: error %v over %d pairs, want %v over %v", strata, p.Candidate, p.Error, p.Pairs,
					wrong/pairs, pairs)
			}
		}
	}
}

// TestTimesLeavePairOut is the default of a short list: the share of comparable pairs that are in order, each scored by
// models of the other rows.
func TestTimesLeavePairOut(t *testing.T) {
	set := timedSet(rand.New(rand.NewPCG(44, 8)), 24, 2, 1)
	lambdas := []float64{0.5, 50}
	for _, l := range []LeastSquares{{}, {Solver: Dual, Pairs: pref.Options{Weight: pref.Edges}}} {
		e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Intervals: cv.IntervalsNone,
			Options: Options{Learner: l, Lambdas: lambdas}})
		if err != nil {
			t.Fatal(err)
		}
		if e.Choice.Method.Kind != cv.LeavePairOut || !e.Censored {
			t.Errorf("method %v", e.Choice.Method)
		}
		worst, err := e.RowPairs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range e.Choice.Kernels[0].Outputs[0].Points {
			wrong, pairs := 0.0, int64(0)
			for i := range 24 {
				for j := range 24 {
					if set.Censored[i] || !(set.Y[i] < set.Y[j] || set.Y[i] == set.Y[j] && set.Censored[j]) {
						continue
					}
					var train []int
					for r := range 24 {
						if r != i && r != j {
							train = append(train, r)
						}
					}
					result, err := Train(t.Context(), Problem{Set: set.Subset(train)}, Options{Learner: l, Lambdas: lambdas[k : k+1]})
					if err != nil {
						t.Fatal(err)
					}
					x := set.X.(*data.Dense)
					pairs++
					switch d := result.Model.ScoreRow(x.Row(i)) - result.Model.ScoreRow(x.Row(j)); {
					case math.Abs(d) < 1e-12:
						wrong += 0.5
					case d > 0:
						wrong++
					}
				}
			}
			if p.Pairs != pairs || math.Abs(p.Error-wrong/float64(pairs)) > 1e-12 {
				t.Errorf("λ %v: error %v over %d pairs, want %v over %d", p.Candidate, p.Error, p.Pairs,
					wrong/float64(pairs), pairs)
			}
		}
		total := int64(0)
		for _, row := range worst {
			total += row.Pairs
		}
		if p := e.Choice.Kernels[0].Outputs[0].Points[0]; total != 2*p.Pairs {
			t.Errorf("rows have %d pairs, want twice %d", total, p.Pairs)
		}
	}
}

// foldsOf deals folds.
func foldsOf(r *rand.Rand, m, folds int) []int32 {
	of := make([]int32, m)
	for place, i := range r.Perm(m) {
		of[i] = int32(place % folds)
	}
	return of
}

// TestTimesShuffled permutes times with their marks, within strata.
func TestTimesShuffled(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 6))
	for _, strata := range []int{1, 5} {
		set := timedSet(r, 60, 2, strata)
		e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Intervals: cv.IntervalsNone, Permutations: 19,
			Nested: &cv.Method{Kind: cv.KFold}, Options: Options{Lambdas: []float64{1, 100}}})
		if err != nil {
			t.Fatal(err)
		}
		if e.Permutation.P > 0.05 || e.Permutation.N != 19 || e.Nested.Error > 0.4 {
			t.Errorf("%d strata: %+v, nested %+v", strata, e.Permutation, e.Nested)
		}
	}
}
