// Package pairmodel holds models of labelled edges between nodes: a [Model] is saved, read
// back and scores pairs of nodes, by pairwise kernels of node kernels. It imports nothing
// that trains, so that a program that only scores stays small.
//
// Files: model.go has the type and check.go what it must keep; nodes.go and norm.go what
// is taken of nodes, terms.go the coefficients summed over the terms of the kernel,
// score.go and similarity.go the scores, scorer.go and scorerend.go those of one pair at a
// time, contribution.go the scores in parts, file.go and read.go its part of the format of
// model files, which docs/formats.md specifies.
//
// A Model is immutable after construction and safe for concurrent use, and scores the
// same bytes for any number of threads.
//
// Notation: d a row node, t a column node, e an edge, p nodes of training, r and c nodes
// that are scored, n features.
package pairmodel
