package rows

import (
	"context"
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/doubt"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// codeOf are the codes of the doubts about features.
var codeOf = map[doubt.DoubtKind]event.Code{
	doubt.DoubtRowNumbers: codes.NoteRowNumbers, doubt.DoubtIDs: codes.NoteIDs, doubt.DoubtLeak: codes.NoteLeak,
	doubt.DoubtSameNames: codes.NoteSameNames, doubt.DoubtConstant: codes.NoteConstant,
	doubt.DoubtTotals:      codes.NoteTotals,
	doubt.DoubtRepeatedIDs: codes.NoteRepeatedIDs, doubt.DoubtDocumentTwice: codes.NoteRepeatedIDs,
	doubt.DoubtSubject:      codes.NoteSubject,
	doubt.DoubtRepeatedRows: codes.NoteRepeatedRows, doubt.DoubtRepeatedQueries: codes.NoteRepeatedQuery,
	doubt.DoubtUnits: codes.NoteUnits, doubt.DoubtLabelOrder: codes.NoteLabelOrder, doubt.DoubtMeaning: codes.NoteMeaning,
	doubt.DoubtTime: codes.NoteTime, doubt.DoubtWeight: codes.NoteWeight,
	doubt.DoubtSentinel: codes.NoteSentinel, doubt.DoubtDates: codes.NoteDates,
}

// CodeOf is the code of the note about a doubt.
func CodeOf(d doubt.DoubtKind) event.Code { return codeOf[d] }

// NamesNotes are what names of features tell that may mean something else, where the rows are not at hand. Features
// that the schema of their training accepts are none; it may be nil.
func NamesNotes(names []string, of *data.Schema) (notes []event.Note) {
	accepted := func(j int) bool { return of != nil && slices.Contains(of.Accepted, names[j]) }
	for _, d := range doubt.Names(names, accepted) {
		notes = append(notes, event.Note{Code: CodeOf(d.Kind), Text: d.Text})
	}
	return notes
}

// IsNothing reports whether an error means that there is nothing to learn.
func IsNothing(err error) bool { return errors.Is(err, goals.ErrNothingToLearn) }

// Conclude gives errors of the learners their kind and code. It returns the error of a cancelled context
// unchanged.
func Conclude(err error) error {
	var known *fault.Error
	var inexact *rls.NotExactError
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case IsNothing(err):
		return fault.As(fault.Data, codes.FaultNothing, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.As(fault.Numerical, codes.FaultNoModel, err)
	case errors.Is(err, ranksvm.ErrNumerical):
		return fault.As(fault.Numerical, codes.FaultObjective, err)
	case errors.Is(err, rls.ErrNumerical):
		return fault.As(fault.Numerical, codes.FaultSolution, err)
	case errors.As(err, &inexact):
		return fault.As(fault.Use, codes.FaultNotExact, err)
	}
	return err
}
