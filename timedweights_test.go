package pairrank

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/naive"
	"pairrank/kernel"
	"pairrank/pref"
)

// weightedTimes is a timedSet with weights from one of three ranges.
func weightedTimes(r *rand.Rand, m, n, strata int) *data.Set {
	set := timedSet(r, m, n, strata)
	spread := []float64{0.3, 1, 2}[r.IntN(3)]
	for range m {
		set.Weights = append(set.Weights, math.Exp(spread*r.NormFloat64()))
	}
	return set
}

// timedCases draws what learns from censored times: the ways of least squares, and the other learners.
func timedCases(r *rand.Rand, m int) (o Options, squares bool) {
	o.Lambdas = []float64{math.Exp2(float64(r.IntN(8) - 4))}
	gaussian := []kernel.Kernel{kernel.Gaussian{Gamma: 0.3}}
	if r.IntN(2) == 0 {
		o.Kernels = gaussian
	}
	switch r.IntN(6) {
	case 0:
		o.Learner = RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-9,
			Weight: []pref.Weight{pref.Pairs, pref.Edges}[r.IntN(2)]}
		o.Lambdas[0] /= 64
	case 1:
		o = Options{Learner: RankBoost{Rounds: []int{6}, Weight: []pref.Weight{pref.Pairs, pref.Size, pref.Edges}[r.IntN(3)]}}
	default:
		l := LeastSquares{Pairs: pref.Options{Cost: []pref.Cost{pref.Magnitude, pref.Unit}[r.IntN(2)],
			Weight:           []pref.Weight{pref.Pairs, pref.Size, pref.Edges}[r.IntN(3)],
			CensoringWeights: r.IntN(3) == 0}}
		switch l.Solver = []Solver{Auto, Primal, Dual, Sparse, CG}[r.IntN(5)]; l.Solver {
		case Sparse:
			l.Basis.Rows = indices(m)
		case CG:
			l.Tolerance, o.Kernels = 1e-13, nil
		case Primal:
			o.Kernels = nil
		}
		o.Learner, squares = l, true
	}
	return o, squares
}

// TestWeightedTimesAreExplicitPairs trains every learner on rows with weights and censored times: least squares has the
// scores of explicit pairs that count w_i w_j, and a row of weight 0 is none.
func TestWeightedTimesAreExplicitPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	learnt := 0
	for trial := range gen.Count(t, 300) {
		m := 8 + r.IntN(10)
		set := weightedTimes(r, m, 1+r.IntN(3), 1+r.IntN(3)).Subset(indices(m)) // whose queries are in order
		o, squares := timedCases(r, m)
		result, err := Train(t.Context(), Problem{Set: set}, o)
		if errors.Is(err, goals.ErrNothingToLearn) {
			continue
		}
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		learnt++
		scores := func(of *Result) []float64 {
			f, err := of.Model.Score(set)
			if err != nil {
				t.Fatal(err)
			}
			for i := range f[1:] {
				f[1+i] -= f[0]
			}
			return f[1:]
		}
		got := scores(result)
		if squares {
			l := o.Learner.(LeastSquares).Pairs
			k := kernel.Matrix(slices.Concat(o.Kernels, []kernel.Kernel{kernel.Linear{}})[0], set.X, set.X)
			query := make([]int, m)
			for i, q := range set.Queries.Of() {
				query[i] = int(q)
			}
			_, want := naive.Dual(k.Data, naive.WeightedTimedPairs(set.Y, set.Censored, query, set.Weights, string(l.Cost),
				string(l.Weight), l.CensoringWeights), nil, o.Lambdas[0])
			for i, f := range got {
				if w := want[1+i] - want[0]; math.Abs(f-w) > 1e-8*(1+math.Abs(w)) {
					t.Fatalf("trial %d, %+v: row %d scores %v, want %v", trial, o, 1+i, f, w)
				}
			}
		}
		more := withAbsent(set)
		if l, is := o.Learner.(LeastSquares); is && l.Solver == Sparse {
			continue // whose rows have other numbers
		}
		absent, err := Train(t.Context(), Problem{Set: more}, o)
		if err != nil || !slices.Equal(scores(absent), got) {
			t.Fatalf("trial %d, %+v: a row of weight 0 changes the scores, %v", trial, o, err)
		}
	}
	t.Logf("%d problems", learnt)
}

