package rows

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/model"
	"pairrank/model/training"
)

// Learner is a learner for rows: a LeastSquares, a Greedy, a RankSVM or a RankBoost.
type Learner interface {
	// Name is the name of the learner in model files.
	Name() string
	// learner returns the learner with its defaults, or an error for options that contradict each other.
	learner(p *Problem, o *Plan) (learner, error)
}

// learner is the interface of a learner for training and holding out.
type learner interface {
	// chooseSolver returns the solver of the problem, and the reason.
	chooseSolver(t *task) (Solution, error)
	// basis returns the rows that span the learnt functions, and whether all rows go through their kernel map.
	basis() (rows Basis, mapped bool)
	// objective is the minimised function; describe adds to the facts of a model how the rows are compared.
	objective(t *task) string
	describe(t *task, i *training.Facts)
	// goal is the Goal of the rows, nil for learners without one.
	goal(t *task) (*goals.Goal, error)
	// checkShuffled refuses permutations of the labels if there is no quick way for them.
	checkShuffled(p *Problem, o *Plan) error
	// parameter is the parameter whose values are the candidates.
	parameter() cv.Parameter
	// count is the number of candidates: values of λ, or numbers of rounds.
	count(t *task) int
	// candidates are the values to choose from; path is the factored problem, or nil.
	candidates(s *space, goal *goals.Goal, path *rls.Path) ([]float64, error)
	// fit trains for one candidate on all rows of s. A training that is stopped may return the best so far
	// together with the error.
	fit(ctx context.Context, s *space, goal *goals.Goal, candidate float64) (*fit, error)
	// predict trains on the rows of s for each candidate and predicts others. path is the path of s, or nil.
	predict(ctx context.Context, s *space, path *rls.Path, held *heldRows, candidates []float64,
		emit func(l int, held holdout.Held)) error
	// foldWork estimates the multiplications of training a fold of a share of the rows for all candidates.
	foldWork(s *space, share float64, candidates []float64) float64
}

// retrained has the methods that learners without shortcuts share: they retrain on folds.
type retrained struct{}

func (retrained) goal(*task) (*goals.Goal, error) { return nil, nil }

func (retrained) checkShuffled(*Problem, *Plan) error {
	return fault.Optionf("Permutations", "needs the exact shortcuts of least squares")
}

// Solver is the algorithm that solves a system.
type Solver string

// The solvers of LeastSquares.
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
)

// Solution is the solver of a problem, and the reason for it.
type Solution struct {
	form   form
	Solver Solver
	Why    string
}

// fit is the result of a training for one value, or for one of each output.
type fit struct {
	space     *space
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
	// scorer scores rows with a fit of a task.
	scorer(t *task, f *fit) model.Scorer
	// sizes are the contributions of each feature to the scores, for the linear kernel.
	sizes(f *fit) []float64
}

// heldRows are rows that are predicted and not trained on: some of the rows of a whole problem, or separate
// rows.
type heldRows struct {
	whole *space      // the space that has these rows, or nil
	rows  []int       // their numbers in whole
	x     data.Matrix // the features of separate rows
}

// features are the features of the rows.
func (h *heldRows) features() data.Matrix {
	if h.whole == nil {
		return h.x
	}
	return data.Select(h.whole.x, h.rows)
}
