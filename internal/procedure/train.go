package procedure

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/codes"
)

// Train chooses a kernel and a candidate by the held-out error if the plan says so, and fits all of the source.
// A fit that is stopped may come together with the error; any other error comes without a fit. chosen is nil if
// nothing was held out.
func Train(ctx context.Context, s Source, p Plan) (f Fit, chosen *cv.Choice, err error) {
	var c *Choice
	if p.Choosing != "" {
		tell, end := p.Journal.Monitor.Task(p.Choosing, 0)
		c, err = choose(ctx, s, p.Metric, tell)
		if end(); err != nil {
			return nil, nil, err
		}
		s, chosen = c.Source, &c.Choice
	}
	if f, err = s.Fit(ctx, c); f == nil {
		return nil, nil, err
	}
	if err != nil {
		kept := "best found"
		if of, says := f.(interface{ Kept() string }); says {
			kept = of.Kept()
		}
		p.Journal.Note(codes.NoteStopped, "the model is the %s before the training was stopped", kept)
	}
	doubt(ctx, s, f, c, p)
	return f, chosen, err
}

// choose estimates every candidate of every kernel. The best kernel is the one whose best candidate has the
// best metric, or the smallest error if m is nil; by losses, see simplest, if estimates have some. tell receives the
// progress over all kernels; it may be nil.
func choose(ctx context.Context, s Source, m *metric.Metric, tell func(done, total int)) (*Choice, error) {
	var estimates []cv.KernelEstimate
	best, kernels := 0, s.Kernels()
	for k := range kernels {
		s = s.Under(k)
		progress := tell
		if tell != nil && kernels > 1 {
			progress = func(done, total int) { tell(total*k+done, total*kernels) }
		}
		e, err := s.Estimate(ctx, progress)
		if err != nil {
			return nil, err
		}
		if estimates = append(estimates, e); e.Criterion(m) < estimates[best].Criterion(m) {
			best = k
		}
	}
	losses, best := simplest(estimates, best)
	chosen := NewChoice(estimates, best)
	chosen.ByLoss = losses != nil
	return &Choice{Choice: chosen, Source: s, Losses: losses, kernel: kernels - 1}, nil
}

// Summary is the choice. If nothing was held out, c is nil and Summary is the only candidate.
func Summary(c *cv.Choice, only cv.Choice) cv.Choice {
	if c != nil {
		return *c
	}
	only.Error = math.NaN()
	return only
}

// doubt notes doubts about a fit and a choice: those of the source, and those common to all sources.
func doubt(ctx context.Context, s Source, f Fit, c *Choice, p Plan) {
	s.Doubt(ctx, f, c)
	if n := s.Unconverged(); n > 0 {
		WarnFolds(p.Journal, n)
	}
	if c == nil {
		return
	}
	noteEnds(p.Journal, c.Chosen(), c.Settled)
	if len(c.Chosen().Outputs) == 1 {
		noteUnits(p.Journal, c.BestPoint(0, p.Metric))
	}
}
