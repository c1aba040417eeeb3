package pairrank

import (
	"cmp"
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/doubt"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
)

// judgeRepeats tells what belongs together and is held out apart: equal rows and queries, names of rows that repeat,
// and numbers of subjects. The last two are errors, unless the options insist or nothing is held out.
func (t *trainer) judgeRepeats() error {
	set, x := t.problem.Set, t.x
	if x != nil {
		x = set.X // as it was given
	} else if t.given != nil {
		x = t.given
	}
	switch {
	case t.pairsLeave():
		return nil
	case t.valid != nil:
		t.judgeValid()
		x = nil
	case !t.chooses():
		x = nil
	}
	for _, d := range doubt.Repeats(set, x, t.apart(), t.problem.Labels == nil && t.censored == nil) {
		switch ids := d.Kind == doubt.DoubtRepeatedIDs; {
		case ids && (!t.chooses() || t.valid != nil), d.Kind == doubt.DoubtSubject && t.given != nil: // none are held out
		case !t.chooses():
			t.journal.Warn(rows.CodeOf(d.Kind), "%s", d.Text)
		default:
			note, err := rows.JudgeRepeat(d, t.o.IndependentRows, t.queries.Len() == 1)
			if err != nil {
				return err
			}
			t.journal.Add(note)
		}
	}
	return nil
}

// judgeValid tells how many rows for validation equal rows of the training. It warns unless few values make that
// ordinary.
func (t *trainer) judgeValid() {
	m := t.rows()
	n := len(t.valid.Y)
	side := make([]int32, m+n)
	for i := m; i < m+n; i++ {
		side[i] = 1
	}
	found := doubt.Copies(data.NewPartition(side, 2), t.problem.Set.X, t.problem.Valid.X)
	if found == nil {
		return
	}
	equal := fmt.Sprintf("%d of %s for validation equal a row of the training data, or but for rounding",
		found.Across(m), spell.Plural(n, "row"))
	if found.Ordinary {
		t.journal.Note(codes.NoteRepeatedRows, "%s, as many as features of few values let expect", equal)
		return
	}
	t.journal.Warn(codes.NoteRepeatedRows, "%s: their error says little about new rows", equal)
}

// apart are the parts of the rows of which one may be held out while another is learnt from.
func (t *trainer) apart() *data.Partition {
	single := func(m *cv.Method) bool {
		return m != nil && (m.Kind == cv.LeaveOneOut || m.Kind == cv.LeavePairOut)
	}
	blocks := t.labels().Blocks()
	rows := t.queries.Len() == 1 || single(t.wanted) || single(t.o.Nested)
	switch {
	case t.givenFolds != nil:
		return t.givenFolds
	case blocks != nil:
		return blocks
	case rows:
		return data.Singletons(t.rows())
	}
	return t.queries
}

// cutPart names the first part of p that parts of q cut.
func cutPart(p, q *data.Partition) string {
	of := q.Of()
	for g := range p.Len() {
		for _, i := range p.Part(g) {
			if of[i] != of[p.Part(g)[0]] {
				return fmt.Sprintf("query %q", data.ClipText(p.ID(g)))
			}
		}
	}
	return "a query"
}

// checkJudged refuses a problem whose held-out errors say nothing: what is not estimated does not choose.
func (t *trainer) checkJudged() error {
	if !t.chooses() || t.valid != nil {
		return nil
	}
	return cmp.Or(t.checkLone(), t.checkVaries())
}

// judgesTwoLabels reports whether an estimate is that of the area under one ROC curve: of a single list of two labels.
func (t *trainer) judgesTwoLabels() bool {
	return t.queries.Len() == 1 && t.outputs == 1 && !t.problem.replacesLabels() && t.twoLabels(0)
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
