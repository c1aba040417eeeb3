package rows

import (
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/doubt"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/spell"
)

// judgeRepeats tells what belongs together and is held out apart: equal rows and queries, names of rows that repeat,
// and numbers of subjects. The last two are errors, unless the options insist or nothing is held out.
func (t *task) judgeRepeats() error {
	set, x := t.problem.Set, t.x
	if x != nil {
		x = set.X // as it was given
	} else if t.given != nil {
		x = t.given
	}
	switch {
	case t.byUnits():
		return nil
	case t.valid != nil:
		t.judgeValid()
		x = nil
	case !t.chooses():
		x = nil
	}
	for _, d := range doubt.Repeats(set, x, t.apart(), t.problem.Labels == nil) {
		switch ids := d.Kind == doubt.DoubtRepeatedIDs; {
		case ids && (!t.chooses() || t.valid != nil), d.Kind == doubt.DoubtSubject &&
			t.given != nil: // none are held out
		case !t.chooses():
			t.journal.Warn(codes[d.Kind], "%s", d.Text)
		default:
			note, err := judgeRepeat(d, t.o.Independent, t.queries.Len() == 1)
			if err != nil {
				return err
			}
			t.journal.Add(note)
		}
	}
	return nil
}

// judgeRepeat is what an estimate says of one doubt about what repeats: an error where names or numbers of subjects
// do, unless its options insist. oneList says that the rows are one list, which a column of queries may divide.
func judgeRepeat(d doubt.Doubt, independent, oneList bool) (event.Note, error) {
	code, asked := codes[d.Kind], d.Kind == doubt.DoubtRepeatedIDs || d.Kind == doubt.DoubtSubject
	switch {
	case d.Kind == doubt.DoubtDocumentTwice, !asked && !independent:
		return event.Note{Warning: true, Code: code, Text: d.Text}, nil
	case independent:
		return event.Note{Code: code, Text: "rows are said to be independent, although " + d.Text}, nil
	}
	return event.Note{}, &fault.Error{Kind: fault.Data, Code: fault.Code(code), Values: []any{d.Column, oneList},
		Err: errors.New(d.Text)}
}

// JudgeRepeats is what judging the scores of rows says of what repeats in them, by the rule of training: names that
// repeat in a list are an error unless independent insists. Folds have no part in it. The numbers of subjects are what
// a model learnt from, which told of them. It costs as much as Repeats of the set.
func JudgeRepeats(set *data.Set, independent bool) (notes []event.Note, err error) {
	judged := *set
	judged.Folds = nil
	for _, d := range doubt.Repeats(&judged, judged.X, doubt.Apart(&judged), true) {
		if d.Kind == doubt.DoubtSubject {
			continue
		}
		note, err := judgeRepeat(d, independent, set.Queries.Len() == 1)
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// judgeValid tells how many rows for validation equal rows of the training. It warns unless few values make that
// ordinary.
func (t *task) judgeValid() {
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
		t.journal.Note(NoteRepeatedRows, "%s, as many as features of few values let expect", equal)
		return
	}
	t.journal.Warn(NoteRepeatedRows, "%s: their error says little about new rows", equal)
}

// apart are the parts of the rows of which one may be held out while another is learnt from.
func (t *task) apart() *data.Partition {
	single := func(m *cv.Method) bool {
		return m != nil && (m.Kind == cv.LeaveOneOut || m.Kind == cv.LeavePairOut)
	}
	blocks := holdout.Labels{Y: t.y, Outputs: t.outputs, Queries: t.queries, Groups: t.groups}.Blocks()
	rows := t.queries.Len() == 1 || single(t.o.Method) || single(t.o.Nested)
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
