// Package procedure trains on data and estimates how well the training generalises: choice, training,
// half-samples, nested estimates, permutation tests, held-out scores and learning curves, written once for
// every kind of data.
//
// A [Source] is what differs between kinds of data: rows in memory, edges between nodes and sums over queries.
// [Train] chooses and fits. [Estimate] estimates a [Divisible], a source whose parts are sources; the methods of
// its [Run] compute more from the estimate.
//
// Files:
//   - source.go: the interfaces that data implement; plan.go: the options of all kinds of data
//   - train.go, choose.go, estimate.go: choosing and training, what a choice is, and estimating
//   - halve.go, nest.go, permute.go: its further estimates
//   - held.go: held-out scores; curve.go: learning curves
//   - notes.go: notes
package procedure
