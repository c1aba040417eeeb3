package pairrank

import (
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
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
	case !t.chooses:
		x = nil
	}
	for _, d := range doubt.Repeats(set, x, t.apart(), t.problem.Labels == nil && t.censored == nil) {
		switch ids := d.Kind == doubt.DoubtRepeatedIDs; {
		case ids && (!t.chooses || t.valid != nil), d.Kind == doubt.DoubtSubject && t.given != nil: // none are held out
		case !t.chooses:
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
