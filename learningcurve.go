package pairrank

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
)

// LearningCurve estimates the error on random parts of the data: parts of the queries, or of the rows of a
// single list. It draws ten parts of half the size, ten of a quarter and so on, at most five sizes, as long as
// a part has at least 4 queries or 8 rows. Each estimate works as Estimate does: with the same method, every
// choice made again within the part, and exactly where there is a shortcut. Rows are drawn so that each label
// with four or more rows keeps its share. If Options gives values of λ, they are multiplied by the part's share
// of the weight of the compared pairs, as in half-samples. Options.Seed draws the parts. The parts are nested:
// the curve compares sizes, and the deviation is between parts that overlap.
//
// The cost is ten estimates of each size. Together they take about ten times the whole estimate if that is
// linear in the rows, O(mn² + n³) in the primal form; less than twice if it is cubic in the rows; and up to
// fifty times if it hardly depends on the rows, as n³ does in the primal form with nearly as many features as
// rows. Parts without a pair to hold out do not count. LearningCurve returns an *Error for preferences, which
// cannot be split by rows, and for too few queries or rows.
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
