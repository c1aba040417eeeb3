package pairrank

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/greedy"
	"pairrank/kernel"
)

// selectedWithin is the tolerance of errors that are shares of the same counts.
const selectedWithin = 1e-12

// scoresOf trains on some rows with one λ and number of features, and scores others. It returns nil if there is nothing
// to learn from.
func scoresOf(t *testing.T, set *data.Set, train, test []int, lambda float64, features int) []float64 {
	t.Helper()
	of := make([]int32, len(train))
	y := make([]float64, len(train))
	for a, i := range train {
		of[a], y[a] = set.Queries.Of()[i], set.Y[i]
	}
	p := greedy.Problem{X: data.Select(set.X, train), Y: y, Queries: data.NewPartition(of, set.Queries.Len())}
	path, err := greedy.Select(context.Background(), p, greedy.Options{Lambda: lambda, Features: features})
	if errors.Is(err, goals.ErrNothingToLearn) {
		return make([]float64, len(test))
	}
	if err != nil {
		t.Fatal(err)
	}
	w, _ := path.Weights(features)
	f := make([]float64, len(test))
	data.Select(set.X, test).MulVecTo(f, w)
	return f
}

// wrongShare is the share of pairs of a test set in the wrong order, as halves and pairs.
func wrongShare(set *data.Set, test []int, f []float64) (halves, pairs float64) {
	for a, i := range test {
		for b, j := range test {
			if set.Y[i] <= set.Y[j] || set.Queries.Of()[i] != set.Queries.Of()[j] {
				continue
			}
			pairs++
			switch apart := f[a] - f[b]; {
			case math.Abs(apart) <= 1e-9: // far above rounding, and far below other differences here
				halves++
			case apart < 0:
				halves += 2
			}
		}
	}
	return halves, pairs
}

func others(m int, test []int) (train []int) {
	for i := range m {
		if !slices.Contains(test, i) {
			train = append(train, i)
		}
	}
	return train
}

