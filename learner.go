package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/model"
	"pairrank/model/training"
)

// Learner is a learner for rows: a LeastSquares, a Greedy, a RankSVM or a RankBoost.
type Learner interface {
	// Name returns the name of the learner in model files.
	Name() string
	// learner returns the learner with its defaults, or an error for options that contradict each other.
	learner(p *Problem, o *EstimateOptions) (learner, error)
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
	// factorisation takes much more work than CG, or does not fit. Where eigenvectors of a kernel matrix would take more
	// than half a minute of one core, from 5,850 rows on, it is Sparse with a Basis of 2,000 rows, drawn with
	// Options.Seed; fewer from 50,000 rows on. A note says so. One λ is solved by all rows.
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

// learner is the interface of a learner for training and holding out.
type learner interface {
	// chooseSolver returns the solver of the problem, and the reason.
	chooseSolver(t *trainer) (solution, error)
	// basis returns the rows that span the learnt functions, and whether all rows go through their kernel map.
	basis() (rows Basis, mapped bool)
	// objective is the minimised function; describe adds to the facts of a model how the rows are compared.
	objective(t *trainer) string
	describe(t *trainer, i *training.Facts)
	// goal is the Goal of the rows, nil for learners without one.
	goal(t *trainer) (*goals.Goal, error)
	// checkShuffled refuses permutations of the labels if there is no quick way for them.
	checkShuffled(p *Problem, o *EstimateOptions) error
	// parameter is the parameter whose values are the candidates.
	parameter() cv.Parameter
	// count is the number of candidates: values of λ, or numbers of rounds.
	count(t *trainer) int
	// candidates are the values to choose from; path is the factored problem, or nil.
	candidates(s *trainer, goal *goals.Goal, path *rls.Path) ([]float64, error)
	// fit trains for one candidate on all rows of s. A training that is stopped may return the best so far
	// together with the error.
	fit(ctx context.Context, s *trainer, goal *goals.Goal, candidate float64) (*fit, error)
	// predict trains on the rows of s for each candidate and predicts others. path is the path of s, or nil.
	predict(ctx context.Context, s *trainer, path *rls.Path, held *heldRows, candidates []float64,
		emit func(l int, held holdout.Held)) error
	// foldWork estimates the multiplications of training a fold of a share of the rows for all candidates.
	foldWork(s *trainer, share float64, candidates []float64) float64
}

// retrained has the methods that learners without shortcuts share: they retrain on folds.
type retrained struct{}

func (retrained) goal(*trainer) (*goals.Goal, error) { return nil, nil }

func (retrained) checkShuffled(*Problem, *EstimateOptions) error {
	return fault.Optionf("Permutations", "needs the exact shortcuts of least squares")
}

// solution is the solver of a problem, and the reason for it.
type solution struct {
	form   form
	exact  exactForm // the form if it is exact, else nil
	Solver Solver
	Why    string
}

// fit is the result of a training for one value, or for one of each output.
type fit struct {
	trainer   *trainer
	lambda    float64   // 0 if the outputs have several
	lambdas   []float64 // for several outputs, or nil
	objective float64
	pairs     float64
	coef      *data.Dense // of features, rows or basis rows; nil for stumps
	goal      *goals.Goal // for least squares, or nil
	doubt     string      // about the basis, or ""

	outcome outcome
}

// outcome describes how a training ended. A system that was solved directly has the plain outcome, direct.
type outcome interface {
	// tell adds its facts to the training; saved are the facts that a model file keeps.
	tell(facts *Training)
	saved() []model.Fact
	// doubt notes doubts about the end of the training, and whether the rows could not be distinguished.
	doubt(f *fit)
	// scorer scores rows with a fit.
	scorer(t *trainer, f *fit) model.Scorer
	// sizes are the contributions of each feature to the scores, for the linear kernel.
	sizes(f *fit) []float64
}