// withAbsent is the rows with some more, of weight 0.
func withAbsent(set *data.Set) *data.Set {
	m := len(set.Y)
	some := indices(m)
	more := set.Subset(slices.Concat(some[:1], some, some[m-2:]))
	for _, i := range []int{0, m + 1, m + 2} {
		more.Weights[i], more.Censored[i] = 0, false
		more.Y[i]++
	}
	return more
}

// TestWeightedTimesHeldOut compares errors of rows with weights and censored times by folds, by strata and by pairs
// with those of models trained without what is left out, in which a pair counts w_i w_j.
func TestWeightedTimesHeldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 2))
	held := map[string]int{}
	for trial := range gen.Count(t, 240) {
		strata := []int{1, 4}[r.IntN(2)]
		m := 12 + r.IntN(12)
		set := weightedTimes(r, m, 1+r.IntN(3), strata)
		o, squares := timedCases(r, m)
		e := EstimateOptions{Options: o, Intervals: cv.IntervalsNone}
		parts, name := set.Queries, "strata"
		switch {
		case strata > 1:
			e.Method = &cv.Method{Kind: cv.LeaveQueryOut}
		case squares && trial%2 == 1 && o.Learner.(LeastSquares).Solver != CG && o.Learner.(LeastSquares).Solver != Sparse:
			e.Method, parts, name = &cv.Method{Kind: cv.LeavePairOut}, nil, "pairs"
		case trial%3 == 0: // groups, dealt into folds as they are
			set.Folds, name = data.NewPartition(foldsOf(r, m, 3), 3), "groups"
			set.Groups, parts = set.Folds, set.Folds
		default:
			set.Folds, name = data.NewPartition(foldsOf(r, m, 3), 3), "folds"
			parts = set.Folds
		}
		if l, is := o.Learner.(LeastSquares); is && l.Solver == Sparse {
			continue // models without rows have another basis
		}
		estimated, err := Estimate(t.Context(), Problem{Set: set}, e)
		none := new(*goals.NotExactError)
		if errors.Is(err, goals.ErrNothingToLearn) || errors.As(err, none) || nothingHeldOut(err) {
			continue
		}
		if err != nil {
			t.Fatalf("trial %d, %s, %+v: %v", trial, name, o, err)
		}
		held[name]++
		wrong, pairs := 0.0, int64(0)
		if parts == nil {
			wrong, pairs = withoutPairs(t, set, o)
		} else {
			wrong, pairs = withoutParts(t, set, parts, o)
		}
		if p := estimated.Choice.Kernels[0].Outputs[0].Points[0]; p.Pairs != pairs || math.Abs(p.Error-wrong) > 1e-12 {
			t.Errorf("trial %d, %s, %+v: error %v over %d pairs, want %v over %d", trial, name, o, p.Error, p.Pairs, wrong,
				pairs)
		}
	}
	if t.Logf("%v", held); len(held) < 4 && gen.Count(t, 240) >= 240 {
		t.Errorf("ways that were tried: %v", held)
	}
}

// nothingHeldOut reports whether an error says that nothing is left to learn, or to compare.
func nothingHeldOut(err error) bool {
	var of *fault.Error
	return errors.As(err, &of) && of.Code == codes.FaultNothing
}

// withoutPairs is withoutParts of every two rows.
func withoutPairs(t *testing.T, set *data.Set, o Options) (wrong float64, pairs int64) {
	t.Helper()
	m, sum := len(set.Y), 0.0
	for i := range m {
		for j := range i {
			of := make([]int32, m)
			of[i], of[j] = 1, 1
			one := *set
			one.Weights = slices.Clone(set.Weights)
			w, n := withoutPart(t, &one, data.NewPartition(of, 2), o)
			weight := set.Weights[i] * set.Weights[j] * float64(n)
			wrong, sum, pairs = wrong+w*weight, sum+weight, pairs+n
		}
	}
	return wrong / sum, pairs
}

