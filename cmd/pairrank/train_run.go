package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/learn/rankboost"
	"pairrank/learn/ranksvm"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// trained is the outcome of train.
type trained struct {
	*loaded
	ctx      context.Context // of the training: that of the run, with --time-limit
	fit      fitted
	goal     *pref.Goal     // of least squares, or nil
	start    []float64      // weights of --warm-start, or nil
	svm      *ranksvm.Fit   // of ranksvm, or nil
	boost    *rankboost.Fit // of rankboost, or nil
	choice   *choice        // nil when there was nothing to choose
	estimate *cv.Estimate   // of the chosen kernel, or nil
	method   cv.Method
	why      string // the solver was taken
	doubt    string // about the basis, or empty
	cg       *rls.CGResult
	load     time.Duration
	train    time.Duration
}

// fitted is what every learner learns.
type fitted struct {
	lambda, objective, pairs float64     // lambda is 0 where the outputs have several
	coef                     *data.Dense // of features, rows or basis rows; nil for stumps
	lambdas                  []float64   // of several outputs, or nil
}

// take keeps a least-squares fit.
func (t *trained) take(fit *rls.Fit, goal *pref.Goal) {
	t.fit = fitted{lambda: fit.Lambda, objective: fit.Objective(), pairs: goal.Pairs, coef: fit.Coef}
	t.goal = goal
}

func (a *app) train(path string, f *trainFlags) error {
	plan, err := a.planTraining(f)
	if err != nil {
		return err
	}
	if err := filesOnly(plan.matrix, plan.preferences, plan.basisRows, plan.names, plan.warmStart, plan.valid, plan.labels); err != nil {
		return err
	}
	if err := a.checkOutputs([]string{plan.output}, path, plan.matrix, plan.preferences, plan.basisRows, plan.names, plan.valid, plan.labels); err != nil {
		return err
	}
	began := time.Now()
	input, err := a.loadProblem(path, plan)
	if err != nil {
		return err
	}
	if err := checkUTF8(cmp.Or(plan.names, shown(path)), "feature", input.set.Names); err != nil {
		return err
	}
	if err := a.loadValid(input); err != nil {
		return err
	}
	t := &trained{loaded: input}
	if t.start, err = a.startWeights(input); err != nil {
		return err
	}
	if err := a.announcePairs(t.problem, "--select"); err != nil {
		return err
	}
	debug.FreeOSMemory() // what reading took beside the rows: training reuses it
	t.load = time.Since(began)
	began = time.Now()
	stopped := a.runTraining(t)
	if stopped != nil && t.svm == nil && t.boost == nil {
		return trainError(path, "--select", stopped)
	}
	t.train = time.Since(began)
	if stopped != nil { // the best so far is saved, whatever stopped it
		a.Ctx = context.WithoutCancel(a.Ctx)
		a.note("the model is the best found before the training was stopped")
	}
	t.warnings(a)
	if err := a.writeModel(t); err != nil {
		return err
	}
	return errors.Join(a.reportTraining(t), stopped)
}

// runTraining trains. A learner that keeps its best is waited for when the run is
// interrupted, which is not long.
func (a *app) runTraining(t *trained) error {
	plan := t.problem.plan
	t.ctx = a.Ctx
	if plan.timeLimit > 0 {
		limited, stop := context.WithTimeout(a.Ctx, plan.timeLimit)
		defer stop()
		t.ctx = limited
	}
	if plan.keepsBest() {
		return a.learn(t)
	}
	return a.await(func() error { return a.learn(t) })
}

// trainError gives an error of training its kind. flag is the one that chooses
// how rows are held out.
func trainError(path, flag string, err error) error {
	var inexact *rls.NotExactError
	switch {
	case errors.Is(err, pref.ErrNothingToLearn):
		return withHint(asData(fmt.Errorf("%s: %w", shown(path), err)), "check the labels: pairrank check %s counts them", path)
	case errors.Is(err, context.DeadlineExceeded):
		return withHint(asNumerical(errors.New("--time-limit ended before there was a model")), "there is none while λ is chosen and before the first iteration: give one value, --lambda 1e-3, or more time")
	case errors.Is(err, ranksvm.ErrNumerical):
		return withHint(asNumerical(err), "scale the features, --normalize zscore, and take a λ of usual size")
	case errors.Is(err, rls.ErrNumerical):
		return withHint(asNumerical(err), "take larger values of λ, or scale the features: --normalize zscore")
	case errors.As(err, &inexact):
		return withHint(asUsage(err), "%s kfold:10 trains each fold again", flag)
	}
	return err
}

