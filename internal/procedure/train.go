package procedure

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/event"
)

// Train chooses a kernel and a candidate by what is held out, where the plan says so, and fits all of the source.
// Where the fit is stopped it is there beside the error; else an error comes without a fit. choice is nil
// where nothing was held out.
func Train(ctx context.Context, s Source, p Plan) (f Fit, choice *Choice, err error) {
	if p.Chooses {
		tell, end := p.Journal.Monitor.Task("choosing λ", 0)
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
		p.Journal.Note(NoteStopped, "the model is the %s before the training was stopped", kept)
	}
	doubt(s, f, choice, p.Journal)
	return f, choice, err
}

// Summary is the choice, or where nothing was held out, since c is nil, the only candidate.
func (c *Choice) Summary(only cv.Choice) cv.Choice {
	if c != nil {
		return c.Choice
	}
	only.Error = math.NaN()
	return only
}

// doubt notes what is doubtful about a fit and a choice: what the source knows, and what is the same of all.
func doubt(s Source, f Fit, c *Choice, j *event.Journal) {
	s.Doubt(f, c)
	if n := s.Unconverged(); n > 0 {
		WarnFolds(j, n)
	}
	if c != nil {
		NoteEnds(j, c.Chosen())
	}
}
