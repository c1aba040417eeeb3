// Package rls trains rankers and regressors by regularised least squares.
//
//	minimise over f   Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²_k
//
// over the pairs that a pref.Goal compares, or Σ (y_i−f_i)² + λ‖f‖²_k for
// regression (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An
// efficient algorithm for learning to rank from preference graphs).
//
// The flow:
//
//  1. A Basis is the space of functions: Primal (features), Dual (a kernel
//     matrix) or Sparse (a subset of regressors).
//  2. Solve trains for one λ by Cholesky.
//  3. Factor makes a Path once; Path.At gives the Fit of any λ from it.
//  4. Path.HoldOut, Path.LeavePairOut and Path.LeavePairsWith predict held-out
//     rows exactly, without retraining.
//  5. ConjugateGradients trains on sparse rows without a factorisation.
//
// Files: basis.go the spaces; moments.go XᵀLX and Xᵀr in one pass; path.go
// Solve, Factor and Path; holdout.go what may be held out and how; pairswith.go single pairs; cg.go.
//
// Notation: m rows, n features, k rank of the basis, v outputs, λ lambda.
package rls
