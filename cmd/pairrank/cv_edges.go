package main

import (
	"io"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/relation"
	"pairrank/report"
	"pairrank/report/page"
)

// crossValidateEdges is cv --edges.
func (a *app) crossValidateEdges(f *cvFlags) error {
	plan, err := f.planEdges()
	if err != nil {
		return err
	}
	r := plan.edges
	if err := a.CheckOutputs(append(f.pages.files(), f.heldOut), r.edges, r.rowNodes, r.colNodes); err != nil {
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
			return table.WriteEdgeScores(w, separatorOf(f.heldOut), p.Rows.ID, p.columns().ID, p.Edges.Row,
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

// planEdges checks the flags of cv --edges.
func (f *cvFlags) planEdges() (*edgePlan, error) {
	if f.method == "none" {
		return nil, cli.Usagef("cv holds out: --method lpo, loo or kfold:K")
	}
	if d := f.pages.drawn; d != "" && d != page.ErrorFigure && d != page.MetricFigure {
		return nil, cli.Usagef("--figure %s is for rows; of edges there are error and metric", d)
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
