package pairrank

import (
	"pairrank/internal/event"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// Monitor, Progress and Note are what is heard of a computation, and NoteCode names a note for programs.
type (
	Monitor  = event.Monitor
	Progress = event.Progress
	Note     = event.Note
	NoteCode = event.Code
)

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
