package pairrank

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Nested is the error of the whole procedure, with its choices.
type Nested struct {
	// Point has the error over the pairs of the outer folds. Its StdErr is undefined where the folds
	// were drawn more than once, hold fewer than cv.FewPairs pairs, or err by exactly the same.
	cv.Point
	// Outer is how the outer folds are made, and Times how often they were drawn: those of a single
	// list hold few of its pairs each time.
	Outer cv.Method
	Times int
	// All is how many pairs the data has.
	All int64
	// Interval is the 95 % interval of Error by the half-samples of the estimate. It is Defined for folds of
	// a single list that hold as many pairs as there are, where there are half-samples.
	Interval cv.Interval

	alike bool // the test sets have the same error
}

// nest estimates the error of choosing and training over the outer folds.
func (e *Estimated) nest(ctx context.Context) error {
	s := e.choice.space
	if s.o.Nested == nil {
		return nil
	}
	n := &Nested{Outer: s.outer(), All: orderedPairs(s.y, s.compared().Len(), s.compared().Of())}
	tell, end := s.journal.Monitor.Task("nested estimate over "+n.Outer.String(), 0)
	defer end()
	o := cv.Options{Method: n.Outer, Seed: s.o.Seed + 1, Progress: tell}
	labels := cv.Labels{Y: s.y, Queries: s.queries}
	one, err := cv.Nested(ctx, s.chooseAndPredict, labels, o)
	if err != nil {
		return s.estimateError(err)
	}
	n.Point, n.Times = one, 1
	wanted := e.wantedTimes(n)
	if wanted > 1 && wanted <= e.affordedTimes(n.Outer) {
		if n.Point, err = cv.NestedAgain(ctx, s.chooseAndPredict, labels, o, one, wanted); err != nil {
			return s.estimateError(err)
		}
		n.Times = wanted
	}
	if n.alike = n.StdErr.Defined && n.StdErr.Value == 0; n.alike || n.Pairs < cv.FewPairs {
		n.StdErr = metric.Value{}
	}
	if s.queries.Len() == 1 && n.Outer.Kind == cv.KFold && n.Times == wanted {
		n.Interval = e.IntervalOf(n.Error, 0)
	}
	e.Nested = n
	return nil
}

// wantedTimes is how often the outer folds are to be drawn so that they hold as many pairs as the data
// has.
func (e *Estimated) wantedTimes(n *Nested) int {
	if e.Queries > 1 || n.Outer.Kind != cv.KFold {
		return 1
	}
	return int(math.Ceil(float64(n.All) / float64(n.Pairs)))
}

// affordedTimes is how often the outer folds may be drawn within the work that half-samples may take: once where
// folds are trained again, whose work is not known.
func (e *Estimated) affordedTimes(outer cv.Method) int {
	if e.Choice.Retrained {
		return 1
	}
	s := e.choice.space
	folds := float64(outer.Folds)
	kernels, lambdas := float64(len(s.o.Kernels)), float64(s.procedure.count(s.task))
	return int(cv.HalvesBudget / (folds * kernels * e.work(1-1/folds, lambdas)))
}

// orderedPairs counts the pairs of rows of a query with different labels.
func orderedPairs(y []float64, queries int, of []int32) int64 {
	labels := make([][]float64, queries)
	for i, g := range of {
		labels[g] = append(labels[g], y[i])
	}
	pairs := int64(0)
	for _, of := range labels {
		slices.Sort(of)
		for first, k := 0, 0; k < len(of); k++ {
			if of[k] != of[first] {
				first = k
			}
			pairs += int64(first)
		}
	}
	return pairs
}

// warnNested warns where little can be said of the nested error.
func (e *Estimated) warnNested() {
	n := e.Nested
	if n == nil || n.Interval.Defined || n.Times > 1 {
		return
	}
	why := ""
	switch {
	case n.Pairs < cv.FewPairs:
		why = "so few have no standard error"
	case n.alike:
		why = "their errors do not vary, which does not say how others would"
	case 2*n.Pairs < n.All:
		why = "the standard error is that of these"
	default:
		return
	}
	e.choice.space.journal.Add(Note{Warning: true, Code: NoteFewPairs,
		Text: fmt.Sprintf("the nested error is over %d of the %s of the data, those within a test set of %s: %s",
			n.Pairs, spell.Plural(int(n.All), "pair"), n.Outer, why),
		Remedy: "half-samples make an interval"})
}

// chooseAndPredict makes every choice on some rows, trains on them, and predicts
// others.
func (s *space) chooseAndPredict(ctx context.Context, train, test []int) (*data.Dense, error) {
	begin := s.under(s.o.Kernels[0])
	c, err := begin.part(train).choose(ctx, nil)
	if isNothing(err) {
		return data.NewDense(len(test), 1, nil), nil
	}
	if err != nil {
		return nil, err
	}
	var out *data.Dense
	emit := func(_ int, held cv.Held) { out = held.F }
	err = begin.under(c.chosen().Kernel).retrain(ctx, train, test, []float64{c.candidate()}, emit)
	return out, err
}
