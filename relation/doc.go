// Package relation learns from relational data: labelled edges between nodes. It ranks the column nodes for a
// given row node, which is called conditional ranking (Pahikkala, Airola, Stock, De Baets and Waegeman 2013,
// Efficient regularized least-squares algorithms for conditional ranking on relational data).
//
// A [Problem] has the row and column nodes, with features or similarities, the edges between them and the
// labels of the edges. [Train] chooses λ and trains. [Estimate] returns how well the trained function ranks
// held-out edges. Both take [Options], whose zero value is the default. The program pairrank calls both for
// edges. The [Model] that Train returns belongs to package relation/pairmodel, which scores pairs, reads and
// writes model files, and imports nothing that trains.
//
// A row node corresponds to a query of rows, and its edges to the rows of the query: edges with different
// labels are compared. The scores of two compared edges come from one training, which has not seen what the
// setting calls new in either. The error is the share of compared pairs in the wrong order; its standard error
// is over the row nodes.
//
// Files:
//   - problem.go, options.go, check.go: the data and the options
//   - nodes.go: kernel matrices and their repair; finite.go: numbers that are NaN or infinite
//   - graph.go: edges with kernel matrices; sums.go: learnt sums of kernels of a side
//   - estimate.go, source.go, exact.go, pairsout.go, splits.go, predict.go: holding out
//   - measures.go: how folds rank; parts.go: halves of the nodes
//   - train.go, fit.go, stop.go: the training
//   - facts.go: the facts of a model; notes.go, onesided.go: notes and errors
//
// Notation: p row nodes, r column nodes, m edges, K and G the p×p and r×r kernel matrices, λ lambda.
package relation
