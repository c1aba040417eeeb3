package rows

import (
	"pairrank/internal/event"
	"pairrank/internal/procedure"
)

// The codes of notes: decisions and doubts of Train and Estimate.
const (
	NoteIdleQueries   event.Code = "idle-queries"            // queries with nothing to compare
	NoteGroups        event.Code = "groups"                  // which rows are left out together
	NoteRowNumbers    event.Code = "row-numbers"             // a feature looks like row numbers
	NoteIDs           event.Code = "like-ids"                // a feature looks like an id
	NoteLeak          event.Code = "leak"                    // a feature has one value for each label
	NoteSameNames     event.Code = "same-names"              // features have the same name
	NoteConstant      event.Code = "constant"                // a feature of a table has one value
	NoteTotals        event.Code = "totals"                  // the last row looks like a sum of the others
	NoteRepeatedIDs   event.Code = "repeated-ids"            // names of rows repeat
	NoteSubject       event.Code = "like-subjects"           // a feature numbers subjects
	NoteUnits         event.Code = "like-groups"             // a feature may name what rows belong to
	NoteLabelOrder    event.Code = "label-order"             // the label may be least for the best
	NoteMeaning       event.Code = "meaning"                 // a feature has a name of what is seldom one
	NoteSentinel      event.Code = "like-missing"            // a value of a feature may stand for a missing one
	NoteDates         event.Code = "dates"                   // a feature has dates written as numbers
	NoteRepeatedRows  event.Code = "repeated-rows"           // equal rows are held out apart
	NoteRepeatedQuery event.Code = "repeated-queries"        // equal queries are held out apart
	NoteManyPairs     event.Code = "many-pairs"              // leaving out all pairs of queries takes long
	NoteManySearches  event.Code = "many-searches"           // selecting features anew takes long
	NotePooled        event.Code = "pooled"                  // leave-one-out compares scores of different trainings
	NoteNestPairs     event.Code = "nest-pairs"              // the nested estimate leaves out pairs of rows
	NoteHelped        event.Code = "held-out-rows-helped"    // something is computed from held-out rows, too
	NoteBasis         event.Code = "basis"                   // the basis is singular
	NoteDigits        event.Code = "digits"                  // a result has few correct digits in double precision
	NoteScales        event.Code = "scales"                  // rounding of large features hides small ones
	NoteUnconverged   event.Code = "unconverged"             // no convergence; the model is the last iterate
	NoteAlike                    = procedure.NoteAlike       // no feature distinguishes the compared rows
	NoteNoStumps      event.Code = "no-stumps"               // no stump orders any pair
	NoteZeroWeights              = procedure.NoteZeroWeights // all weights are 0
	NoteEqualScores   event.Code = "equal-scores"            // compared rows get the same score
	NoteWithinEpsilon event.Code = "within-epsilon"          // w = 0 is within epsilon of the optimum
	NoteWideGap       event.Code = "wide-gap"                // the objective may be far from the optimum
	NoteTies          event.Code = "ties"                    // preferences without a preferred row are left out
	NoteMagnitudes    event.Code = "magnitudes"              // the learner does not use magnitudes
	NoteFeaturesLeft  event.Code = "features-left"           // leaving out all features would take long
)
