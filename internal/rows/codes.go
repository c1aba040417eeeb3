package rows

import (
	"context"
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/doubt"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// The codes of notes about features and about what repeats.
const (
	NoteRowNumbers    event.Code = "row-numbers"      // a feature looks like row numbers
	NoteIDs           event.Code = "like-ids"         // a feature looks like an id
	NoteLeak          event.Code = "leak"             // a feature has one value for each label
	NoteSameNames     event.Code = "same-names"       // features have the same name
	NoteConstant      event.Code = "constant"         // a feature of a table has one value
	NoteTotals        event.Code = "totals"           // the last row looks like a sum of the others
	NoteRepeatedIDs   event.Code = "repeated-ids"     // names of rows repeat
	NoteSubject       event.Code = "like-subjects"    // a feature numbers subjects
	NoteRepeatedRows  event.Code = "repeated-rows"    // equal rows are held out apart
	NoteRepeatedQuery event.Code = "repeated-queries" // equal queries are held out apart
	NoteUnits         event.Code = "like-groups"      // a feature may name what rows belong to
	NoteLabelOrder    event.Code = "label-order"      // the label may be least for the best
	NoteMeaning       event.Code = "meaning"          // a feature has a name of what is seldom one
	NoteTimes         event.Code = "times"            // labels are censored times, with which scores grow
	NoteTime          event.Code = "like-times"       // a feature may be a censored time, or whether its event was seen
	NoteWeight        event.Code = "like-weights"     // a feature may be how much rows count
	NoteSentinel      event.Code = "like-missing"     // a value of a feature may stand for a missing one
	NoteDates         event.Code = "dates"            // a feature has dates written as numbers
)

// The codes of errors that are found below the entrance.
const (
	FaultManyFeatures fault.Code = "many-features"    // vectors of features do not fit into memory
	FaultNothing      fault.Code = "nothing-to-learn" // no two compared rows have different labels
	FaultNoModel      fault.Code = "no-model"         // the deadline passed before there was a model
	FaultObjective    fault.Code = "objective"        // the objective of RankSVM overflows double precision
	FaultSolution     fault.Code = "solution"         // the solution of least squares overflows double precision
	FaultNotExact     fault.Code = "not-exact"        // the method has no exact shortcut here
	FaultConnected    fault.Code = "connected"        // preferences connect queries
	FaultTimes        fault.Code = "times"            // labels are censored times
	FaultWeights      fault.Code = "weights"          // weights of rows that are none, or that nothing takes
)

// codes are those of the doubts about features.
var codes = map[doubt.DoubtKind]event.Code{
	doubt.DoubtRowNumbers: NoteRowNumbers, doubt.DoubtIDs: NoteIDs, doubt.DoubtLeak: NoteLeak,
	doubt.DoubtSameNames: NoteSameNames, doubt.DoubtConstant: NoteConstant, doubt.DoubtTotals: NoteTotals,
	doubt.DoubtRepeatedIDs: NoteRepeatedIDs, doubt.DoubtDocumentTwice: NoteRepeatedIDs, doubt.DoubtSubject: NoteSubject,
	doubt.DoubtRepeatedRows: NoteRepeatedRows, doubt.DoubtRepeatedQueries: NoteRepeatedQuery,
	doubt.DoubtUnits: NoteUnits, doubt.DoubtLabelOrder: NoteLabelOrder, doubt.DoubtMeaning: NoteMeaning,
	doubt.DoubtTime: NoteTime, doubt.DoubtWeight: NoteWeight,
	doubt.DoubtSentinel: NoteSentinel, doubt.DoubtDates: NoteDates,
}

// CodeOf is the code of the note about a doubt.
func CodeOf(d doubt.DoubtKind) event.Code { return codes[d] }

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
		return fault.As(fault.Data, FaultNothing, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.As(fault.Numerical, FaultNoModel, err)
	case errors.Is(err, ranksvm.ErrNumerical):
		return fault.As(fault.Numerical, FaultObjective, err)
	case errors.Is(err, rls.ErrNumerical):
		return fault.As(fault.Numerical, FaultSolution, err)
	case errors.As(err, &inexact):
		return fault.As(fault.Use, FaultNotExact, err)
	}
	return err
}
