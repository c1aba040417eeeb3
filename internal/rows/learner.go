package rows

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/learn/rls"
	"pairrank/model"
	"pairrank/model/training"
	"pairrank/pref"
)

// Learner is what learns from rows: a LeastSquares, a RankSVM or a RankBoost.
type Learner interface {
	// Name is what a model file calls the learner.
	Name() string
	// learner is how it learns, with its defaults, or the error of options that do
	// not go together.
	learner(p *Problem, o *Plan) (learner, error)
}

// learner is what training and holding out ask of a learner.
type learner interface {
	// chooseSolver says how the problem is to be solved, and why so.
	chooseSolver(t *task) (Solution, error)
	// basis says which rows span the functions that are learnt, and whether all rows go
	// through their kernel map.
	basis() (rows Basis, mapped bool)
	// objective is what is minimised, and describe adds to the facts of a model how the rows are compared.
	objective(t *task) string
	describe(t *task, i *training.Facts)
	// goal is what the rows are compared for, nil for learners without one.
	goal(t *task) (*pref.Goal, error)
	// checkShuffled refuses permutations of the labels that there is no quick way for.
	checkShuffled(p *Problem, o *Plan) error
	// fingerprint is that of the rows as they came, where checkpoints are written, else 0.
	fingerprint(t *task) uint64
	// parameter is what the candidates are values of.
	parameter() cv.Parameter
	// count is how many candidates there will be: values of λ, or numbers of rounds.
	count(t *task) int
	// candidates are the values to choose from; path is the factored problem, or nil.
	candidates(s *space, goal *pref.Goal, path *rls.Path) ([]float64, error)
	// fit trains for one candidate on all rows of s. Where it is stopped it may return
	// the best so far beside the error.
	fit(ctx context.Context, s *space, goal *pref.Goal, candidate float64) (*fit, error)
	// predict trains on the rows of s for each candidate and predicts others. path is
	// that of s where there is one.
	predict(ctx context.Context, s *space, path *rls.Path, held *heldRows, candidates []float64,
		emit func(l int, held cv.Held)) error
	// foldWork is about the multiplications of training a fold of a share of the rows for all candidates.
	foldWork(s *space, share float64, candidates []float64) float64
}

// retrained is what learners have in common that have no shortcuts: folds are trained again.
type retrained struct{}

func (retrained) goal(*task) (*pref.Goal, error) { return nil, nil }

func (retrained) checkShuffled(*Problem, *Plan) error {
	return fault.Optionf("Permutations", "needs the exact shortcuts of least squares")
}

func (retrained) fingerprint(*task) uint64 { return 0 }

// Solver is how a system is solved.
type Solver string

// Of LeastSquares.
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
)

// Solution is how a problem is solved, and why so.
type Solution struct {
	form   form
	Solver Solver
	Why    string
}

// fit is what a learner has learnt for one value, or for one of each output.
type fit struct {
	space     *space
	lambda    float64   // 0 where the outputs have several
	lambdas   []float64 // of several outputs, or nil
	objective float64
	pairs     float64
	coef      *data.Dense // of features, rows or basis rows; nil for stumps
	goal      *pref.Goal  // of least squares, or nil
	doubt     string      // about the basis, or ""

	outcome outcome
}

// outcome is what a training tells of itself. That of a system that was solved directly is the plain one, direct.
type outcome interface {
	// tell adds what it knows to the facts of the training; saved are those that a model file keeps.
	tell(facts *Training)
	saved() []model.Fact
	// doubt notes what is doubtful about where the training ended, and whether nothing tells the rows apart.
	doubt(f *fit)
	// scorer is what scores rows by what was learnt from a task.
	scorer(t *task, f *fit) model.Scorer
	// sizes are how much of the scores each feature makes up, of the linear kernel.
	sizes(f *fit) []float64
}

// heldRows are rows that are predicted and not learnt from: some of the rows of a
// whole problem, or rows of their own.
type heldRows struct {
	whole *space      // of which they are rows, or nil
	rows  []int       // their numbers there
	x     data.Matrix // the features of rows of their own
}

// features are those of the rows.
func (h *heldRows) features() data.Matrix {
	if h.whole == nil {
		return h.x
	}
	return data.Select(h.whole.x, h.rows)
}
