package procedure

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/codes"
)

// Train chooses a kernel and a candidate by the held-out error if the plan says so, and fits all of the source.
// A fit that is stopped may come together with the error; any other error comes without a fit. choice is nil if
// nothing was held out.
func Train(ctx context.Context, s Source, p Plan) (f Fit, choice *Choice, err error) {
	if p.Choosing != "" {
		tell, end := p.Journal.Monitor.Task(p.Choosing, 0)
		choice, err = choose(ctx, s, p.Metric, tell)
		if end(); err != nil {
			return nil, nil, err
		}
		s = choice.Source
	}
	if f, err = s.Fit(ctx, choice); f == nil {
		return nil, nil, err
	}
	if err != nil {
		kept := "best found"
		if of, says := f.(interface{ Kept() string }); says {
			kept = of.Kept()
		}
		p.Journal.Note(codes.NoteStopped, "the model is the %s before the training was stopped", kept)
	}
	doubt(ctx, s, f, choice, p)
	return f, choice, err
}

// Summary is the choice. If nothing was held out, c is nil and Summary is the only candidate.
func (c *Choice) Summary(only cv.Choice) cv.Choice {
	if c != nil {
		return c.Choice
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
