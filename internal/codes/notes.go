// Package codes lists the codes of notes and faults, for which the command has remedies.
package codes

import "pairrank/event"

// The codes of notes on rows and of every kind of data.
const (
	NoteRowNumbers     event.Code = "row-numbers"          // a feature looks like row numbers
	NoteIDs            event.Code = "like-ids"             // a feature looks like an id
	NoteLeak           event.Code = "leak"                 // a feature has one value for each label
	NoteSameNames      event.Code = "same-names"           // features have the same name
	NoteConstant       event.Code = "constant"             // a feature of a table has one value
	NoteTotals         event.Code = "totals"               // the last row looks like a sum of the others
	NoteRepeatedIDs    event.Code = "repeated-ids"         // names of rows repeat
	NoteSubject        event.Code = "like-subjects"        // a feature numbers subjects
	NoteRepeatedRows   event.Code = "repeated-rows"        // equal rows are held out apart
	NoteRepeatedQuery  event.Code = "repeated-queries"     // equal queries are held out apart
	NoteUnits          event.Code = "like-groups"          // a feature may name what rows belong to
	NoteLabelOrder     event.Code = "label-order"          // the label may be least for the best
	NoteMeaning        event.Code = "meaning"              // a feature has a name of what is seldom one
	NoteTimes          event.Code = "times"                // labels are censored times, with which scores grow
	NoteTime           event.Code = "like-times"           // a feature may be a censored time, or its event
	NoteWeight         event.Code = "like-weights"         // a feature may be how much rows count
	NoteSentinel       event.Code = "like-missing"         // a value of a feature may stand for a missing one
	NoteDates          event.Code = "dates"                // a feature has dates written as numbers
	NoteIdleQueries    event.Code = "idle-queries"         // queries with nothing to compare
	NoteGroups         event.Code = "groups"               // which rows are left out together
	NoteManySearches   event.Code = "many-searches"        // selecting features anew takes long
	NoteManyPairs      event.Code = "many-pairs"           // leaving out all pairs of queries takes long
	NotePooled         event.Code = "pooled"               // leave-one-out compares scores of different trainings
	NoteBasis          event.Code = "basis"                // the basis is singular
	NoteDigits         event.Code = "digits"               // a result has few correct digits in double precision
	NoteScales         event.Code = "scales"               // rounding of large features hides small ones
	NoteUnconverged    event.Code = "unconverged"          // no convergence; the model is the last iterate
	NoteNoStumps       event.Code = "no-stumps"            // no stump orders any pair
	NoteEqualScores    event.Code = "equal-scores"         // compared rows get the same score
	NoteWithinEpsilon  event.Code = "within-epsilon"       // w = 0 is within epsilon of the optimum
	NoteWideGap        event.Code = "wide-gap"             // the objective may be far from the optimum
	NoteFactor         event.Code = "long-factorisation"   // factoring takes long
	NoteDrawnBasis     event.Code = "drawn-basis"          // a drawn basis stands in for all rows
	NoteNestPairs      event.Code = "nest-pairs"           // the nested estimate leaves out pairs of rows
	NoteFeaturesLeft   event.Code = "features-left"        // leaving out all features would take long
	NoteTies           event.Code = "ties"                 // preferences without a preferred row are left out
	NoteMagnitudes     event.Code = "magnitudes"           // the learner does not use magnitudes
	NoteHelped         event.Code = "held-out-rows-helped" // something is computed from held-out rows, too
	NoteStopped        event.Code = "stopped"              // the training was stopped; the model is the best so far
	NoteFolds          event.Code = "folds"                // trainings on folds did not converge
	NoteEndOfPath      event.Code = "end-of-path"          // the best candidate is the first or the last
	NoteNoInterval     event.Code = "no-interval"          // the interval would take too long
	NoteFailedInterval event.Code = "failed-interval"      // half-samples have no estimate
	NoteNoStdErr       event.Code = "no-standard-error"    // nothing has a standard error over these units
	NoteFewUnits       event.Code = "few-units"            // there are too few units, or few have most of the pairs
	NoteWrongWay       event.Code = "wrong-way"            // the held-out models are worse than chance
	NoteFewPairs       event.Code = "few-pairs"            // the nested estimate is coarse
	NoteAlike          event.Code = "alike"                // no feature distinguishes the compared rows
	NoteZeroWeights    event.Code = "zero-weights"         // all weights are 0
)

// The codes of notes on comparisons.
const (
	NoteRepeatedLines    event.Code = "repeated-lines"    // lines are equal to earlier ones
	NoteReading          event.Code = "reading"           // how outcomes were read
	NoteLeftOut          event.Code = "left-out"          // lines without an outcome
	NotePooledAnnotators event.Code = "pooled-annotators" // too few annotators are units
	NoteOverdispersed    event.Code = "overdispersed"     // lines differ more than independent outcomes
	NoteBoardInterval    event.Code = "board-interval"    // items without an interval
	NoteFeaturesLack     event.Code = "features-lack"     // features do not explain the scores
	NoteRareItems        event.Code = "rare-items"        // rarely compared items widen all intervals
	NoteBoardDoubt       event.Code = "comparisons"       // one-sided items, components, spellings
)

// The codes of notes on edges between nodes.
const (
	NoteEdgesPrimal       event.Code = "relation-primal"       // kernel matrices do not fit: training is on the features
	NoteEdgesRepaired     event.Code = "relation-repaired"     // a similarity matrix had negative eigenvalues
	NoteEdgesUnconverged  event.Code = "relation-unconverged"  // trainings stopped at the limit of iterations
	NoteEdgesDrawn        event.Code = "relation-drawn"        // leave-pair-out sampled pairs, since all take long
	NoteEdgesNoFolds      event.Code = "relation-no-folds"     // training folds, or all of them, would take too long
	NoteEdgesPooled       event.Code = "relation-pooled"       // scores of different trainings are compared, as requested
	NoteEdgesConstant     event.Code = "relation-constant"     // a kernel does not distinguish some nodes
	NoteEdgesReversed     event.Code = "relation-reversed"     // edges are listed in one direction; the other is known
	NoteEdgesOneSided     event.Code = "relation-one-sided"    // labels repeat what is held out
	NoteEdgesSimilarities event.Code = "relation-similarities" // features of nodes look like similarities
)
