package procedure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// Outer describes the folds over which the whole procedure is estimated.
type Outer struct {
	Labels  holdout.Labels
	Options holdout.Options // with the method, its folds or their seed
	// All is the number of pairs in the data.
	All int64
	// Again allows the folds to be drawn again, since one drawing holds out few of the pairs. Work is the work
	// of one drawing, and HalfWork that on half of the units; 0 where it is not known.
	Again          bool
	Work, HalfWork float64
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
	return r.intervalOfNest(ctx, outer.HalfWork, func(ctx context.Context, half Divisible) (cv.Point, error) {
		outer, err := half.Outer(r.Choice)
		if err != nil {
			return cv.Point{}, err
		}
		return holdout.Nested(ctx, outer.chooser(half, r.plan.Metric, nil, nil), outer.Labels, outer.Options)
	})
}

// nestFolds is nest by folds, without the half-samples.
func (r *Run) nestFolds(ctx context.Context, s Divisible, outer *Outer) error {
	o := &outer.Options
	n := &cv.NestedEstimate{Outer: o.Method, All: outer.All, Parameter: r.Choice.Chosen().Parameter}
	tell, end := r.plan.Journal.Monitor.Task("nested estimate over "+n.Outer.String(), 0)
	defer end()
	chosen, progress := &choices{}, &nestProgress{tell: tell, folds: outer.rounds()}
	choose := outer.chooser(s, r.plan.Metric, chosen, progress)
	first, err := holdout.Nested(ctx, choose, outer.Labels, *o)
	if err != nil {
		if none := new(*holdout.NoPairsError); errors.As(err, none) {
			err = fmt.Errorf("the nested estimate: %w; larger folds hold out pairs", err)
		}
		return s.Fault(err)
	}
	wanted := 1
	if outer.Again {
		wanted = int(math.Ceil(float64(n.All) / float64(first.Pairs)))
	}
	times := 1
	if wanted > 1 && !r.Choice.Retrained && wanted <= int(holdout.HalvesBudget/outer.Work) {
		times = wanted
	}
	progress.folds *= times
	if n.Draws, err = holdout.NestedAgain(ctx, choose, outer.Labels, *o, first, times); err != nil {
		return s.Fault(err)
	}
	n.Point = cv.OfDraws(n.Draws)
	if outer.Again && times == wanted {
		n.Interval = r.IntervalOf(n.Error, 0)
	}
	n.Chosen = chosen.all()
	r.keepNested(n)
	return nil
}

// keepNested keeps a nested estimate, without the standard error of few pairs, or of equal errors.
func (r *Run) keepNested(n *cv.NestedEstimate) {
	if r.alike = !n.StdErr.Defined && n.Over.N >= ratio.LeastUnits; n.Pairs < holdout.FewPairs {
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

// nestProgress sums the progress of the outer folds, several of which may be worked on at a time. The first fold alone
// may take minutes.
type nestProgress struct {
	tell  func(done, total int)
	folds int // of all draws

	mu   sync.Mutex
	done float64 // folds
}

// fold returns a function that hears the progress within a fold; nil where p is.
func (p *nestProgress) fold() func(done, total int) {
	if p == nil {
		return nil
	}
	const steps = 100
	before := 0.0
	return func(done, total int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if share := float64(done) / float64(max(total, 1)); share > before {
			p.done += share - before
			before = share
			p.tell(int(math.Round(steps*p.done)), steps*p.folds)
		}
	}
}

// chooser makes every choice on the training sets of the outer folds of a source, and predicts their test sets.
// progress may be nil.
func (o *Outer) chooser(s Divisible, m *metric.Metric, chosen *choices, progress *nestProgress) holdout.Chooser {
	whole, share := s.Under(0).(Divisible), 1/float64(o.rounds())
	return func(ctx context.Context, train, test []int) (*data.Dense, error) {
		tell := progress.fold()
		f, err := chooseAndPredict(ctx, whole.Part(train, share), m, test, chosen, tell)
		if tell != nil {
			tell(1, 1)
		}
		return f, err
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
	if n == nil || n.Interval.Defined || len(n.Draws) > 1 || n.Pairs == n.All && !r.alike &&
		n.Pairs >= holdout.FewPairs {
		return
	}
	why := ""
	switch {
	case n.Pairs < holdout.FewPairs:
		why = "so few have no standard error"
	case r.alike:
		why = "their errors do not vary, which does not say how others would"
	case 2*n.Pairs < n.All:
		why = "the standard error is that of these"
	default:
		return
	}
	r.plan.Journal.Add(event.Note{Warning: true, Code: codes.NoteFewPairs,
		Text: fmt.Sprintf("the nested error is over %d of the %s of the data, those within a test set of %s: %s",
			n.Pairs, spell.Plural(int(n.All), "pair"), n.Outer, why),
		Remedy: "half-samples make an interval"})
}
