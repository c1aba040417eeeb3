package pairrank

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/kernel"
	"pairrank/model"
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

// Training are the facts of a training.
type Training struct {
	Learner   string
	Solution  Solution
	Kernel    kernel.Kernel
	Objective Objective
	Rows      int // m
	Features  int // n, 0 of a kernel matrix
	Queries   int // q
	Outputs   int // v
	// Lambda is that of the model, 0 where outputs differ in it or there is none, and
	// Lambdas those of several outputs.
	Lambda  float64
	Lambdas []float64
	// Minimum is the value of the objective at the model.
	Minimum float64
	// Pairs is the number of compared pairs.
	Pairs float64
	// Iterations are those of a solver that iterates.
	Iterations int
	// Residual is the relative residual of CG, else NaN.
	Residual float64
	// Gap is how far RankSVM may be above the optimum, else NaN.
	Gap float64
	// Converged is false where an iteration ended before it was as near to the optimum
	// as was asked for.
	Converged bool
	// Loss and Planes are of RankSVM: its loss, and the cutting planes that the hinge
	// loss kept.
	Loss   string
	Planes int
	// Messages and Bytes are what this rank of TrainRanks gave to the all-reduce.
	Messages, Bytes int64
	// Parameter is what was chosen, or given. Of cv.Rounds, Rounds is the number of stumps, and Exhausted says
	// that no further one was left to learn.
	Parameter cv.Parameter
	Rounds    int
	Exhausted bool
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
	if err := o.refuseEstimate(); err != nil {
		return nil, err
	}
	t, err := newTask(&p, o, false)
	if err != nil {
		return nil, err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return nil, err
	}
	if err := t.announcePairs(); err != nil {
		return nil, err
	}
	t.centreFeatures(o.Method != nil && o.Method.Kind == cv.LeaveOneOut)
	return t.train(ctx, newSource(t))
}

// train is the procedure for a source of the task, as a result.
func (t *task) train(ctx context.Context, s procedure.Source) (*Result, error) {
	learnt, c, stopped := procedure.Train(ctx, s, t.plan())
	stopped = conclude(stopped)
	if learnt == nil {
		return nil, stopped
	}
	f := learnt.(*fit)
	r := &Result{Training: t.facts(f)}
	r.Choice = c.Summary(cv.Choice{Lambda: f.lambda, Rounds: r.Training.Rounds, Kernel: f.space.spec})
	r.Model = t.model(f, &r.Choice)
	r.Notes = t.journal.Notes()
	return r, stopped
}

// plan is what the options ask of the procedure.
func (t *task) plan() procedure.Plan {
	return procedure.Plan{Journal: t.journal, Seed: t.o.Seed, Metric: t.o.Metric, Chooses: t.chooses(),
		Intervals: t.o.Intervals, Nested: t.o.Nested != nil, Permutations: t.o.Permutations}
}

// refuseEstimate refuses the options that are of Estimate alone.
func (o *Options) refuseEstimate() error {
	switch {
	case o.Nested != nil:
		return fault.Optionf("Nested", "is of Estimate")
	case o.Permutations != 0:
		return fault.Optionf("Permutations", "are of Estimate")
	case o.HeldOut, o.ROC:
		return fault.Optionf("HeldOut", "and ROC are of Estimate")
	case o.LearningCurve:
		return fault.Optionf("LearningCurve", "is of Estimate")
	case o.Intervals != IntervalsAuto:
		return fault.Optionf("Intervals", "is of Estimate")
	}
	return nil
}

// facts are those of the training that made a fit.
func (t *task) facts(f *fit) Training {
	out := Training{
		Learner: t.o.Learner.Name(), Solution: t.solution, Kernel: f.space.spec, Objective: t.learner.objective(t),
		Rows: t.rows(), Features: t.features(), Queries: t.queries.Len(), Outputs: t.outputs,
		Parameter: t.learner.parameter(), Lambda: f.lambda, Lambdas: f.lambdas, Minimum: f.objective, Pairs: f.pairs,
		Residual: math.NaN(), Gap: math.NaN(), Converged: true,
	}
	switch {
	case f.cg != nil:
		out.Iterations, out.Residual, out.Converged = f.cg.Iterations, f.cg.Residual, f.cg.Converged
	case f.svm != nil:
		out.Loss = string(t.learner.(RankSVM).Loss)
		out.Iterations, out.Gap, out.Converged, out.Planes = f.svm.Iterations, f.svm.Gap, f.svm.Converged, f.svm.Planes
		out.Messages, out.Bytes = f.svm.Messages, f.svm.Bytes
	case f.boost != nil:
		out.Rounds, out.Exhausted = len(f.boost.Stumps.Terms), f.boost.Exhausted
	}
	return out
}
