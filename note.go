package pairrank

import (
	"pairrank/internal/event"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// Monitor hears of a computation.
type Monitor struct {
	// Progress is called as work is done, from several goroutines; nil is not called.
	Progress func(Progress)
	// Note is called at once with every note, which the result keeps, too; nil is not
	// called.
	Note func(Note)
}

// Progress is how far a piece of work is.
type Progress struct {
	// Task names the piece of work; another name is another piece.
	Task string
	// Done of Total steps are done; Total is 0 where it is not known.
	Done, Total int64
	// State is what iterative work says of itself, by name, and Text the same for
	// people; nil and "" where there is nothing to say.
	State map[string]any
	Text  string
	// Ended says that the piece of work is over.
	Ended bool
}

// Note says what was decided on the way, or what is doubtful.
type Note struct {
	// Warning tells a doubt from a decision.
	Warning bool
	// Code says which note it is.
	Code NoteCode
	// Text is the note on one line, in which nothing is named that is not an idea of
	// the library.
	Text string
	// Remedy is what to do about it, or "".
	Remedy string
}

// String is the text and the remedy.
func (n Note) String() string { return event.Note(n).String() }

// NoteCode names a note for programs.
type NoteCode = event.Code

// The codes of notes: what Train and Estimate decide on the way, and what they doubt.
const (
	NoteIdleQueries    = rows.NoteIdleQueries         // queries with nothing to compare
	NoteRowNumbers     = rows.NoteRowNumbers          // a feature looks like the numbers of rows
	NoteManyPairs      = rows.NoteManyPairs           // leaving out all pairs of queries takes long
	NotePooled         = rows.NotePooled              // leave-one-out compares scores of different trainings
	NoteResumed        = rows.NoteResumed             // the training goes on from a checkpoint
	NoteStopped        = procedure.NoteStopped        // the model is the best before the end
	NoteBasis          = rows.NoteBasis               // the basis is singular
	NoteDigits         = rows.NoteDigits              // double precision leaves few digits of a result
	NoteScales         = rows.NoteScales              // features are lost beside others that are larger
	NoteUnconverged    = rows.NoteUnconverged         // the last iterate is the model
	NoteFolds          = procedure.NoteFolds          // trainings of folds did not converge
	NoteAlike          = procedure.NoteAlike          // nothing tells the compared rows apart
	NoteNoStumps       = rows.NoteNoStumps            // no stump orders any pair
	NoteZeroWeights    = procedure.NoteZeroWeights    // all weights are 0
	NoteEqualScores    = rows.NoteEqualScores         // compared rows get the same score
	NoteWithinEpsilon  = rows.NoteWithinEpsilon       // w = 0 is near enough to the optimum
	NoteWideGap        = rows.NoteWideGap             // the optimum may be far
	NoteEndOfPath      = procedure.NoteEndOfPath      // the best candidate is the first or the last
	NoteNoInterval     = procedure.NoteNoInterval     // the interval takes too long
	NoteFailedInterval = procedure.NoteFailedInterval // halves have no estimate
	NoteFeaturesLeft   = rows.NoteFeaturesLeft        // leaving out all features takes long
	NoteFewPairs       = procedure.NoteFewPairs       // the nested estimate is coarse
)
