// Package pencil factors a regularised least-squares problem once, solves it
// for every λ, and holds rows out of it without retraining.
//
// The problem is min_f fᵀLf − 2rᵀf + λ‖f‖²_k. With d the eigenvalues of the
// factored matrix and the resolvent D = diag(1/(d+λ)),
//
//	f(λ) = V D C          predictions on the m training rows
//	GL   = V D Wᵀ         how they move with L y
//
// in two forms, which factor different matrices:
//
//	primal  A = RᵀLR = U diag(d) Uᵀ for rows R, m×k:
//	        C = Uᵀ Rᵀ r,  V = RU,  W = LV,   λQ = L − W D Wᵀ
//	dual    A = FKF = U diag(d) Uᵀ for a kernel matrix K and the root F of L:
//	        C = Uᵀ F⁺ r,  W = FU,  V = KW,   Q = W D Wᵀ
//
// Q is the same matrix in both, and a = (r − Lf)/λ, which is Qy where r = Ly. The
// dual form has no cancellation for any λ, and needs no factor of K, which
// may be singular (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009,
// An efficient algorithm for learning to rank from preference graphs, sections
// 3.1, 3.2 and 3.5, with the eigenproblem made symmetric).
//
// # Holding rows out
//
// Leaving the rows H out of the loss and keeping them in the regulariser changes only the rows H of
// the residuals (the same paper, sections 3.3 and 3.4, lemma 2). With a and Q as above
//
//	Q_HH δ = a_H,    f'_H = f_H − (GL)_HH δ = V_H D (C − W_Hᵀ δ)
//
// where δ excludes the constants on components that lie in H, since these have no effect.
//
// # Files
//
//	pencil.go           Pencil; constant.go: a constant that moves with the coefficients
//	root.go             the roots of Laplacians
//	dual.go             the dual factorisation, its rows (dualrows.go), one λ (inplace.go)
//	primal.go           the primal factorisation, and one λ
//	shifted.go          the factorisation at one λ, shared by both forms
//	holdout.go          groups of rows by the lemma; downdate.go: by downdating the moments
//	conjugate.go        groups that have a small share, at many λ by conjugate gradients
//	without.go          groups of rows without a feature; outside.go: new rows
//	pairinverse.go      the inverse of one λ, and pairs by it; heldinverse.go: groups of rows
//	pairs.go            every pair of rows; pairswith.go: pairs of a row and a list
//	pairscale.go        every pair of rows, each at a λ of its own
//	pairorder.go        their orders; pairorderat.go: at one λ
//	pairsolver.go       the numbers that the pairs share; pairblock.go: at several λ
//	nearpairs.go        the pairs of a long list whose order leaving out may change
//	pairbounds.go       the bounds that find them; nearcount.go: how they change; nearscaled.go: where rows have weights
//	starorder.go        pairs of censored times in order, of few columns
//	somepairs.go        some pairs of a long list, for many outputs
//	rounding.go         the bound of the rounding in predictions
//	lemmarounding.go    for groups by the lemma; productrounding.go: by downdating
//	pairrounding.go     for pairs
//	degenerate.go       problems of equal rows
//
// Notation: m rows, k columns of V and W, v outputs, h held-out rows.
package pencil
