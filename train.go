package pairrank

import (
	"context"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fault"
	"pairrank/kernel"
	"pairrank/model"
)

// Result is what Train learnt, and how.
type Result struct {
	// Model scores new rows, and is saved by its WriteFile.
	Model *model.Model
	// Choice is what was chosen.
	Choice Choice
	// Training are the facts of the training that made the model.
	Training Training
	// Notes say what was decided on the way and what is doubtful, in their order.
	Notes []Note
}

// Choice is the kernel and the candidate, a λ or a number of rounds, that are best by
// what was held out. Where Train had a single candidate and no Method nothing was held
// out: then Error is NaN, Kernels is empty and Chosen panics.
type Choice struct {
	// Lambda is the λ that was chosen; 0 for RankBoost, and where outputs differ in it,
	// whose own values are in Kernels.
	Lambda float64
	// Rounds is the number of rounds that was chosen, of RankBoost.
	Rounds int
	// Kernel is the kernel that was chosen.
	Kernel kernel.Kernel
	// Measure is what Error is: "" the mean disagreement over held-out pairs, or
	// RelativeSquaredError.
	Measure string
	// Error is the held-out error of the choice, the mean over the outputs; NaN where
	// nothing was held out. It is too low by what chance gave to the choice.
	Error float64
	// StdErr is the standard error of Error, of one output, see cv.Point.
	StdErr metric.Value
	// Pairs is the number of held-out pairs with different labels, of one output.
	Pairs int64
	// Method is how rows were held out.
	Method cv.Method
	// Retrained says that no shortcut was exact, and each fold was trained again.
	Retrained bool
	// Kernels are the estimates of every kernel and candidate, and Best the kernel that
	// was chosen; none where nothing was held out.
	Kernels []KernelEstimate
	Best    int
}

// Estimated reports whether anything was held out.
func (c *Choice) Estimated() bool { return len(c.Kernels) > 0 }

// tried is how many candidates were estimated, under all kernels.
func (c *Choice) tried() (n int) {
	for _, k := range c.Kernels {
		n += len(k.Candidates)
	}
	return n
}

// Chosen is the estimate of the chosen kernel. It panics where nothing was held out.
func (c *Choice) Chosen() KernelEstimate { return c.Kernels[c.Best] }

// Drawn reports whether an estimate is of pairs that were drawn, in O(1) for each candidate.
func (c *Choice) Drawn() bool {
	for _, k := range c.Kernels {
		for _, e := range k.Outputs {
			if slices.ContainsFunc(e.Points, func(p cv.Point) bool { return p.Drawn > 0 }) {
				return true
			}
		}
	}
	return false
}

// summary is the choice as callers see it.
func (c *choice) summary() Choice {
	chosen := c.chosen()
	e := chosen.Outputs[0]
	best := e.Points[e.Best]
	out := Choice{Kernel: chosen.Kernel, Error: chosen.Error(), Method: chosen.Method, Retrained: e.Retrained, Kernels: c.kernels, Best: c.best}
	if len(chosen.Outputs) == 1 {
		out.StdErr, out.Pairs = best.StdErr, best.Pairs
	}
	if _, boosts := c.space.procedure.(RankBoost); boosts {
		out.Rounds = int(best.Candidate)
		return out
	}
	out.Lambda = best.Candidate
	for _, e := range chosen.Outputs[1:] {
		if e.Points[e.Best].Candidate != out.Lambda {
			out.Lambda = 0
		}
	}
	return out
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
	// Boosted says that stumps were boosted, Rounds is their number, and Exhausted
	// whether no further one was left to learn.
	Boosted   bool
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
	if t.solution, err = t.procedure.chooseSolver(t); err != nil {
		return nil, err
	}
	if err := t.announcePairs(); err != nil {
		return nil, err
	}
	t.centreFeatures(o.Method != nil && o.Method.Kind == cv.LeaveOneOut)
	f, c, stopped := t.learn(ctx)
	stopped = conclude(stopped)
	if f == nil {
		return nil, stopped
	}
	if stopped != nil {
		t.journal.Note(NoteStopped, "the model is the best found before the training was stopped")
	}
	t.doubts(f, c)
	r := &Result{Training: t.facts(f)}
	if c != nil {
		r.Choice = c.summary()
	} else {
		r.Choice = Choice{Lambda: f.lambda, Rounds: r.Training.Rounds, Kernel: f.space.spec, Error: math.NaN()}
	}
	r.Model = t.model(f, &r.Choice)
	r.Notes = t.journal.Notes()
	return r, stopped
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

// learn chooses and trains.
func (t *task) learn(ctx context.Context) (*fit, *choice, error) {
	s := newSpace(t)
	if !t.chooses() {
		goal, err := t.goal()
		if err != nil {
			return nil, nil, err
		}
		candidates, err := t.procedure.candidates(s, goal, nil)
		if err != nil {
			return nil, nil, err
		}
		f, err := t.procedure.fit(ctx, s, goal, candidates[0])
		return f, nil, err
	}
	tell, end := t.journal.Monitor.Task("choosing λ", 0)
	c, err := s.choose(ctx, tell)
	end()
	if err != nil {
		return nil, nil, err
	}
	f, err := c.fit(ctx)
	return f, c, err
}

// fit trains with what was chosen.
func (c *choice) fit(ctx context.Context) (*fit, error) {
	if l, is := c.space.procedure.(LeastSquares); is && c.space.outputs > 1 {
		if err := c.returnToBest(ctx); err != nil {
			return nil, err
		}
		return l.fitOutputs(ctx, c)
	}
	if c.factored != nil && c.best == len(c.kernels)-1 {
		return c.factored.fit(c.candidate())
	}
	c.space = c.space.under(c.chosen().Kernel)
	return c.space.procedure.fit(ctx, c.space, c.goal, c.candidate())
}

// facts are those of the training that made a fit.
func (t *task) facts(f *fit) Training {
	out := Training{
		Learner: t.o.Learner.Name(), Solution: t.solution, Kernel: f.space.spec, Objective: t.procedure.objective(t),
		Rows: t.rows(), Features: t.features(), Queries: t.queries.Len(), Outputs: t.outputs,
		Lambda: f.lambda, Lambdas: f.lambdas, Minimum: f.objective, Pairs: f.pairs,
		Residual: math.NaN(), Gap: math.NaN(), Converged: true,
	}
	switch {
	case f.cg != nil:
		out.Iterations, out.Residual, out.Converged = f.cg.Iterations, f.cg.Residual, f.cg.Converged
	case f.svm != nil:
		out.Loss = string(t.procedure.(RankSVM).Loss)
		out.Iterations, out.Gap, out.Converged, out.Planes = f.svm.Iterations, f.svm.Gap, f.svm.Converged, f.svm.Planes
		out.Messages, out.Bytes = f.svm.Messages, f.svm.Bytes
	case f.boost != nil:
		out.Boosted, out.Rounds, out.Exhausted = true, len(f.boost.Stumps.Terms), f.boost.Exhausted
	}
	return out
}
