package procedure

import (
	"pairrank/eval/cv"
	"pairrank/fault"
)

// Against compares the best estimate of an output with that of another run on the same data, and the nested estimates
// if both runs have one. It refuses estimates over other held-out pairs, or by another seed, which draws other folds
// and halves: their differences would be those of the pairs, too.
func (r *Run) Against(other *Run, output int) (difference cv.Difference, nested *cv.Difference, err error) {
	a, b := &r.Choice.Choice, &other.Choice.Choice
	x, y := r.best(output), other.best(output)
	switch {
	case a.Method != b.Method:
		err = fault.Optionf("Method", "is to be the same for procedures that are compared: one holds out by %s, the other "+
			"by %s", a.Method, b.Method)
	case r.plan.Seed != other.plan.Seed:
		err = fault.Optionf("Seed", "is to be the same for procedures that are compared: it draws folds and halves")
	case x.Pairs != y.Pairs || a.Measure != b.Measure:
		err = fault.Optionf("Method", "is to hold out the same for procedures that are compared: one is judged by %d pairs, "+
			"the other by %d", x.Pairs, y.Pairs)
	case (r.Nested == nil) != (other.Nested == nil) || r.Nested != nil && r.Nested.Outer != other.Nested.Outer:
		err = fault.Optionf("Nested", "is to be the same for procedures that are compared")
	}
	if err != nil {
		return difference, nil, err
	}
	difference = cv.Minus(x, y, r.Halves, other.Halves, output)
	if r.Nested != nil {
		nested = new(cv.MinusNested(r.Nested, other.Nested))
	}
	return difference, nested, nil
}
