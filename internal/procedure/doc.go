// Package procedure is how something is learnt, and how it is told how well: choosing, training, half-samples,
// nested estimates, permutation tests, held-out scores and learning curves, once for every kind of data.
//
// What differs between kinds of data is a [Source]: rows in memory, edges between nodes, sums over queries,
// rows over several processes. [Train] chooses and fits. [Estimate] estimates a [Divisible], a source whose
// parts are sources; its [Run] makes more of the estimate.
//
// Files: source.go what is asked of data; plan.go of options; choose.go, train.go and estimate.go the
// procedure from top to bottom; halve.go, nest.go and permute.go its further estimates; held.go scores,
// curve.go learning curves; notes.go what is told.
package procedure
