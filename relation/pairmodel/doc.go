// Package pairmodel holds models of labelled edges between nodes: a [Model] is saved, read
// back and scores pairs of nodes, by pairwise kernels of node kernels. It imports nothing
// that trains, so that a program that only scores stays small.
//
// Files: model.go has the type and check.go what it must keep; form.go has the one
// evaluator, the pairwise kernel multiplied out over what is learnt, and bilinear.go its
// matrices. nodes.go and norm.go take of nodes what it needs; score.go and similarity.go
// score blocks and lists of pairs, scorer.go one pair at a time, and contribution.go takes
// scores apart. file.go and read.go are its part of the format of model files, which
// docs/formats.md specifies.
//
// A Model is immutable after construction and safe for concurrent use, and scores the
// same bytes for any number of threads.
//
// Notation: d a row node, t a column node, e an edge, p nodes of training, r and c nodes
// that are scored, n features.
package pairmodel
