package rows

import (
	"pairrank/internal/event"
	"pairrank/internal/procedure"
)

// The codes of notes: what Train and Estimate decide on the way, and what they doubt.
const (
	NoteIdleQueries   event.Code = "idle-queries"            // queries with nothing to compare
	NoteRowNumbers    event.Code = "row-numbers"             // a feature looks like the numbers of rows
	NoteManyPairs     event.Code = "many-pairs"              // leaving out all pairs of queries takes long
	NotePooled        event.Code = "pooled"                  // leave-one-out compares scores of different trainings
	NoteResumed       event.Code = "resumed"                 // the training goes on from a checkpoint
	NoteBasis         event.Code = "basis"                   // the basis is singular
	NoteDigits        event.Code = "digits"                  // double precision leaves few digits of a result
	NoteScales        event.Code = "scales"                  // features are lost beside others that are larger
	NoteUnconverged   event.Code = "unconverged"             // the last iterate is the model
	NoteAlike                    = procedure.NoteAlike       // nothing tells the compared rows apart
	NoteNoStumps      event.Code = "no-stumps"               // no stump orders any pair
	NoteZeroWeights              = procedure.NoteZeroWeights // all weights are 0
	NoteEqualScores   event.Code = "equal-scores"            // compared rows get the same score
	NoteWithinEpsilon event.Code = "within-epsilon"          // w = 0 is near enough to the optimum
	NoteWideGap       event.Code = "wide-gap"                // the optimum may be far
	NoteFeaturesLeft  event.Code = "features-left"           // leaving out all features takes long
)
