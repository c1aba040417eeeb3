// Package rls trains rankers and regressors by regularised least squares.
//
//	minimise over f   Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²_k
//
// over the pairs that a goals.Goal compares, or Σ (y_i−f_i)² + λ‖f‖²_k for
// regression (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An
// efficient algorithm for learning to rank from preference graphs).
//
// The flow:
//
//  1. A Basis is the space of functions: Primal (features), Dual (a kernel matrix) or Sparse (a
//     subset of regressors). DualOf and SparseOf compute kernel values when they are needed.
//  2. Solve trains for one λ by Cholesky. With DualOf it works in the memory of the kernel matrix.
//  3. Factor makes a Path, one factorisation for all λ; Path.At returns the Fit of any λ.
//  4. Path.HoldOut, PredictHeldOut and LeavePairOut predict rows as if they had been left out of
//     training, exactly, without training again;
//     PairCounter counts the pairs of a long list.
//  5. Statistics sums the moments of the primal form over queries, so that rows need not be in
//     memory or on one machine. They can be added, merged, subtracted and written. Solve and Factor
//     train from them; HeldOut gives the exact loss of folds.
//  6. ConjugateGradients trains on sparse rows without a factorisation. ConjugateGradientsPath does
//     so for many λ, and PredictIteratively for folds and many λ.
//
// # Files
//
//	basis.go           Basis: Primal, Dual, DualOf, Sparse, SparseOf
//	path.go            Solve, Factor, Path and Fit; inverse.go: FactorOnce;
//	                   lost.go: what rounding loses
//	holdout.go         groups of rows held out; without.go: without a feature
//	pairswith.go       single pairs held out; paircounter.go: pairs of long lists
//	outside.go         predictions of new rows at every λ
//	degenerate.go      when the rows that stay leave nothing to learn
//	largest.go         the largest eigenvalue and the diagonal, the scales for λ
//	design.go          XᵀLX and Xᵀr in one pass, with accumulator.go
//	maderows.go        rows of SparseOf, a panel at a time; madesums.go: their moments
//	statistics.go      Statistics; statisticsfacts.go: counts of them
//	foldsums.go        the sums of a fold, as double words (doubleword.go)
//	pending.go         rows that wait to be multiplied
//	querystatistics.go the sums of one query
//	statisticsmerge.go Merge and Subtract
//	statisticscodec.go the bytes of Statistics; statisticsread.go: reading them
//	statisticspath.go  training from Statistics; foldloss.go: the loss of folds
//	cg.go              conjugate gradients for one λ
//	cgpath.go          for many λ and folds, with lanczos.go
//	lanczosrows.go     the same in the coordinates of sparse rows
//
// Notation: m rows, n features, k rank of the basis, v outputs, λ lambda.
package rls
