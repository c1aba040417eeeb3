package pairrank

import "pairrank/internal/rows"

// Learner is what learns from rows: a LeastSquares, a RankSVM or a RankBoost.
type Learner interface {
	// Name is what a model file calls the learner.
	Name() string
	// rows is the learner as rows in memory take it.
	rows() rows.Learner
}

// Basis says which rows span the functions of a sparse problem, or of a kernel map.
type Basis struct {
	// Size rows are drawn by the seed; 0 draws none.
	Size int
	// Rows names them instead, by their numbers from 0.
	Rows []int
}

// Solver is how a system is solved.
type Solver string

const (
	// Auto is the cheapest exact solver of LeastSquares whose memory fits, or CG for sparse
	// rows whose factorisation is much more work, or does not fit.
	Auto Solver = ""
	// Primal factors the n×n matrix of the features.
	Primal Solver = "primal"
	// Dual factors the m×m matrix of the rows.
	Dual Solver = "dual"
	// Sparse factors the b×b matrix of the rows of a Basis.
	Sparse Solver = "sparse"
	// CG iterates by conjugate gradients, without a matrix.
	CG Solver = "cg"

	// Of RankSVM: cutting planes for the hinge loss, truncated Newton steps for its
	// square.
	Bundle Solver = "bundle"
	Newton Solver = "newton"
	// Of RankBoost: a decision stump a round.
	Boosting Solver = "boosting"
)
