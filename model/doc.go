// Package model holds trained rankers: it saves them, reads them back and scores new rows.
//
// A Model has the normaliser of its training rows, the facts of its training, and a Scorer:
//
//   - Linear, score W x;
//   - Kernel, score Σ_i c_i k(x_i, x) over b support rows;
//   - Stumps, score Σ_t w_t [x_j > θ];
//   - Fourier, score W z(x) of random features;
//   - Spline, score W z(x) of hinges: a sum of curves, one a feature.
//
// All are immutable after construction, safe for concurrent use, and score the same bytes for any
// number of threads. Models of pairs of nodes are in relation/pairmodel.
//
// The file is readable text; its numbers read back exactly, and a checksum ends it. docs/formats-model.md
// specifies it line by line.
//
// Notation: m rows, n features, b support rows, v outputs.
package model
