package pairrank

import (
	"pairrank/event"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// The codes of notes: decisions and doubts of Train and Estimate.
const (
	NoteIdleQueries    event.Code = "idle-queries"               // queries with nothing to compare
	NoteGroups         event.Code = "groups"                     // which rows are left out together
	NoteRowNumbers                = rows.NoteRowNumbers          // a feature looks like row numbers
	NoteIDs                       = rows.NoteIDs                 // a feature looks like an id
	NoteLeak                      = rows.NoteLeak                // a feature has one value for each label
	NoteSameNames                 = rows.NoteSameNames           // features have the same name
	NoteConstant                  = rows.NoteConstant            // a feature of a table has one value
	NoteTotals                    = rows.NoteTotals              // the last row looks like a sum of the others
	NoteHelped                    = procedure.NoteHelped         // something is computed from held-out rows, too
	NoteRepeatedIDs               = rows.NoteRepeatedIDs         // names of rows repeat
	NoteSubject                   = rows.NoteSubject             // a feature numbers subjects
	NoteUnits                     = rows.NoteUnits               // a feature may name what rows belong to
	NoteLabelOrder                = rows.NoteLabelOrder          // the label may be least for the best
	NoteMeaning                   = rows.NoteMeaning             // a feature has a name of what is seldom one
	NoteSentinel                  = rows.NoteSentinel            // a value of a feature may stand for a missing one
	NoteDates                     = rows.NoteDates               // a feature has dates written as numbers
	NoteRepeatedRows              = rows.NoteRepeatedRows        // equal rows are held out apart
	NoteRepeatedQuery             = rows.NoteRepeatedQuery       // equal queries are held out apart
	NoteManySearches   event.Code = "many-searches"              // selecting features anew takes long
	NoteManyPairs      event.Code = "many-pairs"                 // leaving out all pairs of queries takes long
	NotePooled         event.Code = "pooled"                     // leave-one-out compares scores of different trainings
	NoteStopped                   = procedure.NoteStopped        // the training was stopped; the model is the best so far
	NoteBasis          event.Code = "basis"                      // the basis is singular
	NoteDigits         event.Code = "digits"                     // a result has few correct digits in double precision
	NoteScales         event.Code = "scales"                     // rounding of large features hides small ones
	NoteUnconverged    event.Code = "unconverged"                // no convergence; the model is the last iterate
	NoteFolds                     = procedure.NoteFolds          // trainings on folds did not converge
	NoteAlike                     = procedure.NoteAlike          // no feature distinguishes the compared rows
	NoteNoStumps       event.Code = "no-stumps"                  // no stump orders any pair
	NoteZeroWeights               = procedure.NoteZeroWeights    // all weights are 0
	NoteEqualScores    event.Code = "equal-scores"               // compared rows get the same score
	NoteWithinEpsilon  event.Code = "within-epsilon"             // w = 0 is within epsilon of the optimum
	NoteWideGap        event.Code = "wide-gap"                   // the objective may be far from the optimum
	noteTimes                     = rows.NoteTimes               // labels are censored times, with which scores grow
	noteFactor         event.Code = "long-factorisation"         // factoring takes long
	noteNestPairs      event.Code = "nest-pairs"                 // the nested estimate leaves out pairs of rows
	NoteEndOfPath                 = procedure.NoteEndOfPath      // the best candidate is the first or the last
	NoteNoInterval                = procedure.NoteNoInterval     // the interval would take too long
	NoteFewUnits                  = procedure.NoteFewUnits       // there are too few units, or few have most of the pairs
	NoteFailedInterval            = procedure.NoteFailedInterval // half-samples have no estimate
	NoteFeaturesLeft   event.Code = "features-left"              // leaving out all features would take long
	NoteTies           event.Code = "ties"                       // preferences without a preferred row are left out
	NoteMagnitudes     event.Code = "magnitudes"                 // the learner does not use magnitudes
	NoteFewPairs                  = procedure.NoteFewPairs       // the nested estimate is coarse
	NoteNoStdErr                  = procedure.NoteNoStdErr       // nothing has a standard error over these units
	NoteWrongWay                  = procedure.NoteWrongWay       // the held-out models are worse than chance
)
