package pairrank

import (
	"context"
	"math"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// LearningCurve is how the held-out error falls as there is more to learn from.
type LearningCurve struct {
	// Of is what was left out to have less: query, or row of a single list.
	Of string
	// Points are from few units to all of them, those of the last being the estimate itself.
	Points []LearningPoint
}

// LearningPoint is the held-out error of training on parts of the data.
type LearningPoint struct {
	// Units is the mean number of queries or rows of the parts.
	Units float64
	// Error is the mean over the parts, and the outputs, of the held-out error at the best
	// kernel and candidate, chosen anew in each part.
	Error float64
	// Deviation is the standard deviation of it between the parts, NaN of one.
	Deviation float64
	// Repeats is the number of parts.
	Repeats int
}

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
func (e *Estimated) LearningCurve(ctx context.Context) (*LearningCurve, error) {
	s := e.choice.space
	if err := s.checkLearning(); err != nil {
		return nil, err
	}
	units := s.units()
	curve, weight := &LearningCurve{Of: units.of}, 0.0
	if e.choice.goal != nil {
		weight = pref.Trace(e.choice.goal.L)
	}
	l := &cv.Learning{Units: units.n, Least: s.leastPart(),
		Halve: func(r *rand.Rand, some []int) []int { return among(some, units.halves(some)(r)[0]) },
		Estimate: func(ctx context.Context, some []int) ([]float64, error) {
			return s.estimateHalf(ctx, units.rows(some), weight)
		},
	}
	tell, end := s.journal.Monitor.Task("learning from parts of the data", 0)
	defer end()
	points, err := l.Curve(ctx, s.o.Seed, tell)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.As(fault.Data, "", err)
	}
	for _, p := range points {
		curve.Points = append(curve.Points, LearningPoint{p.Units, meanOf(p.Mean), meanOf(p.Deviation), p.Repeats})
	}
	curve.Points = append(curve.Points, LearningPoint{Units: float64(l.Units), Error: e.Choice.Error, Deviation: math.NaN(), Repeats: 1})
	return curve, nil
}

// leastPart is the fewest units that a part of a learning curve has, as many as there are
// folds at least.
func (t *task) leastPart() int {
	least := t.units().least
	if m := t.o.Method; m != nil && m.Kind == cv.KFold {
		least = max(least, m.Folds)
	}
	return least
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

// among are members of a list by their places.
func among(list, places []int) []int {
	out := make([]int, len(places))
	for k, at := range places {
		out[k] = list[at]
	}
	return out
}

// meanOf is the mean of numbers.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
