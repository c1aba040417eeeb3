package main

import (
	"context"
	"errors"
	"fmt"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/relation/kron"
)

// chooseRelation estimates every λ: exactly where that is possible, else by five
// folds.
func (a *app) chooseRelation(t *relationTrained) error {
	if t.plan.solver == "primal" {
		return usagef("--solver primal is for one λ: --lambda F")
	}
	meter := a.progress("judging λ", 0)
	defer meter.End()
	o := t.plan.estimate()
	o.Progress = func(done, total int) { meter.SetTotal(int64(total)); meter.Set(int64(done)) }
	var err error
	t.estimate, t.method, err = estimateRelation(a.Ctx, t.relation(), o, t.plan)
	a.remark(t.plan, t.estimate)
	a.noteSeed(t.plan, t.estimate)
	return err
}

// remark says what an estimate does not: trainings that were cut short, and a λ at
// the end of its grid.
func (a *app) remark(p *relationPlan, e *cv.RelationEstimate) {
	if e == nil {
		return
	}
	if e.Unconverged > 0 {
		a.warn("%s of folds stopped at --max-iterations, before --tolerance was reached", plural(e.Unconverged, "training"))
	}
	a.noteEnd("lambda", power(e.Points[e.Best].Lambda), e.Best, len(e.Points))
}

// noteSeed tells of a seed with which nothing was drawn.
func (a *app) noteSeed(p *relationPlan, e *cv.RelationEstimate) {
	if e != nil && p.changed("seed") && !e.Retrained && !p.changed("pairs-sample") {
		a.note("--seed is for folds and samples, and nothing was drawn")
	}
}

// estimate are the options of an estimate, but for the method.
func (p *relationPlan) estimate() cv.RelationOptions {
	return cv.RelationOptions{Setting: kron.Setting(p.setting), Lambdas: p.lambdas, Seed: p.seed, Sample: p.sample, Choose: p.metric,
		Metrics: []metric.Metric{metric.Disagreement, metric.TauB, metric.MAP}}
}

// estimateRelation estimates by the method asked for, or the default: one by one
// where that is exact, else five folds.
func estimateRelation(ctx context.Context, r cv.Relation, o cv.RelationOptions, p *relationPlan) (*cv.RelationEstimate, cv.Method, error) {
	o.Method = cv.Method{Kind: cv.LeaveOneOut}
	if p.method != nil {
		o.Method = *p.method
	}
	if err := p.checkFolds(o.Method); err != nil {
		return nil, o.Method, err
	}
	e, err := cv.EstimateRelation(ctx, r, o)
	var inexact *kron.NotExactError
	if p.method == nil && errors.As(err, &inexact) {
		o.Method = cv.Method{Kind: cv.KFold, Folds: 5}
		if o.Sample > 0 {
			return nil, o.Method, asUsage(fmt.Errorf("--pairs-sample is for what is exact: %w", inexact))
		}
		if err := p.checkFolds(o.Method); err != nil {
			return nil, o.Method, err
		}
		if e, err = cv.EstimateRelation(ctx, r, o); e != nil {
			e.Why += ", as " + inexact.Reason
		}
	}
	known := errors.As(err, &inexact) || errors.Is(err, kron.ErrNotPSD) || errors.Is(err, kron.ErrNumerical) || errors.Is(err, context.Canceled)
	if err != nil && !known {
		err = asData(err) // about what there is to hold out
	}
	return e, o.Method, err
}

// checkFolds refuses folds that --solver closed cannot train.
func (p *relationPlan) checkFolds(m cv.Method) error {
	if p.solver != "closed" || m.Kind != cv.KFold || p.setting != string(kron.Pairs) {
		return nil
	}
	err := usagef("folds of edges leave graphs that are not complete, which have no closed form")
	if p.learn.Relation == kron.Arbitrary {
		return withHint(err, "--method loo is exact; --solver cg trains each fold")
	}
	return withHint(err, "--solver cg trains each fold")
}
