package procedure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

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
	if outer.Options.Method.Kind == cv.LeavePairOut {
		return r.nestEveryPair(ctx, outer)
	}
	if err := r.nestFolds(ctx, s, outer); err != nil {
		return err
	}
	return r.intervalOfNest(ctx, outer.Work/4, func(ctx context.Context, half Divisible) (cv.Point, error) {
		outer, err := half.Outer(r.Choice)
		if err != nil {
			return cv.Point{}, err
		}
		return cv.Nested(ctx, outer.chooser(half, r.plan.Metric, nil, nil), outer.Labels, outer.Options)
	})
}

// nestFolds is nest by folds, without the half-samples.
func (r *Run) nestFolds(ctx context.Context, s Divisible, outer *Outer) (err error) {
	o := &outer.Options
	n := &cv.NestedEstimate{Outer: o.Method, All: outer.All, Times: 1, Parameter: r.Choice.Chosen().Parameter}
	tell, end := r.plan.Journal.Monitor.Task("nested estimate over "+n.Outer.String(), 0)
	defer end()
	chosen, within := &choices{}, outer.tellWithin(tell)
	choose := outer.chooser(s, r.plan.Metric, chosen, within)
	if n.Point, err = cv.Nested(ctx, choose, outer.Labels, *o); err != nil {
		if none := new(*cv.NoPairsError); errors.As(err, none) {
			err = fmt.Errorf("the nested estimate: %w; larger folds hold out pairs", err)
		}
		return s.Fault(err)
	}
	wanted := 1
	if outer.Again {
		wanted = int(math.Ceil(float64(n.All) / float64(n.Pairs)))
	}
	if wanted > 1 && !r.Choice.Retrained && wanted <= int(cv.HalvesBudget/outer.Work) {
		if n.Point, err = cv.NestedAgain(ctx, choose, outer.Labels, *o, n.Point, wanted); err != nil {
			return s.Fault(err)
		}
		n.Times = wanted
	}
	if outer.Again && n.Times == wanted {
		n.Interval = r.IntervalOf(n.Error, 0)
	}
	n.Chosen = chosen.all()
	r.keepNested(n)
	return nil
}

// keepNested keeps a nested estimate, without the standard error of few pairs, or of equal errors.
func (r *Run) keepNested(n *cv.NestedEstimate) {
	if r.alike = n.StdErr.Defined && n.StdErr.Value == 0; r.alike || n.Pairs < cv.FewPairs {
		n.StdErr = metric.Value{}
	}
	r.Nested = n
}

// rounds is the number of outer folds.
func (o *Outer) rounds() int {
	switch {
	case o.Options.Splits != nil:
		return o.Options.Splits.Len()
	case o.Options.Method.Kind == cv.LeaveQueryOut:
		return o.Labels.Queries.Len()
	}
	return max(1, o.Options.Method.Folds)
}

// tellWithin sets the progress of the outer folds, and returns a function for the progress within a fold: the first
// fold alone may take minutes.
func (o *Outer) tellWithin(tell func(done, total int)) func(done, total int) {
	const steps = 100 // of a fold
	var finished atomic.Int64
	rounds := o.rounds()
	o.Options.Progress = func(done, _ int) {
		finished.Store(int64(done % rounds))
		tell(min(done, rounds)*steps, rounds*steps)
	}
	return func(done, total int) {
		tell(int(finished.Load())*steps+steps*done/max(total, 1), rounds*steps)
	}
}

// chooser makes every choice on the training sets of the outer folds of a source, and predicts their test sets. tell
// receives the progress within a fold; it may be nil.
func (o *Outer) chooser(s Divisible, m *metric.Metric, chosen *choices, tell func(done, total int)) cv.Chooser {
	whole, share := s.Under(0).(Divisible), 1/float64(o.rounds())
	return func(ctx context.Context, train, test []int) (*data.Dense, error) {
		return chooseAndPredict(ctx, whole.Part(train, share), m, test, chosen, tell)
	}
}

// choices counts what outer folds chose; nil counts nothing.
type choices struct {
	mu    sync.Mutex
	every []cv.NestedChoice
}

func (n *choices) add(c *Choice) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	of := cv.NestedChoice{Kernel: c.Chosen().Kernel, Candidate: c.Candidate(), Times: 1}
	if c.Chosen().Parameter == cv.Features {
		e := c.Chosen().Outputs[0]
		of.Candidate, of.Features = e.Points[e.Best].Lambda, e.Points[e.Best].Features
	}
	for k := range n.every {
		if e := &n.every[k]; fmt.Sprint(e.Kernel) == fmt.Sprint(of.Kernel) && e.Candidate == of.Candidate &&
			e.Features == of.Features {
			e.Times++
			return
		}
	}
	n.every = append(n.every, of)
}

// all are the choices, the most frequent first.
func (n *choices) all() []cv.NestedChoice {
	slices.SortFunc(n.every, func(a, b cv.NestedChoice) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Candidate, b.Candidate),
			cmp.Compare(a.Features, b.Features))
	})
	return n.every
}

// chooseAndPredict makes every choice on a part, trains on it, and predicts the other units. If the part has
// nothing to choose by, all predictions are equal.
func chooseAndPredict(ctx context.Context, part Divisible, m *metric.Metric, others []int, chosen *choices,
	tell func(done, total int)) (*data.Dense, error) {
	c, err := choose(ctx, part, m, tell)
	switch {
	case err == nil:
		chosen.add(c)
		return c.Source.(Divisible).Predict(ctx, c, others)
	case part.Nothing(err):
		return data.NewDense(len(others), 1, nil), nil
	}
	return nil, err
}

// warnNested warns if the nested error says little.
func (r *Run) warnNested() {
	n := r.Nested
	if n == nil || n.Interval.Defined || n.Times > 1 || n.Pairs == n.All && !r.alike && n.Pairs >= cv.FewPairs {
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
