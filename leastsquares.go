package pairrank

import (
	"pairrank/internal/rows"
	"pairrank/pref"
)

// LeastSquares is RankRLS,
//
//	minimise over f   Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²
//
// over the compared pairs, or with Regression plain regularised least squares,
// Σ (y_i−f_i)² + λ‖f‖² over the rows (Pahikkala, Tsivtsivadze, Airola, Järvinen and
// Boberg 2009, An efficient algorithm for learning to rank from preference graphs,
// section 2). It is factored once for all values of λ, from which follows exactly,
// without training again, what is held out. λ is beside a sum over pairs, so that useful
// values grow with the data. Regression has no intercept: labels are best centred. The
// zero value is linear RankRLS.
type LeastSquares struct {
	// Regression looks at each row by itself, instead of at pairs.
	Regression bool
	// Pairs says which pairs are compared, for what target and with what weight. Of
	// preferences only its Cost is looked at, which Regression does without, too.
	Pairs pref.Options
	// Solver is how the system is solved; Auto is the cheapest exact one whose memory
	// fits, unless the rows are sparse, to factor them takes 10¹² multiplications or more
	// than fits, and CG takes less. Then Train and Estimate hold out folds where no
	// Method is given.
	Solver Solver
	// Basis restricts the functions to sums over some rows: the Sparse solver.
	Basis Basis
	// Tolerance on the relative residual ends CG. 0 is 1e-6 for a model; what is trained to
	// predict rows that are held out then ends by the scores: when the mean error of the difference of two of
	// them, over the compared pairs, is at most 1/400 of the mean difference; see
	// rls.CGOptions.Scores.
	Tolerance float64
	// MaxIterations bounds the iterations of CG for one λ; 0 is 10,000.
	MaxIterations int
}

// Name is rankrls, or rls for regression.
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
