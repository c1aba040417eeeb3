package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// prepareLabels sets the labels of several outputs, and refuses labels that order nothing. It notes how many
// queries have nothing to compare.
func (t *trainer) prepareLabels() error {
	if labels := t.problem.Labels; labels != nil {
		t.sample = t.relabelled(labels.Clone().Data, labels.Cols)
	}
	t.binarize()
	if err := cmp.Or(t.checkValidLabels(), t.checkLabelSizes()); err != nil {
		return err
	}
	if t.outputs > 1 || t.problem.Labels != nil || t.edges != nil {
		return nil
	}
	if t.censored != nil && t.rows() > 1 {
		return t.announceTimes()
	}
	if err := sameLabels(t.y); err != nil {
		if t.o.Threshold != nil && sameLabels(t.problem.Set.Y) == nil {
			return fault.Optionf("Threshold", "%v gives every row the label %v", *t.o.Threshold, t.y[0])
		}
		return err
	}
	if single, alike := idleQueries(t.y, t.problem.Set.Queries); single+alike > 0 && t.problem.Set.HasQID {
		t.journal.Note(codes.NoteIdleQueries, "%d of %d queries have nothing to compare: %d with one row, %d with one "+
			"label", single+alike, t.queries.Len(), single, alike)
	}
	return nil
}

// relabelled is the same rows with other labels: of censored times those of holdout.Labels.Signed.
func (r *sample) relabelled(y []float64, outputs int) *sample {
	other := *r
	if other.y, other.outputs = y, outputs; r.censored != nil {
		other.y, other.censored = goals.Unsigned(y)
	}
	return &other
}

// binarize makes two labels of more if the options ask for it.
func (t *trainer) binarize() {
	if t.o.Threshold == nil {
		return
	}
	t.y = slices.Clone(t.y)
	data.Binarize(t.y, *t.o.Threshold)
	if t.valid != nil {
		valid := *t.valid
		valid.Y = slices.Clone(valid.Y)
		data.Binarize(valid.Y, *t.o.Threshold)
		t.valid = &valid
	}
}

// checkValidLabels refuses rows for validation with which nothing can be chosen.
func (t *trainer) checkValidLabels() error {
	if t.valid == nil {
		return nil
	}
	if v := t.valid; v.Censored != nil {
		if goals.Incomparable(v.Y, v.Censored, v.Queries) == v.Queries.Len() {
			return fault.As(fault.Data, codes.FaultValidation, goals.ErrIncomparable)
		}
		return nil
	}
	if single, alike := idleQueries(t.valid.Y, t.valid.Queries); single+alike == t.valid.Queries.Len() {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultValidation,
			Err: errors.New("no two rows of a query have different labels, so there is nothing to choose by")}
	}
	return nil
}

// checkLabelSizes refuses labels that are too large or too small for least squares, if it takes their sizes.
func (t *trainer) checkLabelSizes() error {
	l, squares := t.learner.(LeastSquares)
	if g, selects := t.learner.(Greedy); selects {
		l, squares = g.leastSquares(), true
	}
	if !squares || t.edges != nil || !l.Regression && l.Pairs.Cost != pref.Magnitude {
		return nil
	}
	return fault.LabelSizes(t.y)
}

// sameLabels refuses labels that are all equal: they order nothing.
func sameLabels(y []float64) error {
	if slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return nil
	}
	if len(y) == 1 {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultOneRow,
			Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	}
	return &fault.Error{Kind: fault.Data, Code: codes.FaultOneLabel,
		Err: fmt.Errorf("all %d labels are %v, so nothing can be learnt about their order", len(y), y[0])}
}

// idleQueries counts the queries with one row, and those with several rows and a single label: they have
// nothing to compare.
func idleQueries(y []float64, queries *data.Partition) (single, alike int) {
	for g := range queries.Len() {
		rows := queries.Part(g)
		switch {
		case len(rows) == 1:
			single++
		case !slices.ContainsFunc(rows, func(i int32) bool { return y[i] != y[rows[0]] }):
			alike++
		}
	}
	return single, alike
}

// announceTimes says how scores are to be read that censored times teach, and refuses times of which none can be
// compared. It notes how many queries have nothing to compare.
func (t *trainer) announceTimes() error {
	if parts := t.compared(); goals.Incomparable(t.y, t.censored, parts) == parts.Len() {
		return fault.As(fault.Data, codes.FaultNothing, goals.ErrIncomparable)
	}
	events := 0
	for _, is := range t.censored {
		if !is {
			events++
		}
	}
	t.journal.Note(codes.NoteTimes,
		"labels are times until an event, which %d of %s had: the score grows with the time", events,
		spell.Plural(t.rows(), "row"))
	if idle := goals.Incomparable(t.y, t.censored, t.queries); idle > 0 && t.problem.Set.HasQID {
		t.journal.Note(codes.NoteIdleQueries, "%d of %d queries have no two times that can be compared", idle,
			t.queries.Len())
	}
	return nil
}

// compared is the queries within which rows are compared.
func (t *trainer) compared() *data.Partition {
	if t.o.AllPairs {
		return data.OneList(t.rows())
	}
	return t.queries
}
