// Package model holds trained rankers: they are saved, read back and score new rows.
//
// A Model has a Scorer, one of Linear, score W x, Kernel, score Σ_i c_i k(x_i, x) over
// b support rows, Stumps, score Σ_t w_t [x_j > θ], and Fourier, score W z(x) of random
// features, with the normaliser that its training rows went through and the facts of its
// training. All are immutable after
// construction and safe for concurrent use, and score the same bytes for any number of
// threads. Models of pairs of nodes are in relation/pairmodel.
//
// The file is text that a person can read; its numbers read back exactly, and
// a checksum ends it. docs/formats.md specifies it line by line.
//
// Notation: m rows, n features, b support rows, v outputs.
package model
