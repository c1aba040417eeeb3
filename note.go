package pairrank

import (
	"pairrank/internal/event"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// Monitor receives the progress and the notes of a computation.
type Monitor struct {
	// Progress is called with every step of the work, from several goroutines; it may be nil.
	Progress func(Progress)
	// Note is called at once with every note, which the result keeps, too; it may be nil.
	Note func(Note)
}

// Progress is the state of a piece of work.
type Progress struct {
	// Task names the piece of work.
	Task string
	// Done of Total steps are done; Total is 0 if it is not known.
	Done, Total int64
	// State holds the facts of an iteration by name, and Text the same for people; nil and "" if there are
	// none.
	State map[string]any
	Text  string
	// Ended reports whether the piece of work is over.
	Ended bool
}

// Note is a decision made on the way, or a doubt about the result.
type Note struct {
	// Warning marks a doubt.
	Warning bool
	// Code identifies the note.
	Code NoteCode
	// Text is the note on one line. It uses only terms of the library, no flags.
	Text string
	// Remedy is the advice, or "".
	Remedy string
}

// String returns the text and the remedy.
func (n Note) String() string { return event.Note(n).String() }

// NoteCode identifies a note for programs.
type NoteCode = event.Code

// The codes of notes: decisions and doubts of Train and Estimate.
const (
	NoteIdleQueries    NoteCode = "idle-queries"               // queries with nothing to compare
	NoteGroups         NoteCode = "groups"                     // which rows are left out together
	NoteRowNumbers              = rows.NoteRowNumbers          // a feature looks like row numbers
	NoteIDs                     = rows.NoteIDs                 // a feature looks like an id
	NoteLeak                    = rows.NoteLeak                // a feature has one value for each label
	NoteSameNames               = rows.NoteSameNames           // features have the same name
	NoteConstant                = rows.NoteConstant            // a feature of a table has one value
	NoteTotals                  = rows.NoteTotals              // the last row looks like a sum of the others
	NoteHelped         NoteCode = "held-out-rows-helped"       // something is computed from held-out rows, too
	NoteRepeatedIDs             = rows.NoteRepeatedIDs         // names of rows repeat
	NoteSubject                 = rows.NoteSubject             // a feature numbers subjects
	NoteUnits                   = rows.NoteUnits               // a feature may name what rows belong to
	NoteLabelOrder              = rows.NoteLabelOrder          // the label may be least for the best
	NoteMeaning                 = rows.NoteMeaning             // a feature has a name of what is seldom one
	NoteSentinel                = rows.NoteSentinel            // a value of a feature may stand for a missing one
	NoteDates                   = rows.NoteDates               // a feature has dates written as numbers
	NoteRepeatedRows            = rows.NoteRepeatedRows        // equal rows are held out apart
	NoteRepeatedQuery           = rows.NoteRepeatedQuery       // equal queries are held out apart
	NoteManySearches   NoteCode = "many-searches"              // selecting features anew takes long
	NoteManyPairs      NoteCode = "many-pairs"                 // leaving out all pairs of queries takes long
	NotePooled         NoteCode = "pooled"                     // leave-one-out compares scores of different trainings
	NoteStopped                 = procedure.NoteStopped        // the training was stopped; the model is the best so far
	NoteBasis          NoteCode = "basis"                      // the basis is singular
	NoteDigits         NoteCode = "digits"                     // a result has few correct digits in double precision
	noteWeights        NoteCode = "kernel-weights"             // weights of a sum of kernels were learnt
	NoteScales         NoteCode = "scales"                     // rounding of large features hides small ones
	NoteUnconverged    NoteCode = "unconverged"                // no convergence; the model is the last iterate
	NoteFolds                   = procedure.NoteFolds          // trainings on folds did not converge
	NoteAlike                   = procedure.NoteAlike          // no feature distinguishes the compared rows
	NoteNoStumps       NoteCode = "no-stumps"                  // no stump orders any pair
	NoteZeroWeights             = procedure.NoteZeroWeights    // all weights are 0
	NoteEqualScores    NoteCode = "equal-scores"               // compared rows get the same score
	NoteWithinEpsilon  NoteCode = "within-epsilon"             // w = 0 is within epsilon of the optimum
	NoteWideGap        NoteCode = "wide-gap"                   // the objective may be far from the optimum
	noteTimes                   = rows.NoteTimes               // labels are censored times, with which scores grow
	noteNestPairs      NoteCode = "nest-pairs"                 // the nested estimate leaves out pairs of rows
	NoteEndOfPath               = procedure.NoteEndOfPath      // the best candidate is the first or the last
	NoteNoInterval              = procedure.NoteNoInterval     // the interval would take too long
	NoteFewUnits                = procedure.NoteFewUnits       // there are too few units, or few have most of the pairs
	NoteFailedInterval          = procedure.NoteFailedInterval // half-samples have no estimate
	NoteFeaturesLeft   NoteCode = "features-left"              // leaving out all features would take long
	NoteTies           NoteCode = "ties"                       // preferences without a preferred row are left out
	NoteMagnitudes     NoteCode = "magnitudes"                 // the learner does not use magnitudes
	NoteFewPairs                = procedure.NoteFewPairs       // the nested estimate is coarse
	NoteNoStdErr                = procedure.NoteNoStdErr       // nothing has a standard error over these units
	NoteWrongWay                = procedure.NoteWrongWay       // the held-out models are worse than chance
)
