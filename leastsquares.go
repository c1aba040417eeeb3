package pairrank

import (
	"pairrank/internal/rows"
	"pairrank/pref"
)

// LeastSquares is RankRLS,
//
//	minimise over f   Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²
//
// over the compared pairs; with Regression it is plain regularised least squares, Σ (y_i−f_i)² + λ‖f‖² over the
// rows (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank
// from preference graphs, section 2). One factorisation serves all values of λ and gives the exact held-out
// error without retraining. The loss is a sum over pairs, not a mean, so useful values of λ grow with the data.
// Regression has no intercept: centre the labels. The zero value is linear RankRLS.
type LeastSquares struct {
	// Regression fits the label of each row instead of the differences of pairs.
	Regression bool
	// Pairs selects the compared pairs, their targets and weights. With preferences only its Cost is used. With
	// Regression not even that.
	Pairs pref.Options
	// Solver is how the system is solved. Auto takes the cheapest exact solver that fits into memory. It takes
	// CG if the rows are sparse, their factorisation needs at least 10¹² multiplications or does not fit, and
	// CG needs less. Then Train and Estimate hold out folds unless Method is set.
	Solver Solver
	// Basis restricts the functions to sums over some rows, for the Sparse solver.
	Basis Basis
	// Tolerance is the relative residual at which CG stops; 0 is 1e-6 for a model. With 0, a training that
	// predicts held-out rows stops by its scores: as soon as the mean error of the difference of two scores,
	// over the compared pairs, is at most 1/400 of the mean difference; see rls.CGOptions.Scores.
	Tolerance float64
	// MaxIterations bounds the iterations of CG for one λ; 0 is 10,000.
	MaxIterations int
}

// Name returns rankrls, or rls for regression.
func (l LeastSquares) Name() string {
	if l.Regression {
		return "rls"
	}
	return "rankrls"
}

func (l LeastSquares) rows() rows.Learner {
	return rows.LeastSquares{Regression: l.Regression, Pairs: l.Pairs, Solver: rows.Solver(l.Solver),
		Basis: rows.Basis(l.Basis), Tolerance: l.Tolerance, MaxIterations: l.MaxIterations}
}
