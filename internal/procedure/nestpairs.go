package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
)

// NestsPairs is a source that leaves out every two units and, within the others, every two again.
type NestsPairs interface {
	Divisible
	// NestPairs returns every outer pair with the candidate that the others choose, under the kernel of the source,
	// and this with its candidates: those of all units, which look at no label.
	NestPairs(ctx context.Context, tell func(done, total int)) (cv.KernelEstimate, []holdout.NestedPair, error)
	// NestWork estimates the multiplications of NestPairs on a share of the units, under all kernels.
	NestWork(share float64) float64
	// UnitLabels are the labels of the units.
	UnitLabels() []float64
}

// nestPairs estimates the whole procedure by leaving out every pair of units.
func (r *Run) nestPairs(ctx context.Context, whole NestsPairs, tell func(done, total int)) (cv.Point,
	[]cv.NestedChoice, error) {
	switch outer, err := whole.Outer(r.Choice); {
	case err != nil:
		return cv.Point{}, nil, err
	case outer.Labels.Weights != nil:
		chosen := &choices{}
		point, err := holdout.NestEveryPair(ctx, outer.chooser(whole, r.plan.Metric, chosen, nil), outer.Labels, tell)
		return point, chosen.all(), err
	}
	n := whole.Kernels()
	kernels, pairs := make([]cv.KernelEstimate, n), make([][]holdout.NestedPair, n)
	for k := range n {
		progress := tell
		if tell != nil {
			progress = func(done, total int) { tell(total*k+done, total*n) }
		}
		var err error
		if kernels[k], pairs[k], err = whole.Under(k).(NestsPairs).NestPairs(ctx, progress); err != nil {
			return cv.Point{}, nil, err
		}
	}
	point, choices := holdout.NestedPairs(whole.UnitLabels(), pairs, kernels)
	return point, choices, nil
}

// nestEveryPair is nest by leaving out every pair, with an interval by half-samples of the whole nest.
func (r *Run) nestEveryPair(ctx context.Context, o *Outer) error {
	s := r.source().(NestsPairs)
	n := &cv.NestedEstimate{Outer: o.Options.Method, All: o.All, Parameter: r.Choice.Chosen().Parameter}
	tell, end := r.plan.Journal.Monitor.Task("nested estimate over every pair", 0)
	var err error
	n.Point, n.Chosen, err = r.nestPairs(ctx, s, tell)
	if end(); err != nil {
		return s.Fault(err)
	}
	n.Draws = []cv.Point{n.Point}
	r.keepNested(n)
	return r.intervalOfNest(ctx, s.NestWork(0.5), func(ctx context.Context, half Divisible) (cv.Point, error) {
		p, _, err := r.nestPairs(ctx, half.(NestsPairs), nil)
		return p, err
	})
}

// intervalOfNest makes the interval of the nested error by half-samples of the whole nest, where these are wanted; work
// is that of a half.
func (r *Run) intervalOfNest(ctx context.Context, work float64,
	nest func(ctx context.Context, half Divisible) (cv.Point, error)) error {
	h := r.source().Parts(r.Choice).Halving
	h.Work, h.Drawn = 2*holdout.HalfSplits*work, r.Nested.Outer.Kind == cv.KFold
	h.Estimate = func(ctx context.Context, units []int) ([]float64, error) {
		half, err := r.source().Half(ctx, r.Choice, units)
		if err != nil {
			return nil, err
		}
		p, err := nest(ctx, half.(Divisible))
		return []float64{p.Error}, err
	}
	wanted, note, err := h.Wanted(r.plan.Intervals)
	if note != "" && r.Halves != nil && work > 0 { // else the estimate has said so
		r.plan.Journal.Add(event.Note{Code: codes.NoteNoInterval, Text: "nested estimate: " + note,
			Remedy: "Intervals halves makes it"})
	}
	if !wanted || err != nil || work == 0 {
		return nil
	}
	halves, err := r.sample(ctx, &h, "estimating halves of the nest", "the nested error has no interval of its own")
	if halves != nil {
		r.Nested.Interval = halves.IntervalOver(r.Nested.Error, r.Nested.Point, 0)
		r.Nested.Halves = halves
	}
	return err
}