// withoutPart is withoutParts of the second part alone, 0 where it has no pair, ½ where nothing is left to learn.
func withoutPart(t *testing.T, set *data.Set, parts *data.Partition, o Options) (wrong float64, pairs int64) {
	t.Helper()
	pair := parts.Part(1)
	i, j := pair[0], pair[1]
	if set.Y[j] < set.Y[i] || set.Y[j] == set.Y[i] && !set.Censored[j] {
		i, j = j, i
	}
	if set.Censored[i] || set.Y[i] == set.Y[j] && !set.Censored[j] {
		return 0, 0
	}
	var train []int
	for _, k := range parts.Part(0) {
		train = append(train, int(k))
	}
	result, err := Train(t.Context(), Problem{Set: set.Subset(train)}, o)
	if err != nil {
		return 0.5, 1
	}
	x := set.X.(*data.Dense)
	switch d := result.Model.ScoreRow(x.Row(int(i))) - result.Model.ScoreRow(x.Row(int(j))); {
	case math.Abs(d) < 1e-9:
		return 0.5, 1
	case d > 0:
		return 1, 1
	}
	return 0, 1
}

// TestWeightedTimesAreCopies: a row of a whole weight is as many copies that leave together, by folds of groups, and in
// the nested estimate, with intervals and permutations.
func TestWeightedTimesAreCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	for trial := range 40 {
		m := 18
		set := timedSet(r, m, 2, 1)
		set.Folds = data.NewPartition(foldsOf(r, m, 3), 3)
		var rows []int
		var of []int32
		for i := range m {
			w := r.IntN(4)
			set.Weights = append(set.Weights, float64(w))
			for range w {
				rows, of = append(rows, i), append(of, int32(i))
			}
		}
		copies := set.Subset(rows)
		copies.Weights, copies.Groups = nil, data.NewPartition(of, m)
		o := EstimateOptions{Intervals: cv.IntervalsNone}
		o.Learner = []Learner{LeastSquares{Pairs: pref.Options{Weight: pref.Size}},
			LeastSquares{Pairs: pref.Options{Cost: pref.Unit, CensoringWeights: true}},
			RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-9}, RankBoost{Rounds: []int{5}}}[trial%4]
		if trial%4 < 3 {
			o.Lambdas = []float64{0.05, 2}
		}
		e, err := Estimate(t.Context(), Problem{Set: set}, o)
		if nothingHeldOut(err) {
			continue
		}
		c, other := Estimate(t.Context(), Problem{Set: copies}, o)
		if err != nil || other != nil {
			t.Fatalf("%T: %v, of copies %v", o.Learner, err, other)
		}
		for l, p := range e.Choice.Chosen().Outputs[0].Points {
			if q := c.Choice.Chosen().Outputs[0].Points[l]; math.Abs(p.Error-q.Error) > 1e-12 {
				t.Errorf("%+v: error %v of weights, %v of copies", o.Learner, p.Error, q.Error)
			}
		}
	}
}

// TestWeightedTimesProcedures: what stands on held-out errors takes rows with weights and censored times.
func TestWeightedTimesProcedures(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	for _, strata := range []int{1, 15} {
		set := weightedTimes(r, 60, 3, strata)
		for _, l := range []Learner{timedLearners[0], RankBoost{Rounds: []int{3}}} {
			o := EstimateOptions{Options: Options{Learner: l}, Nested: &cv.Method{Kind: cv.KFold, Folds: 3}, Importance: true}
			if _, boosts := l.(RankBoost); !boosts {
				o.Lambdas = []float64{0.01, 1}
			}
			if _, squares := l.(LeastSquares); squares {
				o.Permutations = 19
			}
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Importance(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("%s, %d strata", l.Name(), strata)
			if i := e.Interval(0); !i.Defined || !(i.Lo < e.Choice.Error && e.Choice.Error < i.Hi) {
				t.Errorf("%s: error %v, interval %+v", where, e.Choice.Error, i)
			}
			if e.Nested == nil || !(e.Nested.Error < 0.45) || o.Permutations > 0 && !(e.Permutation.P < 0.1) {
				t.Errorf("%s: nested %+v, permutations %+v", where, e.Nested, e.Permutation)
			}
		}
	}
}
