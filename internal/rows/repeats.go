package rows

import (
	"errors"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/doubt"
)

// JudgeRepeat is what an estimate says of one doubt about what repeats: an error where names or numbers of subjects
// do, unless its options insist. oneList says that the rows are one list, which a column of queries may divide.
func JudgeRepeat(d doubt.Doubt, independent, oneList bool) (event.Note, error) {
	code, asked := CodeOf(d.Kind), d.Kind == doubt.DoubtRepeatedIDs || d.Kind == doubt.DoubtSubject
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
		note, err := JudgeRepeat(d, independent, set.Queries.Len() == 1)
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}
