package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/relation"
	"pairrank/relation/pairmodel"
)

// trainEdges is relation train.
func (a *app) trainEdges(f *trainFlags) error {
	plan, err := f.planEdges(f.selectBy, false)
	if err != nil {
		return err
	}
	r := plan.edges
	if err := cmp.Or(f.metricDrawn(), f.checkChoice(plan.chooses())); err != nil {
		return err
	}
	if err := a.CheckOutputs(append(f.pages.files(), f.output, r.curve), append(r.files(), r.earlyStop)...); err != nil {
		return err
	}
	began := time.Now()
	p, o, err := a.readToTrain(plan)
	if err != nil {
		return err
	}
	about := report.About{Model: f.output, Load: time.Since(began)}
	began = time.Now()
	o.Monitor = plan.run.Monitor(a.App, false)
	result, stopped := relation.Train(a.Ctx, p.Problem, o)
	stopped = plan.run.Error(stopped)
	if result == nil {
		return stopped
	}
	about.Work = time.Since(began)
	ctx := a.Ctx
	if stopped != nil { // what was learnt so far is saved
		ctx = context.WithoutCancel(ctx)
	}
	plan.noteUnused(a, result)
	if r.curve != "" {
		if err := a.WriteUnder(ctx, r.curve, func(w io.Writer) error {
			return writeCurve(w,
				result.Stopped.Curve)
		}); err != nil {
			return err
		}
	}
	if err := a.WriteUnder(ctx, f.output, result.Model.Write); err != nil {
		return err
	}
	d := report.NewRelationTraining(result, &p.Problem, &o, about)
	return errors.Join(a.writeEdgePages(ctx, f, result.Model, d), a.reportTraining(ctx, f.output, d), stopped)
}

// writeEdgePages writes what --report and --figure ask for of a training on edges.
func (a *app) writeEdgePages(ctx context.Context, f *trainFlags, m *pairmodel.Model, d *report.Relation) error {
	documents := []told{{f.relation.edges, d}}
	if f.pages.page != "" {
		heat, err := trainingMap(m, f.output)
		if err != nil {
			return err
		}
		documents = append(documents, heat...)
	}
	return a.writePages(ctx, &f.pages, documents...)
}

// readToTrain reads the problem and the edges of --early-stop, which the options get.
func (a *app) readToTrain(plan *edgePlan) (*edgeProblem, relation.Options, error) {
	o, r := plan.options.Options, plan.edges
	p, err := a.readProblem(&r.edgeFlags, plan.nodes, plan.threshold)
	if err != nil {
		return nil, o, err
	}
	if err := p.checkUTF8(); err != nil || r.earlyStop == "" {
		return p, o, err
	}
	stop := *o.EarlyStop
	stop.Edges, stop.Y, _, err = a.readLabelled(r.earlyStop, &r.edgeFlags, p, plan.threshold)
	o.EarlyStop = &stop
	return p, o, err
}

// noteUnused tells of flags that were given and had nothing to do.
func (p *edgePlan) noteUnused(a *app, r *relation.Result) {
	if c := &r.Choice; c.Measured() {
		p.noteSeed(a, c.Retrained || c.Drawn())
	}
	if p.flags.solver == solverAuto && r.Solver == solverClosed {
		p.noteClosed(a, "the graph is complete and is learnt")
	}
}

// noteClosed tells of options of solvers that iterate, where none does.
func (p *edgePlan) noteClosed(a *app, what string) {
	for _, o := range option.Of("relation train") {
		if o.EdgeSolvers != "" && p.flags.changed(o.Name) {
			a.Note("--%s has no effect, since %s in closed form; --solver cg iterates", o.Name, what)
		}
	}
}

// noteSeed tells of a seed with which nothing was drawn.
func (p *edgePlan) noteSeed(a *app, drawn bool) {
	if p.flags.changed("seed") && !drawn {
		a.Note("--seed had no effect: neither folds nor pairs were drawn")
	}
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

// crossValidateEdges is relation cv.
func (a *app) crossValidateEdges(f *cvFlags) error {
	plan, err := f.planEdges()
	if err != nil {
		return err
	}
	r := plan.edges
	if err := a.CheckOutputs(append(f.pages.files(), f.heldOut), r.files()...); err != nil {
		return err
	}
	began := time.Now()
	p, err := a.readProblem(&r.edgeFlags, plan.nodes, plan.threshold)
	if err != nil {
		return err
	}
	about := report.About{Load: time.Since(began)}
	began = time.Now()
	o := plan.options
	o.Monitor = plan.run.Monitor(a.App, true)
	e, err := cli.AwaitFor(a.Ctx, func() (*relation.Estimated, error) { return relation.Estimate(a.Ctx, p.Problem, o) })
	if err != nil {
		return plan.run.Error(err)
	}
	if e.Halves == nil {
		plan.noteSeed(a, e.Choice.Retrained || e.Choice.Drawn() || e.Nested != nil || e.Permutation != nil ||
			e.Folds != nil)
	}
	if !e.Choice.Retrained {
		plan.noteClosed(a, "the edges were left out")
	}
	if f.heldOut != "" {
		err := a.Write(f.heldOut, func(w io.Writer) error {
			return writeEdgeScores(w, separatorOf(f.heldOut), p.Rows.ID, p.columns().ID, p.Edges.Row,
				p.Edges.Col, e.HeldOut)
		})
		if err != nil {
			return err
		}
	}
	about.Work = time.Since(began)
	d := report.NewRelationEstimate(e, &p.Problem, &o.Options, about)
	return a.present(&f.pages, r.edges, d)
}

// planEdges checks the flags of relation cv.
func (f *cvFlags) planEdges() (*edgePlan, error) {
	if f.method == "none" {
		return nil, cli.Usagef("cv holds out: --method lpo, loo or kfold:K")
	}
	if err := f.metricDrawn(); err != nil {
		return nil, err
	}
	plan, err := f.trainFlags.planEdges(f.method, true)
	if err != nil {
		return nil, err
	}
	o := &plan.options
	o.Permutations, o.HeldOut, o.Intervals, o.Nested = f.permutations, f.heldOut != "", f.intervals(), f.outer
	if err := checkOutputFormat(f.heldOut, "scores of edges", "csv"); err != nil {
		return nil, err
	}
	return plan, plan.run.Error(o.Check(plan.nodes))
}