// learn chooses the kernel and λ and trains; it writes no output but progress.
func (a *app) learn(t *trained) (err error) {
	p := t.problem
	if t.why, err = p.chooseSolver(); err != nil {
		return err
	}
	m := p.plan.method
	p.centreFeatures(m != nil && m.Kind == cv.LeaveOneOut)
	if p.plan.noSelection {
		return a.learnOne(t, p.plan.lambdas[0])
	}
	meter := a.progress("judging λ", 0)
	t.choice, err = p.judge(t.ctx, a.reportJudging(meter))
	meter.End()
	if err != nil {
		return err
	}
	t.estimate, t.method = t.choice.chosen().estimates[0], t.choice.chosen().method
	if p.outputs > 1 {
		return a.learnOutputs(t)
	}
	if path := t.choice.path; path != nil && t.choice.best == len(p.plan.kernels)-1 {
		t.doubt = t.choice.doubt
		fit, err := path.Refit(t.choice.lambda())
		if err == nil {
			t.take(fit, t.choice.goal)
		}
		return err
	}
	p.use(t.choice.chosen().kernel)
	return a.learnOne(t, t.choice.lambda())
}

// learnOne trains with the kernel at work for one λ.
func (a *app) learnOne(t *trained, lambda float64) error {
	p := t.problem
	switch p.plan.learner {
	case rankSVM:
		return a.learnSVM(t, lambda)
	case rankBoost:
		return a.learnBoost(t, int(lambda))
	}
	goal, err := p.newGoal()
	if err != nil {
		return err
	}
	switch {
	case p.plan.solver == "cg":
		return a.learnCG(t, goal, lambda)
	case p.plan.precomputed && p.plan.solver == "dual":
		// A path knows all eigenvalues, and whether the given matrix is a kernel.
		c := &choice{goal: goal}
		if err := p.factor(a.Ctx, c); err != nil {
			return err
		}
		t.doubt = c.doubt
		fit, err := c.path.Refit(lambda)
		if err == nil {
			t.take(fit, goal)
		}
		return err
	}
	basis, err := p.checkedBasis()
	if err != nil {
		return err
	}
	t.doubt = basis.Warning
	fit, err := rls.Solve(a.Ctx, basis, goal, lambda)
	if err == nil {
		t.take(fit, goal)
	}
	return err
}

// learnCG trains by conjugate gradients.
func (a *app) learnCG(t *trained, goal *pref.Goal, lambda float64) error {
	fit, err := a.solveCG(t, goal, lambda)
	if err == nil {
		t.take(fit, goal)
	}
	return err
}

// solveCG runs conjugate gradients for one λ. Of several runs the result is kept
// that is farthest from the solution.
func (a *app) solveCG(t *trained, goal *pref.Goal, lambda float64) (*rls.Fit, error) {
	p := t.problem
	meter := a.progress(fmt.Sprintf("conjugate gradients, λ = %s", power(lambda)), int64(p.plan.iterations))
	defer meter.End()
	fit, result, err := rls.ConjugateGradients(a.Ctx, p.x, goal, lambda, rls.CGOptions{
		Tolerance: p.plan.tolerance, MaxIterations: p.plan.iterations,
		Progress: func(_, iteration int, _ float64) { meter.Set(int64(iteration)) },
	})
	if t.cg == nil || result.Residual > t.cg.Residual {
		t.cg = &result
	}
	return fit, err
}

// warnUnconverged counts the trainings of folds that did not converge.
func (p *trainProblem) warnUnconverged(a *app) {
	if n := *p.unconverged; n > 0 {
		a.warn("%s of folds did not converge; the errors are those of the last iterates", plural(n, "training"))
	}
}

// warnings tells what is doubtful about the result.
func (t *trained) warnings(a *app) {
	if t.doubt != "" {
		a.warn("%s", t.doubt)
	}
	if t.cg != nil && !t.cg.Converged {
		a.warn("conjugate gradients stopped after %d iterations at a relative residual of %.2g, above %g; the model is the last iterate",
			t.cg.Iterations, t.cg.Residual, t.problem.plan.tolerance)
	}
	alike := a.warnAlike(t.problem, t.goal)
	if !alike {
		t.warnEqual(a)
	}
	if s := t.svm; s != nil && !alike {
		const large = 0.1 // of J
		switch {
		case !slices.ContainsFunc(s.Weights, func(w float64) bool { return w != 0 }):
			a.warn("all weights are 0, so every row gets the same score: J(0) = 1 is within --epsilon of the optimum; where the compared rows are not all alike, take a smaller λ, a smaller --epsilon, or --normalize zscore")
		case s.Converged && s.Gap > large*s.Objective:
			a.warn("the gradient is short, and still the objective %.6g may be %.2g above the optimum; --normalize zscore, or a smaller --epsilon", s.Objective, s.Gap)
		}
	}
	t.problem.warnUnconverged(a)
	if plan := t.problem.plan; plan.changed("seed") && !plan.changed("basis") && t.method.Kind != cv.KFold {
		a.note("--seed is for kfold and --basis, and nothing was drawn")
	}
	if t.estimate != nil {
		a.noteEnds(t.problem.plan, t.choice.chosen().estimates)
	}
}
