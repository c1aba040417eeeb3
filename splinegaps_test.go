package pairrank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/contribution"
)

// gapsSet is splineSet of few rows, with missing values that have levels.
func gapsSet(t *testing.T, r *rand.Rand, queries int) *data.Set {
	t.Helper()
	set := splineSet(r, queries)
	for i := range set.Y {
		for j, v := range set.X.(*data.Dense).Row(i) {
			if r.IntN(4) == 0 && j < 3 {
				v = math.NaN()
				set.Y[i] += float64(j)
			}
			set.X.(*data.Dense).Row(i)[j] = v
		}
	}
	if err := set.GiveLevels(nil); err != nil {
		t.Fatal(err)
	}
	return set
}

// leftOf are the numbers below m that are not among some.
func leftOf(m int, some ...int) (rest []int) {
	for i := range m {
		if !slices.Contains(some, i) {
			rest = append(rest, i)
		}
	}
	return rest
}

// TestPairsOfSplines: leave-pair-out and leave-one-out of splines, with levels of missing values, are those of training
// again on the features and hinges of the other rows.
func TestPairsOfSplines(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 11))
	pairs, rows := 0, 0
	for trial := range gen.Count(t, 60) {
		set := gapsSet(t, r, 1)
		set.Censored = nil
		set = set.Subset(leftOf(len(set.Y))[:9+r.IntN(4)])
		m := len(set.Y)
		k := kernel.Spline{Knots: 1 + r.IntN(4), Bends: math.Exp2(float64(r.IntN(5) - 2)), In: someKnots(r)}
		o := Options{Kernels: []kernel.Kernel{k}, Lambdas: []float64{math.Exp2(float64(r.IntN(8) - 4))},
			Learner: LeastSquares{Solver: []Solver{Auto, Primal, Dual}[r.IntN(3)]}}
		mapped := beforehand(set, k)
		retrained := func(out ...int) *model.Model {
			again, err := Train(t.Context(), Problem{Set: mapped.Subset(leftOf(m, out...))}, Options{Lambdas: o.Lambdas,
				Learner: o.Learner})
			if err != nil {
				return nil
			}
			return again.Model
		}
		x := mapped.X.(*data.Dense)
		o.Method = &cv.Method{Kind: cv.LeavePairOut}
		e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Options: o, Intervals: cv.IntervalsNone})
		if err == nil {
			wrong, weight, defined := 0.0, 0.0, true
			for i := range m {
				for j := range i {
					if set.Y[i] == set.Y[j] {
						continue
					}
					again := retrained(i, j)
					if defined = defined && again != nil; again == nil {
						continue
					}
					w := 1.0
					if set.Weights != nil {
						w = set.Weights[i] * set.Weights[j]
					}
					d := (again.ScoreRow(x.Row(i)) - again.ScoreRow(x.Row(j))) * (set.Y[i] - set.Y[j])
					if weight += w; d < -1e-9 {
						wrong += w
					} else if d <= 1e-9 {
						wrong += w / 2
					}
				}
			}
			best := e.Choice.Chosen().Outputs[0]
			if got := best.Points[best.Best].Error; defined && math.Abs(got-wrong/weight) > 1e-8 {
				t.Fatalf("trial %d, %+v: leave-pair-out error %v, and trained again %v", trial, o, got, wrong/weight)
			}
			pairs++
		} else if !nothingHeldOut(err) {
			t.Fatal(err)
		}
		o.Method, o.Learner = &cv.Method{Kind: cv.LeaveOneOut}, LeastSquares{Regression: true}
		e, err = Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Options: o, HeldOut: true,
			Intervals: cv.IntervalsNone})
		if nothingHeldOut(err) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := e.HeldOut(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range m {
			again := retrained(i)
			if again == nil {
				continue
			}
			rows++
			if a, b := got.Row(i)[0], again.ScoreRow(x.Row(i)); math.Abs(a-b) > 1e-8*(1+math.Abs(b)) {
				t.Fatalf("trial %d, %+v: row %d without itself has %v, and trained again %v", trial, o, i, a, b)
			}
		}
	}
	t.Logf("%d problems by pairs, %d rows one by one", pairs, rows)
}

