// Package model holds what is learnt: it is saved, read back and scores new
// rows.
//
// A Model is a Linear, score W x, a Kernel, score Σ_i c_i k(x_i, x) over b
// support rows, or Stumps, score Σ_t w_t [x_j > θ], with the normaliser that its
// training rows went through and the facts of its training. Or it is a Pairwise,
// which scores not rows but pairs of nodes of relational data, by pairwise kernels
// of node kernels. All are immutable after construction and safe for concurrent
// use, and score the same bytes for any number of threads.
//
// The files of Pairwise: pairwise.go has the type, pairwise_terms.go the kernels
// as sums of products, pairwise_nodes.go and pairwise_norm.go what is taken of
// nodes, pairwise_score.go the scores, pairwise_file.go its part of the format.
//
// The file is text that a person can read; its numbers read back exactly, and
// a checksum ends it. docs/formats.md specifies it line by line.
//
// Notation: m rows, n features, b support rows, v outputs; of pairs d a row node,
// t a column node, e an edge, p nodes of training, r and c nodes that are scored.
package model
