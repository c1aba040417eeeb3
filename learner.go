package pairrank

import "pairrank/internal/rows"

// Learner is a learner for rows: a LeastSquares, a Greedy, a RankSVM or a RankBoost.
type Learner interface {
	// Name returns the name of the learner in model files.
	Name() string
	// rows returns the learner in the form of package internal/rows.
	rows() rows.Learner
}

// Basis selects the rows that span the functions of a sparse problem, or of a kernel map.
type Basis struct {
	// Size is the number of rows drawn with Options.Seed; 0 draws none.
	Size int
	// Rows lists the rows instead, by their numbers from 0.
	Rows []int
}

// Solver is the algorithm that solves a system.
type Solver string

const (
	// Auto is the cheapest exact solver of LeastSquares that fits into memory. For sparse rows it is CG if a
	// factorisation takes much more work than CG, or does not fit.
	Auto Solver = ""
	// Primal factors the n×n matrix of the features.
	Primal Solver = "primal"
	// Dual factors the m×m matrix of the rows.
	Dual Solver = "dual"
	// Sparse factors the b×b matrix of the rows of a Basis.
	Sparse Solver = "sparse"
	// CG iterates by conjugate gradients, without a matrix.
	CG Solver = "cg"

	// Bundle solves RankSVM: cutting planes for the hinge loss, truncated Newton steps for its square.
	Bundle Solver = "bundle"
	Newton Solver = "newton"
	// Boosting solves RankBoost: one decision stump a round.
	Boosting Solver = "boosting"
	// GreedySearch selects the features of Greedy.
	GreedySearch Solver = "greedy"
)