// TestLevelsOfSplines: the model of a set with levels gives a missing value one number, whatever else is in its row; a
// curve and its knots are those of the rows where the value is there, and a point of the shapes says the number.
func TestLevelsOfSplines(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 12))
	for trial := range gen.Count(t, 100) {
		set := gapsSet(t, r, 1)
		set.Censored = nil
		levels := set.Substitutes.Levels()
		if levels == nil {
			continue
		}
		k := kernel.Spline{Knots: 3, Bends: 1}
		norm := []string{data.NormalizeNone, data.NormalizeZScore, data.NormalizeMinMax}[trial%3]
		trained, err := Train(t.Context(), Problem{Set: set}, Options{Kernels: []kernel.Kernel{k}, Lambdas: []float64{0.5},
			Normalize: norm})
		if nothingHeldOut(err) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		x, spline := set.X.(*data.Dense), trained.Model.Scorer.(*model.Spline)
		for at, j := range levels {
			var there []int
			for i := range x.Rows {
				if x.Row(i)[4+at] == 0 {
					there = append(there, i)
				}
			}
			some := set.Subset(there)
			if trained.Model.Normalizer != nil {
				if err := trained.Model.Normalizer.Apply(some); err != nil {
					t.Fatal(err)
				}
			}
			want := kernel.NewSplineMap(k, nil, data.SelectColumns(some.X, []int{j}), some.Weights).Knots(0)
			if fmt.Sprint(spline.Map.Knots(j)) != fmt.Sprint(want) {
				t.Fatalf("trial %d: knots %v of feature %d, and %v of the rows that have it", trial, spline.Map.Knots(j), j+1,
					want)
			}
		}
		shapes, err := contribution.Shapes(trained.Model)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < x.Rows; i++ {
			sum, first := 0.0, 0.0
			for _, s := range shapes {
				for row, to := range map[int]*float64{i: &sum, 0: &first} {
					if at, is := slices.BinarySearch(levels, s.Number-1); is && x.Row(row)[4+at] == 1 {
						*to += *s.Missing
					} else {
						*to += s.At(x.Row(row)[s.Number-1])
					}
				}
			}
			want := trained.Model.ScoreRow(x.Row(i)) - trained.Model.ScoreRow(x.Row(0))
			if math.Abs(sum-first-want) > 1e-8*(1+math.Abs(want)) {
				t.Fatalf("trial %d, %s: row %d is %v by its shapes, and scores %v", trial, norm, i, sum-first, want)
			}
		}
	}
}

// TestSelectionOfSplines: with as many features as there are, the selection is the spline without one, held out, too;
// with fewer it has whole features: all weights of the others are 0.
func TestSelectionOfSplines(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 13))
	whole := 0
	for trial := range gen.Count(t, 60) {
		set := gapsSet(t, r, 5)
		set.Censored = nil
		const usable = 3 // the last feature is constant
		k := kernel.Spline{Knots: 1 + r.IntN(4), Bends: 2, In: someKnots(r)}
		o := EstimateOptions{Options: Options{Lambdas: []float64{math.Exp2(float64(r.IntN(8) - 4))},
			Method: &cv.Method{Kind: cv.LeaveQueryOut}, Kernels: []kernel.Kernel{k}}, HeldOut: true,
			Intervals: cv.IntervalsNone}
		scores := func(l Learner) *data.Dense {
			o.Learner = l
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				return nil
			}
			f, err := e.HeldOut(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		if got, want := scores(Greedy{Features: usable}), scores(LeastSquares{}); got != nil && want != nil {
			whole++
			for g := range set.Queries.Len() {
				part := set.Queries.Part(g)
				for _, i := range part {
					a := got.Row(int(i))[0] - got.Row(int(part[0]))[0]
					b := want.Row(int(i))[0] - want.Row(int(part[0]))[0]
					if math.Abs(a-b) > 1e-8*(1+math.Abs(b)) {
						t.Fatalf("trial %d, %+v: row %d differs by %v, and without a selection by %v", trial, o, i, a, b)
					}
				}
			}
		}
		o.Learner = Greedy{Features: 1 + r.IntN(2)}
		trained, err := Train(t.Context(), Problem{Set: set}, o.Options)
		if err != nil {
			continue
		}
		spline, levels := trained.Model.Scorer.(*model.Spline), set.Substitutes.Levels()
		next := spline.Map.Inputs()
		for j := range 4 {
			columns := []int{j}
			for range spline.Map.Knots(j) {
				columns = append(columns, next)
				next++
			}
			if at, is := slices.BinarySearch(levels, j); is {
				columns = append(columns, 4+at)
			}
			chosen := slices.Contains(trained.Training.Chosen, j)
			for _, c := range columns {
				if w := spline.Weights.Row(0)[c]; !chosen && w != 0 {
					t.Fatalf("trial %d: features %v are chosen, and column %d of feature %d weighs %v", trial,
						trained.Training.Chosen, c, j+1, w)
				}
			}
		}
	}
	if whole == 0 {
		t.Error("nothing was compared")
	}
}
