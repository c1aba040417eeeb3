package pairrank

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
)

// LearningCurve estimates the error anew on random parts of the queries, or of the rows of
// a single list, alone: ten parts of a half of them, of a quarter and so on, while at least
// 4 queries or 8 rows are left, five times at most. Each estimate is that of Estimate, by
// the same method and with every choice made again in the part, where there is a shortcut
// exactly; rows are drawn so that each label that four or more have keeps its share. A λ
// that was asked for is multiplied by the share that the part has of the weight of the
// compared pairs, as in half-samples. Options.Seed draws the parts. They are drawn within
// each other: the curve compares sizes, and the deviation is between parts that overlap.
//
// The cost is ten estimates of each size, together about ten of the whole where its cost
// is linear in the rows, O(mn² + n³) for each in the primal form, and less than two where it
// is of the third power; up to fifty where it hardly depends on the rows, as n³ in the primal
// form with nearly as many features as rows. Parts without a pair to hold out do not count. It returns an
// *Error where there are preferences, which do not come in parts of rows, and where there
// are too few queries or rows.
func (e *Estimated) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	if err := e.source().checkLearning(); err != nil {
		return nil, err
	}
	curve, err := e.run.LearningCurve(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.As(fault.Data, "", err)
	}
	return curve, nil
}

// checkLearning refuses a learning curve that there is none of.
func (t *task) checkLearning() error {
	units, least := t.units(), t.leastPart()
	switch {
	case t.edges != nil:
		return fault.Optionf("LearningCurve", "is of labels: preferences do not come in parts of rows")
	case units.n/2 < least:
		return fault.Dataf("a learning curve is of parts of the data, of %s at least: %s are too few", spell.Plural(least, units.of), spell.Plural(units.n, units.of))
	}
	return nil
}
