package pairrank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/internal/rows"
	"pairrank/kernel"
)

// Nested leave-pair-out is, for every two rows with different labels, choosing kernel and λ by leave-pair-out of the
// others, and training on the others.
func TestNestedPairsAreChoosingAgain(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(27, 1))
	rounds := 0
	for trial := range gen.Count(t, 12) {
		m, n := 6+r.IntN(5), 1+r.IntN(6)
		set := twoClasses(r, m, n, 0.7)
		for i := range set.Y {
			switch trial % 3 {
			case 0:
				set.Y[i] = float64(r.IntN(3))
			case 1:
				copy(set.X.(*data.Dense).Row(i), set.X.(*data.Dense).Row(i-i%2)) // rows that are equal
			}
		}
		set.Y[0], set.Y[1], set.Y[2], set.Y[3] = 0, 1, 0, 1
		if trial%4 == 1 || trial%4 == 2 {
			set.Weights = make([]float64, m)
			for i := range set.Weights {
				set.Weights[i] = float64(1 + r.IntN(3))
			}
		}
		o := EstimateOptions{Options: Options{Lambdas: []float64{0.5, 4, 32}},
			Nested: &cv.Method{Kind: cv.LeavePairOut}, Intervals: cv.IntervalsNone}
		if trial%2 == 0 {
			o.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}, kernel.Linear{}, kernel.Gaussian{Gamma: 0.02}}
		}
		e, err := Estimate(ctx, Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		wrong, pairs, total := 0.0, int64(0), 0.0
		times := map[cv.NestedChoice]int{}
		for i := range m {
			for j := range i {
				if set.Y[i] == set.Y[j] {
					continue
				}
				rest, out := some(set, naive.Without(m, []int{i, j})), some(set, []int{i, j})
				again := o
				again.Nested, again.Method = nil, &cv.Method{Kind: cv.LeavePairOut}
				trained, err := trainLone(ctx, Problem{Set: rest}, again)
				f := []float64{0, 0} // where the others have one label
				if err == nil {
					times[cv.NestedChoice{Kernel: trained.Choice.Kernel, Candidate: trained.Choice.Lambda}]++
					f, err = trained.Model.Score(out)
				} else if rows.IsNothing(err) || allEqual(rest.Y) {
					err = nil
				}
				if err != nil {
					t.Fatal(err)
				}
				weight := 1.0
				if set.Weights != nil {
					weight = set.Weights[i] * set.Weights[j]
				}
				pairs, total = pairs+1, total+weight
				switch d := f[0] - f[1]; {
				case d < 1e-9 && d > -1e-9:
					wrong += weight / 2
				case (d > 0) != (set.Y[i] > set.Y[j]):
					wrong += weight
				}
			}
		}
		if got := e.Nested; got.Pairs != pairs || math.Round(2*got.Error*total) != 2*wrong ||
			got.Outer.Kind != cv.LeavePairOut {
			t.Errorf("trial %d: %v of %d pairs wrong, want %v of %d", trial, got.Error*float64(got.Pairs), got.Pairs,
				wrong,
				pairs)
		}
		for _, c := range e.Nested.Chosen {
			rounds += c.Times
			n := c.Times
			if c.Times = 0; times[c] != n && !slices.Contains(set.Y[:1], 2) && !allEqualWithoutTwo(set.Y) {
				t.Errorf("trial %d: %v with λ = %v was chosen %d times, want %d", trial, c.Kernel, c.Candidate, n,
					times[c])
			}
		}
	}
	if rounds == 0 {
		t.Error("nothing was chosen")
	}
}

// trainLone is Train that also chooses where one label has a single row, as the rounds of a nested estimate do.
func trainLone(ctx context.Context, p Problem, o EstimateOptions) (*Result, error) {
	t, err := prepared(&p, o, false)
	if err != nil {
		return nil, err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return nil, err
	}
	t.centreFeatures(false)
	return t.train(ctx)
}

// some are some rows of a list.
func some(set *data.Set, rows []int) *data.Set {
	out := &data.Set{X: data.Select(set.X, rows), Y: naive.Pick(set.Y, rows), Queries: data.OneList(len(rows))}
	if set.Weights != nil {
		out.Weights = naive.Pick(set.Weights, rows)
	}
	return out
}

func allEqual(y []float64) bool { return slices.Min(y) == slices.Max(y) }

// allEqualWithoutTwo reports whether the labels without some two rows are equal, so that nothing is chosen there.
func allEqualWithoutTwo(y []float64) bool {
	count := map[float64]int{}
	for _, v := range y {
		count[v]++
	}
	for _, n := range count {
		if n >= len(y)-2 {
			return true
		}
	}
	return false
}

// Nested leave-one-out of a list leaves out pairs; where there is no shortcut both are refused.
func TestNestedPairsAreRefused(t *testing.T) {
	ctx := context.Background()
	set := twoClasses(rand.New(rand.NewPCG(27, 2)), 20, 2, 1)
	loo, lpo := &cv.Method{Kind: cv.LeaveOneOut}, &cv.Method{Kind: cv.LeavePairOut}
	e, err := Estimate(ctx, Problem{Set: set}, EstimateOptions{Options: Options{Seed: 1}, Nested: loo})
	if err != nil || e.Nested.Outer.Kind != cv.LeavePairOut || !e.Nested.Interval.Defined || e.Nested.Halves == nil {
		t.Errorf("loo: %+v, %v", e, err)
	}
	grouped := *set
	of := make([]int32, 20)
	for i := range of {
		of[i] = int32(i / 2)
	}
	grouped.Groups = data.NewPartition(of, 10)
	queries := *set
	queries.Queries = data.NewQueries(of, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
	for name, c := range map[string]struct {
		set *data.Set
		o   EstimateOptions
	}{
		"groups":  {&grouped, EstimateOptions{Nested: lpo}},
		"queries": {&queries, EstimateOptions{Nested: lpo}},
		"ranksvm": {set, EstimateOptions{Options: Options{Learner: RankSVM{}, Method: &cv.Method{Kind: cv.KFold,
			Folds: 2}}, Nested: lpo}},
		"one left": {&queries, EstimateOptions{Nested: loo}},
		"cg":       {set, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: CG}}, Nested: lpo}},
	} {
		if _, err := Estimate(ctx, Problem{Set: c.set}, c.o); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// Halves of few rows are too small to leave out two pairs: the nested error then has no interval.
func TestNestOfFewRows(t *testing.T) {
	for m := 5; m < 12; m++ {
		set := twoClasses(rand.New(rand.NewPCG(27, uint64(m))), m, 2, 1)
		e, err := Estimate(context.Background(), Problem{Set: set}, EstimateOptions{Options: Options{Seed: 1},
			Nested: &cv.Method{Kind: cv.KFold}})
		if err != nil {
			t.Fatalf("%d rows: %v", m, err)
		}
		if n := e.Nested; n.Outer.Kind != cv.LeavePairOut || m < 10 && n.Interval.Defined {
			t.Errorf("%d rows: %+v", m, n)
		}
	}
}
