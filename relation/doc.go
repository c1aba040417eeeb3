// Package relation learns from relational data: labelled edges between nodes, which it
// ranks for a given node: conditional ranking (Pahikkala, Airola, Stock, De Baets and
// Waegeman 2013, Efficient regularized least-squares algorithms for conditional ranking
// on relational data).
//
// A [Problem] is the nodes of the rows and of the columns, with features or
// similarities, the edges between them and their labels. [Train] chooses λ and learns,
// [Estimate] returns how well the learnt function ranks edges that were held out; both
// take [Options], whose zero value is the default. The program pairrank calls both for
// edges. The [Model] that Train returns is of package relation/pairmodel, which scores,
// reads and writes files, and imports nothing that trains.
//
// The edges of a row node are what a query is of rows: those with different labels are
// compared, two of them by one training that knows nothing of what is new of either. The error is
// the share of compared pairs that is ordered wrongly, and its standard error is over the row nodes.
//
// Files: problem.go, options.go and check.go what goes in; nodes.go kernel matrices and
// their repair; finite.go numbers that are none; graph.go edges with kernel matrices; estimate.go,
// source.go, exact.go, pairsout.go, splits.go and predict.go what is held out, measures.go how folds rank,
// parts.go halves of the nodes;
// train.go, fit.go and stop.go the training; facts.go the facts of a model, notes.go and
// onesided.go what is told on the way.
//
// Notation: p row nodes, r column nodes, m edges, K and G the p×p and r×r kernel
// matrices, λ lambda.
package relation
