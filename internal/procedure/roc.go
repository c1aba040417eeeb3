package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
)

// Curved is a source whose units have an ROC curve by held-out pairs.
type Curved interface {
	Divisible
	// Curve ranks the units by all held-out pairs at the chosen candidate, and returns the curve of that ranking.
	Curve(ctx context.Context, c *Choice) (*cv.ROC, error)
	// CurveWork estimates the multiplications of Curve of a share of the units.
	CurveWork(share float64) float64
}

// CurveHalves answers questions about the curves of random halves, with every choice made again in each. The halves are
// those of the interval of the error. It returns nil, with a note where the reason is the time, if the estimate has no
// such interval.
func (r *Run) CurveHalves(ctx context.Context, q *cv.ROCQuestions) (*cv.Halves, error) {
	j, s := r.plan.Journal, r.source().(Curved)
	h := s.Parts(r.Choice).Halving
	h.Work += 2 * holdout.HalfSplits * s.CurveWork(0.5)
	h.Estimate = func(ctx context.Context, units []int) ([]float64, error) {
		half, err := s.Half(ctx, r.Choice, units)
		if err != nil {
			return nil, err
		}
		c, err := choose(ctx, half, r.plan.Metric, nil)
		if err != nil {
			return nil, err
		}
		if err := c.ToBest(ctx); err != nil {
			return nil, err
		}
		curve, err := c.Source.(Curved).Curve(ctx, c)
		if err != nil {
			return nil, err
		}
		return q.Numbers(curve), nil
	}
	wanted, note, err := h.Wanted(r.plan.Intervals)
	if !wanted || err != nil || r.Halves == nil {
		if note != "" && r.Halves != nil {
			j.Add(event.Note{Code: codes.NoteNoInterval,
				Text:   "the ROC curve has no band: the curves of halves would take too long",
				Remedy: "Intervals halves makes it"})
		}
		return nil, nil // the estimate has said so
	}
	return r.sample(ctx, &h, "curves of halves", "the ROC curve has no band")
}
