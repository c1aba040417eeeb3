package rows

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
)

// LearningCurve is Estimated.LearningCurve of package pairrank.
func (e *Estimated) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	if err := e.source().checkLearning(); err != nil {
		return nil, err
	}
	curve, err := e.Run.LearningCurve(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.As(fault.Data, "", err)
	}
	return curve, nil
}

// checkLearning refuses a problem without a learning curve.
func (t *trainer) checkLearning() error {
	units, least := t.units(), t.leastPart()
	switch {
	case t.edges != nil:
		return fault.Optionf("LearningCurve", "is of labels: preferences do not come in parts of rows")
	case units.n/2 < least:
		return fault.Dataf("a learning curve is of parts of the data, of %s at least: %s are too few",
			spell.Plural(least, units.of), spell.Plural(units.n, units.of))
	}
	return nil
}
