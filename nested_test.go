package pairrank

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
)

// twoClasses is a list of rows with two labels, whose features differ by apart.
func twoClasses(r *rand.Rand, m, n int, apart float64) *data.Set {
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		y[i] = float64(i % 2)
		for j := range n {
			x.Row(i)[j] = r.NormFloat64() + apart*y[i]
		}
	}
	return &data.Set{X: x, Y: y, Queries: data.NewQueries(make([]int32, m), []string{"one"})}
}

// The nested error of a short list is over as many pairs as the list has, with an interval. It is never 0 with
// a standard error of 0. If it is over few pairs, a note warns.
func TestNestedErrorOfShortLists(t *testing.T) {
	for name, c := range map[string]struct {
		set       *data.Set
		learner   Learner
		intervals cv.Intervals
		again     bool // the outer folds are drawn more than once
		interval  bool
		warns     bool
	}{
		"noisy":     {set: twoClasses(rand.New(rand.NewPCG(22, 10)), 40, 3, 0.5), again: true, interval: true},
		"separable": {set: twoClasses(rand.New(rand.NewPCG(22, 11)), 40, 3, 20), again: true, interval: true},
		"no interval": {set: twoClasses(rand.New(rand.NewPCG(22, 12)), 40, 3, 20),
			intervals: cv.IntervalsNone, again: true},
		"trained again": {set: twoClasses(rand.New(rand.NewPCG(22, 13)), 60, 3, 20),
			learner: LeastSquares{Solver: CG}, intervals: cv.IntervalsNone, warns: true},
	} {
		o := EstimateOptions{Options: Options{Learner: c.learner, Seed: 1}, Intervals: c.intervals,
			Nested: &cv.Method{Kind: cv.KFold, Folds: 10}}
		e, err := Estimate(context.Background(), Problem{Set: c.set}, o)
		if err != nil {
			t.Fatal(err)
		}
		n := e.Nested
		half := int64(len(c.set.Y) / 2)
		if n.All != half*half {
			t.Errorf("%s: all pairs are %d, and there are %d", name, n.All, half*half)
		}
		if c.again != (len(n.Draws) > 1) || c.again != (10*n.Pairs >= 9*n.All) {
			t.Errorf("%s: the folds are drawn %d times, and hold %d of %d pairs", name, len(n.Draws), n.Pairs, n.All)
		}
		if n.StdErr.Defined && n.StdErr.Value == 0 {
			t.Errorf("%s: the error is %v ± 0", name, n.Error)
		}
		i := n.Interval
		if i.Defined != c.interval || i.Defined && !(i.Lo <= n.Error && n.Error <= i.Hi && i.Lo < i.Hi) {
			t.Errorf("%s: the error is %v, with the interval %+v", name, n.Error, i)
		}
		few := func(n event.Note) bool { return n.Code == codes.NoteFewPairs }
		if warns := slices.ContainsFunc(e.Notes, few); warns != c.warns {
			t.Errorf("%s: a warning is %v", name, warns)
		}
	}
}
