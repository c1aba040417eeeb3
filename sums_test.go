package pairrank_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/kernel"
	"pairrank/pref"
)

// curved are rows whose labels are linear in one feature and round in another.
func curved(m, queries int, seed uint64) *data.Set {
	r := rand.New(rand.NewPCG(seed, 46))
	s := &data.Set{X: data.NewDense(m, 4, nil), Y: make([]float64, m)}
	of, names := make([]int32, m), make([]string, queries)
	for q := range names {
		names[q] = string(rune('a' + q))
	}
	for i := range m {
		row := s.X.(*data.Dense).Row(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		s.Y[i] = row[0] + 1.5*row[1]*row[1] + 0.3*r.NormFloat64()
		of[i] = int32(i % queries)
	}
	s.Queries = data.NewQueries(of, names)
	return s
}

func parsed(t *testing.T, spec string) []kernel.Kernel {
	t.Helper()
	k, err := kernel.ParseGrid(spec)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The weights that were learnt, given, train the same bytes; a sum of one kernel orders as that kernel; and the error
// that is printed is that of the given weights.
func TestLearntWeightsAreAKernel(t *testing.T) {
	ctx := context.Background()
	for _, queries := range []int{1, 6} {
		set := curved(60, queries, uint64(queries))
		train := func(spec string) *pairrank.Result {
			t.Helper()
			r, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, pairrank.Options{Kernels: parsed(t, spec)})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		learnt := train("linear+gaussian:gamma=0.3+polynomial:gamma=0.5,degree=2")
		spec := learnt.Training.Kernel.String()
		if !strings.Contains(spec, "*polynomial") {
			t.Errorf("the kernel is %s, and the labels are quadratic", spec)
		}
		if !slices.ContainsFunc(learnt.Notes, func(n event.Note) bool {
			return n.Code == codes.NoteHelped && strings.Contains(n.Text, "too low by the choice")
		}) {
			t.Errorf("no note says that the error is too low: %v", learnt.Notes)
		}
		given := train(spec)
		var a, b bytes.Buffer
		if err := learnt.Model.Write(&a); err != nil {
			t.Fatal(err)
		}
		if err := given.Model.Write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%d queries: the kernel %s trains another model when it is given", queries, spec)
		}
		alone, single := train("gaussian:gamma=0.3"), train("1*gaussian:gamma=0.3")
		points := func(r *pairrank.Result) string { return fmt.Sprint(r.Choice.Chosen().Outputs[0].Points) }
		if points(alone) != points(single) {
			t.Errorf("%d queries: a sum of one kernel has other errors than the kernel", queries)
		}
	}
}

// Each outer fold learns the weights anew from its training rows: labels of held-out rows change nothing in them.
func TestNestedEstimateLearnsWeightsAnew(t *testing.T) {
	set := curved(48, 8, 3)
	estimate := func(s *data.Set) *pairrank.Estimated {
		e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: s}, pairrank.EstimateOptions{
			Options: pairrank.Options{Kernels: parsed(t, "linear+polynomial:gamma=0.5,degree=2")},
			Nested:  &cv.Method{Kind: cv.KFold, Folds: 4}, Intervals: cv.IntervalsNone})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	kernels := map[kernel.Kernel]bool{}
	for _, c := range estimate(set).Nested.Chosen {
		kernels[c.Kernel] = true
	}
	if len(kernels) != 4 {
		t.Errorf("4 outer folds have %d different kernels: %v", len(kernels), kernels)
	}
	// The folds of the rows without the first query's labels: of 4 kernels the one that does not see it stays.
	other := *set
	other.Y = slices.Clone(set.Y)
	for _, i := range set.Queries.Part(0) {
		other.Y[i] = -other.Y[i]
	}
	same := 0
	for _, c := range estimate(&other).Nested.Chosen {
		if kernels[c.Kernel] {
			same++
		}
	}
	if same != 1 {
		t.Errorf("after a change of one query %d of 4 kernels are the same, and 1 does not see it", same)
	}
}

// Weights are learnt where the held-out error is exact, and refused elsewhere, with the way out.
func TestSumsAreRefused(t *testing.T) {
	set := curved(24, 1, 5)
	k := parsed(t, "linear+gaussian:gamma=0.3")
	for name, o := range map[string]pairrank.Options{
		"RankSVM": {Learner: pairrank.RankSVM{}},
		"Basis":   {Learner: pairrank.LeastSquares{Basis: pairrank.Basis{Size: 5}}},
		"Unit":    {Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Unit}}},
	} {
		o.Kernels = k
		_, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, o)
		if err == nil || !strings.Contains(err.Error(), "give the weights, as in") {
			t.Errorf("%s: %v", name, err)
		}
		o.Kernels = parsed(t, "0.5*linear+0.5*gaussian:gamma=0.3")
		if _, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, o); err != nil {
			t.Errorf("%s with given weights: %v", name, err)
		}
	}
}
