package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"pairrank/relation"
)

// relationTrained is the outcome of train --edges.
type relationTrained struct {
	*relationProblem
	*relation.Result
	load  time.Duration
	train time.Duration
}

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
	t := &relationTrained{}
	began := time.Now()
	if t.relationProblem, err = a.loadToTrain(plan); err != nil {
		return err
	}
	t.load, began = time.Since(began), time.Now()
	o := plan.options
	monitor, end := a.monitor()
	o.Monitor = monitor
	var stopped error
	t.Result, stopped = relation.Train(a.Ctx, t.Problem, o)
	if end(); t.Result == nil {
		return plan.fault(stopped)
	}
	t.train = time.Since(began)
	if stopped != nil { // what was learnt so far is saved
		a.Ctx = context.WithoutCancel(a.Ctx)
		a.note("the model is the %s before the training was stopped", t.kept())
	}
	t.noteGiven(a)
	if plan.curve != "" {
		if err := a.writeAtomic(plan.curve, t.writeCurve); err != nil {
			return err
		}
	}
	if err := a.writeAtomic(f.output, t.Model.Write); err != nil {
		return err
	}
	return errors.Join(a.reportRelation(t), stopped)
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
func (t *relationTrained) noteGiven(a *app) {
	if t.Choice != nil {
		t.plan.noteSeed(a, t.Choice)
	}
	if t.Solver != string(relation.Closed) || t.plan.solver != string(relation.Auto) {
		return
	}
	for _, name := range []string{"tolerance", "max-iterations"} {
		if t.plan.changed(name) {
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
func (t *relationTrained) kept() string {
	if t.Stopped != nil {
		return "best iterate"
	}
	return "last iterate"
}

// writeCurve writes iterations and their errors.
func (t *relationTrained) writeCurve(w io.Writer) error {
	for k, v := range t.Stopped.Curve {
		if _, err := fmt.Fprintf(w, "%d\t%s\n", k+1, strconv.FormatFloat(v, 'g', -1, 64)); err != nil {
			return err
		}
	}
	return nil
}
