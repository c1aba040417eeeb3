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
//     matrix) or Sparse (a subset of regressors); what DualOf and SparseOf are of is made
//     as it is needed.
//  2. Solve trains for one λ by Cholesky, of DualOf in the memory of the kernel matrix.
//  3. Factor makes a Path once; Path.At gives the Fit of any λ from it.
//  4. Path.HoldOut, PredictHeldOut, LeavePairOut and LeavePairsWith predict rows as
//     if they had been left out of training, exactly, without training again;
//     PairCounter counts the pairs of a long list.
//  5. Statistics sum over queries what the primal form needs of the data, so that rows need
//     not be in memory or on one machine; they are added, merged, subtracted and written,
//     and train by Solve and Factor, with the exact loss of folds by HeldOut.
//  6. ConjugateGradients trains on sparse rows without a factorisation,
//     ConjugateGradientsPath for many λ, and PredictIteratively folds of them.
//
// Files: basis.go the spaces; design.go XᵀLX and Xᵀr in one pass, by accumulator.go,
// and of rows that are made a panel at a time (maderows.go) by madesums.go; statistics.go
// those of queries that come one by one, as double words (doubleword.go) in foldsums.go, of
// rows that wait in pending.go, statisticsmerge.go Merge and Subtract, statisticscodec.go and
// statisticsread.go their bytes, statisticspath.go what is trained, foldloss.go what is held out;
// path.go Solve, Factor and Path; holdout.go groups of rows; pairswith.go single
// pairs; paircounter.go pairs of long lists; degenerate.go what leaves nothing to learn from; largest.go what λ is
// compared with; cg.go conjugate gradients; cgpath.go those of many λ and folds, by
// lanczos.go and shift.go.
//
// Notation: m rows, n features, k rank of the basis, v outputs, λ lambda.
package rls
