package pairrank

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/model/training"
)

// Result is what Train learnt, and how.
type Result struct {
	// Model scores new rows, and is saved by its WriteFile.
	Model *model.Model
	// Choice is what was chosen.
	// Where nothing was held out, since there was a single candidate and no Method, its Error is NaN.
	Choice cv.Choice
	// Training are the facts of the training that made the model.
	Training Training
	// Notes say what was decided on the way and what is doubtful, in their order.
	Notes []Note
}

// Training is how a model was trained.
type Training struct {
	// Facts are what the model keeps of it, too: the learner, its solver, objective and λ, which is 0 where outputs
	// differ in it or there is none, and the numbers m, q and of compared pairs.
	training.Facts
	// Why says why the solver was taken.
	Why    string
	Kernel kernel.Kernel

	Features, Outputs int // n, which is 0 of a kernel matrix, and v

	// Parameter is what was chosen, or given.
	Parameter cv.Parameter
	// Lambdas are those of several outputs.
	Lambdas []float64
	// Rounds is the number of stumps of RankBoost, and Exhausted says that no further one was left to learn.
	Rounds    int
	Exhausted bool
	// Minimum is the value of the objective at the model.
	Minimum float64
	// Iterations are those of a solver that iterates.
	Iterations int
	// Residual is the relative residual of CG, else NaN.
	Residual float64
	// Gap is how far RankSVM may be above the optimum, else NaN.
	Gap float64
	// Converged is false where an iteration ended before it was as near to the optimum
	// as was asked for.
	Converged bool
	// Planes are the cutting planes that the hinge loss of RankSVM kept.
	Planes int

	// Messages and Bytes are what this process of TrainProcesses gave to the all-reduce.
	Messages, Bytes int64
}

// Train chooses a kernel and λ, or the number of rounds, by what is held out, exactly
// where that is possible, and trains on all rows. With a single candidate and no
// Method nothing is held out. For m rows with n features in q queries the zero Options
// cost O(mn² + n³) and O(n² + mn) for each λ, or where there are more features than
// rows O(m³) and O(m²).
//
// Where RankSVM or RankBoost are stopped, by ctx or a limit of iterations, the result is
// the best so far beside the error; else an error comes without a result.
// It returns an *Error for what cannot be learnt, or not so, and the errors of the
// learners.
func Train(ctx context.Context, p Problem, o Options) (*Result, error) {
	return newResult(rows.Train(ctx, rows.Problem(p), o.plan()))
}

// TrainProcesses is Train of a linear RankSVM for one λ on the rows of all processes of a group,
// whose processes all call it: each has some of the queries in p, whole, with the same
// features and the same options; one may have no row. All get the same result, to the last
// bit, that of Train on all the rows but for rounding and for what RankSVM.Epsilon leaves.
// A nil group is this process alone. docs/ranksvm.md says what it costs.
//
// The normaliser is that of all rows, but for rounding. It returns an *Error
// for options that take more than sums over the rows: a kernel, a basis, several λ, a way
// to hold out. What only one process has to say against the training is its error, and
// ranksvm.ErrElsewhere on the others. Where the training is stopped, by the end of
// ctx on any process or a limit of iterations, the result is the best so far beside the error,
// as of Train; so it is where the group or a checkpoint is lost.
func TrainProcesses(ctx context.Context, group ranksvm.AllReducer, p Problem, o Options) (*Result, error) {
	return newResult(rows.TrainProcesses(ctx, group, rows.Problem(p), o.plan()))
}

// newResult is what was learnt, which may be beside an error.
func newResult(r *rows.Result, err error) (*Result, error) {
	if r == nil {
		return nil, err
	}
	return &Result{r.Model, r.Choice, Training(r.Training), event.NotesOf[Note](r.Notes)}, err
}
