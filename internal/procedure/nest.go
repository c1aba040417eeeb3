package procedure

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/event"
	"pairrank/internal/spell"
)

// Outer describes the folds over which the whole procedure is estimated.
type Outer struct {
	Labels  cv.Labels
	Options cv.Options // with the method, its folds or their seed
	// All is the number of pairs in the data.
	All int64
	// Again allows the folds to be drawn again, since one drawing holds out few of the pairs. Work is the work
	// of one drawing, if it is known.
	Again bool
	Work  float64
}

// nest estimates the error of choosing and training over the outer folds.
func (r *Run) nest(ctx context.Context) error {
	if !r.plan.Nested {
		return nil
	}
	s := r.source()
	outer, err := s.Outer(r.Choice)
	if err != nil {
		return err
	}
	o := outer.Options
	n := &cv.NestedEstimate{Outer: o.Method, All: outer.All, Times: 1}
	tell, end := r.plan.Journal.Monitor.Task("nested estimate over "+n.Outer.String(), 0)
	defer end()
	o.Progress = tell
	whole := s.Under(0).(Divisible)
	share := 1.0
	if o.Splits != nil {
		share = 1 / float64(o.Splits.Len())
	}
	choose := func(ctx context.Context, train, test []int) (*data.Dense, error) {
		return chooseAndPredict(ctx, whole.Part(train, share), r.plan.Metric, test)
	}
	if n.Point, err = cv.Nested(ctx, choose, outer.Labels, o); err != nil {
		return s.Fault(err)
	}
	wanted := 1
	if outer.Again {
		wanted = int(math.Ceil(float64(n.All) / float64(n.Pairs)))
	}
	if wanted > 1 && !r.Choice.Retrained && wanted <= int(cv.HalvesBudget/outer.Work) {
		if n.Point, err = cv.NestedAgain(ctx, choose, outer.Labels, o, n.Point, wanted); err != nil {
			return s.Fault(err)
		}
		n.Times = wanted
	}
	if r.alike = n.StdErr.Defined && n.StdErr.Value == 0; r.alike || n.Pairs < cv.FewPairs {
		n.StdErr = metric.Value{}
	}
	if outer.Again && n.Times == wanted {
		n.Interval = r.IntervalOf(n.Error, 0)
	}
	r.Nested = n
	return nil
}

// chooseAndPredict makes every choice on a part, trains on it, and predicts the other units. If the part has
// nothing to choose by, all predictions are equal.
func chooseAndPredict(ctx context.Context, part Divisible, m *metric.Metric, others []int) (*data.Dense, error) {
	c, err := choose(ctx, part, m, nil)
	switch {
	case err == nil:
		return c.Source.(Divisible).Predict(ctx, c, others)
	case part.Nothing(err):
		return data.NewDense(len(others), 1, nil), nil
	}
	return nil, err
}

// warnNested warns if the nested error says little.
func (r *Run) warnNested() {
	n := r.Nested
	if n == nil || n.Interval.Defined || n.Times > 1 {
		return
	}
	why := ""
	switch {
	case n.Pairs < cv.FewPairs:
		why = "so few have no standard error"
	case r.alike:
		why = "their errors do not vary, which does not say how others would"
	case 2*n.Pairs < n.All:
		why = "the standard error is that of these"
	default:
		return
	}
	r.plan.Journal.Add(event.Note{Warning: true, Code: NoteFewPairs,
		Text: fmt.Sprintf("the nested error is over %d of the %s of the data, those within a test set of %s: %s",
			n.Pairs, spell.Plural(int(n.All), "pair"), n.Outer, why),
		Remedy: "half-samples make an interval"})
}
