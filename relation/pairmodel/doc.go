// Package pairmodel holds models of labelled edges between nodes. A [Model] is saved, read back, and scores
// pairs of nodes with pairwise kernels of node kernels. The package imports nothing that trains, so a program
// that only scores stays small.
//
// Files:
//   - model.go: the type; check.go: its invariants
//   - form.go: the evaluator, the pairwise kernel multiplied out over the coefficients; bilinear.go: its
//     matrices
//   - nodes.go, norm.go, extra.go: preparing nodes; sum.go: several similarities of them
//   - score.go, similarity.go: scores of blocks and lists of pairs; scorer.go: scores of single pairs
//   - contribution.go: scores in additive parts
//   - file.go, read.go: this package's part of the format of model files, which docs/formats-model.md specifies
//
// A Model is immutable after construction and safe for concurrent use. Its scores have the same bytes for any
// number of threads.
//
// Notation: d a row node, t a column node, e an edge, p training nodes, r and c nodes that are scored, n
// features.
package pairmodel