// Leave-pair-out with features selects anew without each pair of different labels.
func TestSelectionWithoutEachPair(t *testing.T) {
	for k := range gen.Count(t, 10) {
		set := twoClasses(rand.New(rand.NewPCG(uint64(k), 1)), 11, 6, 0.8)
		const lambda, features = 4, 2
		e, err := Estimate(context.Background(), Problem{Set: set},
			EstimateOptions{Options: Options{Learner: Greedy{Features: features}, Lambdas: []float64{lambda}},
				Intervals: cv.IntervalsNone})
		if err != nil {
			t.Fatal(err)
		}
		halves, pairs := 0.0, 0.0
		for i := range 11 {
			for j := range i {
				h, n := wrongShare(set, []int{j, i}, scoresOf(t, set, others(11, []int{j, i}), []int{j, i}, lambda,
					features))
				halves, pairs = halves+h, pairs+n
			}
		}
		if got := e.Choice; got.Method.Kind != cv.LeavePairOut || got.Pairs != int64(pairs) ||
			math.Abs(got.Error-halves/2/pairs) > selectedWithin {
			t.Errorf("problem %d: %s has the error %v over %d pairs, want %v over %v", k, got.Method, got.Error,
				got.Pairs,
				halves/2/pairs, pairs)
		}
		s, err := e.Selection(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if s.Rounds != int(pairs) || len(s.Features) != features || s.Nested {
			t.Errorf("problem %d: %d features in %d rounds, want %d in %v", k, len(s.Features), s.Rounds, features,
				pairs)
		}
	}
}

// Every λ and number of features has the error of selecting and training without each query, and the nested error is
// that of choosing both without each query.
func TestSelectionWithoutEachQuery(t *testing.T) {
	lambdas, sizes := []float64{0.5, 40}, []int{1, 2, 3}
	for k := range gen.Count(t, 6) {
		set := twoClasses(rand.New(rand.NewPCG(uint64(k), 2)), 24, 3, 0.5)
		of := make([]int32, 24)
		for i := range of {
			of[i] = int32(i / 6)
		}
		set.Queries = data.NewQueries(of, []string{"a", "b", "c", "d"})
		lqo := &cv.Method{Kind: cv.LeaveQueryOut}
		e, err := Estimate(context.Background(), Problem{Set: set},
			EstimateOptions{Options: Options{Learner: Greedy{}, Lambdas: lambdas, Method: lqo}, Nested: lqo,
				Intervals: cv.IntervalsNone})
		if err != nil {
			t.Fatal(err)
		}
		// choose is the best λ and number of features for some queries, and the errors of all.
		choose := func(queries []int) (lambda float64, features int, errs []float64) {
			least := math.Inf(1)
			var rows []int
			for _, q := range queries {
				rows = append(rows, rowsOfQuery(set, q)...)
			}
			for _, size := range sizes {
				for l := len(lambdas) - 1; l >= 0; l-- {
					halves, pairs := 0.0, 0.0
					for _, q := range queries {
						test := rowsOfQuery(set, q)
						train := slices.DeleteFunc(slices.Clone(rows), func(i int) bool {
							return slices.Contains(test,
								i)
						})
						h, n := wrongShare(set, test, scoresOf(t, set, train, test, lambdas[l], size))
						halves, pairs = halves+h, pairs+n
					}
					err := halves / 2 / pairs
					errs = append(errs, err)
					if err < least {
						least, lambda, features = err, lambdas[l], size
					}
				}
			}
			return lambda, features, errs
		}
		lambda, features, errs := choose([]int{0, 1, 2, 3})
		chosen := e.Choice.Chosen().Outputs[0]
		for _, p := range chosen.Points {
			at := (p.Features-1)*len(lambdas) + len(lambdas) - 1 - slices.Index(lambdas, p.Lambda)
			if math.Abs(p.Error-errs[at]) > selectedWithin {
				t.Errorf("problem %d: λ = %g and %d features have the error %v, want %v", k, p.Lambda, p.Features,
					p.Error,
					errs[at])
			}
		}
		if e.Choice.Lambda != lambda || e.Choice.Features != features {
			t.Errorf("problem %d: chose λ = %g and %d features, want %g and %d", k, e.Choice.Lambda, e.Choice.Features,
				lambda, features)
		}
		halves, pairs := 0.0, 0.0
		for q := range 4 {
			rest := slices.DeleteFunc([]int{0, 1, 2, 3}, func(o int) bool { return o == q })
			lambda, features, _ := choose(rest)
			test := rowsOfQuery(set, q)
			h, n := wrongShare(set, test, scoresOf(t, set, others(24, test), test, lambda, features))
			halves, pairs = halves+h, pairs+n
		}
		if math.Abs(e.Nested.Error-halves/2/pairs) > selectedWithin {
			t.Errorf("problem %d: the nested error is %v, want %v", k, e.Nested.Error, halves/2/pairs)
		}
		s, err := e.Selection(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if s.Rounds != 4 || !s.Nested || s.Outer != *lqo {
			t.Errorf("problem %d: the rounds are %d of %s, nested %v", k, s.Rounds, s.Outer, s.Nested)
		}
	}
}

// The counts of features are over the outer rounds, and not over those of the half-samples of the nest.
func TestSelectionCountsItsOwnRounds(t *testing.T) {
	ctx := t.Context()
	set := twoClasses(rand.New(rand.NewPCG(8, 27)), 24, 4, 0.5)
	o := EstimateOptions{Options: Options{Learner: Greedy{Features: 1}, Lambdas: []float64{8},
		Method: &cv.Method{Kind: cv.KFold, Folds: 3}}, Intervals: cv.IntervalsHalves,
		Nested: &cv.Method{Kind: cv.KFold, Folds: 3}}
	e, err := Estimate(ctx, Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Selection(ctx)
	if err != nil || e.Nested.Halves == nil || s.Rounds != 3 {
		t.Errorf("%d rounds, want 3; halves %v, %v", s.Rounds, e.Nested.Halves != nil, err)
	}
}

func rowsOfQuery(set *data.Set, q int) (rows []int) {
	for _, i := range set.Queries.Part(q) {
		rows = append(rows, int(i))
	}
	return rows
}

// The rounds, halves and models are the same for any number of threads.
func TestSelectionHasNoThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	set := twoClasses(rand.New(rand.NewPCG(5, 3)), 30, 12, 0.7)
	var want []any
	for _, threads := range []int{1, 4} {
		runtime.GOMAXPROCS(threads)
		o := EstimateOptions{Options: Options{Learner: Greedy{Features: 3, Search: greedy.Floating},
			Lambdas: []float64{1, 20}, Method: &cv.Method{Kind: cv.KFold, Folds: 5}, Seed: 7},
			Intervals: cv.IntervalsHalves}
		e, err := Estimate(context.Background(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Selection(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r, err := learn(context.Background(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		got := []any{e.Choice, e.Interval(0), *s.Selection, r.Training.Chosen, *r.Selection.Selection}
		if !e.Interval(0).Defined {
			t.Error("there is no interval")
		}
		if want != nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads give %+v, one %+v", threads, got, want)
		}
		want = got
	}
}

// One standard error takes fewer features where the error allows it, and the weights of all others are 0.
func TestOneStandardError(t *testing.T) {
	set := twoClasses(rand.New(rand.NewPCG(9, 4)), 60, 8, 0.4)
	plan := func(oneSE bool) *Result {
		r, err := learn(context.Background(), Problem{Set: set},
			EstimateOptions{Options: Options{Learner: Greedy{OneSE: oneSE}, Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	best, fewest := plan(false), plan(true)
	points := best.Choice.Chosen().Outputs[0]
	least := points.Points[points.Best]
	want := math.MaxInt
	for _, p := range points.Points {
		if p.Error <= least.Error+least.StdErr.Value {
			want = min(want, p.Features)
		}
	}
	if got := fewest.Choice.Features; got != want || got >= best.Choice.Features {
		t.Errorf("one standard error takes %d features, want %d, and the least error %d", got, want,
			best.Choice.Features)
	}
	sizes := fewest.Training.Chosen
	for j := range 8 {
		one := make([]float64, 8)
		one[j] = 1
		if f := fewest.Model.ScoreRow(one); (f != 0) != slices.Contains(sizes, j) {
			t.Errorf("feature %d has the weight %v, and selected are %v", j+1, f, sizes)
		}
	}
}

// Rows for validation choose λ and the number, and leave all rows to the selection: there are no rounds.
func TestSelectionByValidation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	set, valid := twoClasses(r, 40, 5, 0.6), twoClasses(r, 40, 5, 0.6)
	got, err := learn(context.Background(), Problem{Set: set, Valid: valid},
		EstimateOptions{Options: Options{Learner: Greedy{}, Lambdas: []float64{1, 50}}})
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for _, p := range got.Choice.Chosen().Outputs[0].Points {
		all := greedy.Problem{X: set.X, Y: set.Y, Queries: set.Queries}
		path, err := greedy.Select(context.Background(), all, greedy.Options{Lambda: p.Lambda, Features: p.Features})
		if err != nil {
			t.Fatal(err)
		}
		w, _ := path.Weights(p.Features)
		f := make([]float64, 40)
		valid.X.MulVecTo(f, w)
		halves, pairs := wrongShare(valid, indices(40), f)
		if err := halves / 2 / pairs; math.Abs(err-p.Error) > selectedWithin {
			t.Errorf("λ = %g and %d features have the error %v, want %v", p.Lambda, p.Features, p.Error, err)
		}
		least = min(least, p.Error)
	}
	if got.Selection.Rounds != 0 || got.Choice.Error != least || len(got.Training.Chosen) != got.Choice.Features {
		t.Errorf("%d rounds, error %v, %d features of %d", got.Selection.Rounds, got.Choice.Error,
			len(got.Training.Chosen), got.Choice.Features)
	}
}

func TestSelectionRefuses(t *testing.T) {
	set := func() *data.Set { return twoClasses(rand.New(rand.NewPCG(1, 5)), 12, 3, 1) }
	grouped, constant := set(), set()
	grouped.Groups = data.NewPartition([]int32{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, 6)
	constant.Names = []string{"a", "b", "c"}
	for i := range 12 {
		constant.X.(*data.Dense).Row(i)[1] = 0.1
	}
	one := set()
	clear(one.Y)
	lpo := &cv.Method{Kind: cv.LeavePairOut}
	for _, c := range []struct {
		set     *data.Set
		learner Greedy
		plan    EstimateOptions
		want    string
	}{
		{set(), Greedy{Features: 4}, EstimateOptions{},
			"Features are too many: 4 features cannot be selected: there are 3"},
		{constant, Greedy{Features: 3}, EstimateOptions{}, "1 more do not vary within any query, first feature 2 (b)"},
		{one, Greedy{Features: 1}, EstimateOptions{}, "all 12 labels are 0"},
		{grouped, Greedy{Features: 1}, EstimateOptions{}, "rows of a group leave together"},
		{set(), Greedy{Features: 1}, EstimateOptions{Options: Options{Method: lpo, Lambdas: []float64{1, 2}}},
			"for one λ and one number of features"},
		{set(), Greedy{Features: 1}, EstimateOptions{Options: Options{Method: lpo}, HeldOut: true},
			"HeldOut of lpo needs a factorisation"},
		{set(), Greedy{Features: 1}, EstimateOptions{Importance: true}, "Features and Importance do not go together"},
		{set(), Greedy{Features: 1},
			EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}}},
			"Features are selected for the linear kernel"},
		{set(), Greedy{Features: 1}, EstimateOptions{Options: Options{AllPairs: true}}, "not by all pairs"},
		{set(), Greedy{Features: -1}, EstimateOptions{}, "at least 1, or 0 for auto"},
		{set(), Greedy{Features: 1, Baseline: []int{3}}, EstimateOptions{}, "Baseline names feature 4, of 3"},
		{set(), Greedy{Features: 1, Search: "back"}, EstimateOptions{}, "known are forward, backward, floating"},
		{set(), Greedy{Features: 1, Criterion: "lop"}, EstimateOptions{}, "known are lqo, loo, lpo"},
	} {
		c.plan.Learner, c.plan.Intervals = c.learner, cv.IntervalsNone
		if c.plan.Lambdas == nil {
			c.plan.Lambdas = []float64{1}
		}
		_, err := Estimate(context.Background(), Problem{Set: c.set}, c.plan)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if known := new(fault.Error); err != nil && !errors.As(err, &known) {
			t.Errorf("%v has no kind", err)
		}
	}
}
