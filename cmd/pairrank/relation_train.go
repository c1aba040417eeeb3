package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"pairrank/relation"
	"pairrank/report"
)

func (a *app) trainRelation(f *trainFlags, r *relationFlags) error {
	if f.output == "" {
		return withHint(usagef("-o MODEL is missing"), "the form is pairrank train --edges FILE --rows FILE -o MODEL")
	}
	if a.JSON && f.output == "-" {
		return usagef("--json and -o - both write to standard output")
	}
	plan, err := planRelation(f, r, f.selectBy, false)
	if err != nil {
		return err
	}
	if err := a.checkOutputs([]string{f.output, r.curve}, r.edges, r.rows, r.cols, r.earlyStop); err != nil {
		return err
	}
	began := time.Now()
	problem, err := a.loadToTrain(plan)
	if err != nil {
		return err
	}
	about := report.About{Model: f.output, Load: time.Since(began)}
	began = time.Now()
	o := plan.options
	o.Monitor = a.monitor(plan.asked(), false)
	result, stopped := relation.Train(a.Ctx, problem.Problem, o)
	stopped = plan.asked().explain(stopped)
	if result == nil {
		return stopped
	}
	about.Work = time.Since(began)
	ctx := a.Ctx
	if stopped != nil { // what was learnt so far is saved
		ctx = context.WithoutCancel(ctx)
		a.note("the model is the %s before the training was stopped", kept(result))
	}
	plan.noteGiven(a, result)
	if plan.curve != "" {
		if err := a.writeUnder(ctx, plan.curve, func(w io.Writer) error { return writeCurve(w, result.Stopped.Curve) }); err != nil {
			return err
		}
	}
	if err := a.writeUnder(ctx, f.output, result.Model.Write); err != nil {
		return err
	}
	return errors.Join(a.reportTraining(ctx, f.output, report.NewRelationTraining(result, &problem.Problem, &o, about)), stopped)
}

// loadToTrain reads the problem and the edges of --early-stop.
func (a *app) loadToTrain(plan *relationPlan) (*relationProblem, error) {
	problem, err := a.loadRelation(plan)
	if err != nil {
		return nil, err
	}
	if err := problem.checkUTF8(); err != nil || plan.earlyStop == "" {
		return problem, err
	}
	stop := relation.EarlyStop{Patience: plan.patience}
	stop.Edges, stop.Y, err = problem.readEdges(a, plan.earlyStop)
	plan.options.EarlyStop = &stop
	return problem, err
}

// noteGiven tells of flags that were given and had nothing to do.
func (p *relationPlan) noteGiven(a *app, r *relation.Result) {
	if r.Choice != nil {
		p.noteSeed(a, r.Choice)
	}
	if r.Solver != string(relation.Closed) || p.solver != string(relation.Auto) {
		return
	}
	for _, name := range []string{"tolerance", "max-iterations"} {
		if p.changed(name) {
			a.note("the graph is complete and is learnt in closed form, which --%s is not for; --solver cg iterates", name)
		}
	}
}

// noteSeed tells of a seed with which nothing was drawn.
func (p *relationPlan) noteSeed(a *app, e *relation.Estimated) {
	if p.changed("seed") && !e.Retrained && e.Nested == nil && e.Permutation == nil && !p.changed("pairs-sample") {
		a.note("--seed is for folds and samples, and nothing was drawn")
	}
}

// kept is which iterate the model is.
func kept(r *relation.Result) string {
	if r.Stopped != nil {
		return "best iterate"
	}
	return "last iterate"
}

// writeCurve writes iterations and their errors.
func writeCurve(w io.Writer, curve []float64) error {
	for k, v := range curve {
		if _, err := fmt.Fprintf(w, "%d\t%s\n", k+1, strconv.FormatFloat(v, 'g', -1, 64)); err != nil {
			return err
		}
	}
	return nil
}
