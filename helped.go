package pairrank

import (
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/spell"
)

// tellHelped notes what held-out rows help with by their features, whatever holds them out, and however often.
func (t *trainer) tellHelped() {
	if t.valid != nil || t.edges != nil && t.leaves.Kind != "item" && t.leaves.Kind != cv.LeaveQueryOut {
		return // rows of their own, or comparisons, whose rows stay
	}
	if what := t.helped(); len(what) > 0 {
		t.journal.Add(event.Note{Code: NoteHelped,
			Text:   "held-out rows have helped, by their features and not their labels: " + strings.Join(what, ", and "),
			Remedy: "to hold this out, too, train on some rows and evaluate the model on others"})
	}
}

// helped lists what is computed from all rows before any are held out.
func (t *trainer) helped() (what []string) {
	switch {
	case t.o.Normalize == data.NormalizeZScore:
		what = append(what, "zscore has the means and deviations of all rows")
	case t.o.Normalize == data.NormalizeMinMax:
		what = append(what, "minmax has the ranges of all rows")
	case t.o.Normalize == data.NormalizeQueryMinMax && t.cutsQueries():
		what = append(what, "query-minmax has the ranges of whole queries")
	}
	if s := t.problem.Set.Substitutes; s != nil && s.Missing > 0 {
		of := "the means or least values"
		switch {
		case s.Least == nil:
			of = "the means"
		case s.Mean == nil:
			of = "the least values"
		}
		what = append(what, fmt.Sprintf("%s are %s of all rows", spell.Plural(s.Missing, "missing value"), of))
	}
	if basis, _ := t.learner.basis(); basis.given() && len(t.support) < t.rows() {
		what = append(what, fmt.Sprintf("the %s of the basis stay", spell.Plural(len(t.support), "row")))
	}
	return what
}

// cutsQueries reports whether rows are held out without the others of their query.
func (t *trainer) cutsQueries() bool {
	m := t.wanted
	return t.queries.Len() == 1 || m != nil && m.Kind == cv.LeaveOneOut ||
		t.givenFolds != nil && !t.queries.Refines(t.givenFolds)
}
