package pairrank

import (
	"cmp"
	"strings"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/doubt"
)

// checkJudged refuses a problem whose held-out errors say nothing: what is not estimated does not choose.
func (t *trainer) checkJudged() error {
	if !t.chooses || t.valid != nil {
		return nil
	}
	return cmp.Or(t.checkLone(), t.checkVaries())
}

// judgesTwoLabels reports whether an estimate is that of the area under one ROC curve: of a single list of two labels.
func (t *trainer) judgesTwoLabels() bool {
	return t.queries.Len() == 1 && t.outputs == 1 && !t.problem.replacesLabels() && t.twoLabels(0)
}

// twoLabels reports whether an output has exactly two labels. Times are no labels.
func (r *sample) twoLabels(output int) bool {
	if r.censored != nil {
		return false
	}
	first, other := r.y[output], r.y[output]
	for at := output; at < len(r.y); at += r.outputs {
		switch y := r.y[at]; {
		case y == first || y == other:
		case other == first:
			other = y
		default:
			return false
		}
	}
	return other != first
}

// checkVaries refuses two labels of rows that have the same features: every model gives all rows one score.
func (t *trainer) checkVaries() error {
	if !t.judgesTwoLabels() || t.x == nil || t.features() > doubt.MostDoubted ||
		!sameRows(t.x, data.OneList(t.rows())) {
		return nil
	}
	const named = 3
	var first []string
	for j := range min(named, t.features()) {
		first = append(first, t.featureName(j))
	}
	return fault.Dataf("every feature (%d) is constant, first %s, so that every model gives all rows the same score",
		t.features(), strings.Join(first, ", "))
}

// checkLone refuses a single list of two labels of which one has a single unit, a row or a group of rows: all rounds
// that judge its pairs leave it out, and train on one label.
func (t *trainer) checkLone() error {
	if !t.judgesTwoLabels() {
		return nil
	}
	of := func(i int) int32 {
		if t.groups != nil {
			return t.groups.Of()[i]
		}
		return int32(i)
	}
	type seen struct {
		first int
		more  bool
	}
	labels := map[float64]seen{}
	for i, y := range t.y {
		if s, known := labels[y]; !known {
			labels[y] = seen{first: i}
		} else if of(s.first) != of(i) {
			labels[y] = seen{s.first, true}
		}
	}
	for _, y := range t.y { // in the order of the rows, so that the same one is named again
		s := labels[y]
		if s.more {
			continue
		}
		unit := t.problem.Set.Called(s.first)
		if t.groups != nil {
			unit = "the group of " + unit
		}
		return fault.Dataf("only %s has label %g: without it nothing is left to learn from, and two of each label are "+
			"needed", unit, y)
	}
	return nil
}
