package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"pairrank/cv"
	"pairrank/pref"
	"pairrank/rls"
)

// trained is the outcome of train.
type trained struct {
	*loaded
	goal     *pref.Goal
	fit      *rls.Fit
	choice   *choice      // nil when there was nothing to choose
	estimate *cv.Estimate // of the chosen kernel, or nil
	method   cv.Method
	why      string // the solver was taken
	doubt    string // about the basis, or empty
	cg       *rls.CGResult
	load     time.Duration
	train    time.Duration
}

func (a *app) train(path string, f *trainFlags) error {
	plan, err := a.planTraining(f)
	if err != nil {
		return err
	}
	if err := filesOnly(plan.matrix, plan.preferences, plan.basisRows, plan.names); err != nil {
		return err
	}
	if err := a.checkOutputs([]string{plan.output}, path, plan.matrix, plan.preferences, plan.basisRows, plan.names); err != nil {
		return err
	}
	began := time.Now()
	input, err := a.loadProblem(path, plan)
	if err != nil {
		return err
	}
	t := &trained{loaded: input}
	a.announceLong(t.problem, "--select")
	debug.FreeOSMemory() // what reading took beside the rows: training reuses it
	t.load = time.Since(began)
	began = time.Now()
	if err := a.await(func() error { return a.learn(t) }); err != nil {
		return trainError(path, "--select", err)
	}
	t.train = time.Since(began)
	t.warnings(a)
	if err := a.writeModel(t); err != nil {
		return err
	}
	return a.reportTraining(t)
}

// trainError gives an error of training its kind. flag is the one that chooses
// how rows are held out.
func trainError(path, flag string, err error) error {
	var inexact *rls.NotExactError
	switch {
	case errors.Is(err, pref.ErrNothingToLearn):
		return withHint(asData(fmt.Errorf("%s: %w", shown(path), err)), "check the labels: pairrank check %s counts them", path)
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
	if m := p.plan.method; m == nil || m.Kind != cv.LeaveOneOut {
		p.centreFeatures() // leave-one-out ranks scores of different trainings
	}
	lambda := p.plan.lambdas[0]
	if p.plan.noSelection {
		t.goal, err = p.newGoal()
		if err != nil {
			return err
		}
	} else {
		meter := a.progress("judging λ", 0)
		t.choice, err = p.judge(a.Ctx, a.reportJudging(meter))
		meter.End()
		if err != nil {
			return err
		}
		t.goal, t.estimate, t.method, lambda = t.choice.goal, t.choice.chosen().estimates[0], t.choice.chosen().method, t.choice.lambda()
		if path := t.choice.path; path != nil && t.choice.best == len(p.plan.kernels)-1 {
			t.doubt = t.choice.doubt
			t.fit, err = path.Refit(lambda)
			return err
		}
		p.use(t.choice.chosen().kernel)
	}
	if p.plan.solver == "cg" {
		return a.learnCG(t, lambda)
	}
	if p.plan.precomputed && p.plan.solver == "dual" {
		// A path knows all eigenvalues, and whether the given matrix is a kernel.
		c := &choice{goal: t.goal}
		if err := p.factor(a.Ctx, c); err != nil {
			return err
		}
		t.fit, t.doubt = c.path.At(lambda), c.doubt
		return nil
	}
	basis, err := p.checkedBasis()
	if err != nil {
		return err
	}
	t.doubt = basis.Warning
	t.fit, err = rls.Solve(a.Ctx, basis, t.goal, lambda)
	return err
}

// learnCG trains by conjugate gradients.
func (a *app) learnCG(t *trained, lambda float64) error {
	p := t.problem
	meter := a.progress(fmt.Sprintf("conjugate gradients, λ = %s", power(lambda)), int64(p.plan.iterations))
	defer meter.End()
	fit, result, err := rls.ConjugateGradients(a.Ctx, p.x, t.goal, lambda, rls.CGOptions{
		Tolerance: p.plan.tolerance, MaxIterations: p.plan.iterations,
		Progress: func(_, iteration int, _ float64) { meter.Set(int64(iteration)) },
	})
	t.fit, t.cg = fit, &result
	return err
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
	if n := *t.problem.unconverged; n > 0 {
		a.warn("conjugate gradients did not reach the tolerance in %s of folds; the errors are those of the last iterates", plural(n, "training"))
	}
	if t.estimate == nil || len(t.estimate.Points) < 2 {
		return
	}
	if best := t.estimate.Best; best == 0 || best == len(t.estimate.Points)-1 {
		a.note("the chosen λ = %s is at the end of the values tried", power(t.fit.Lambda))
	}
}
