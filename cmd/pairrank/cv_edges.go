package main

import (
	"io"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/format/table"
	"pairrank/relation"
	"pairrank/report"
)

// crossValidateEdges is cv --edges.
func (a *app) crossValidateEdges(f *cvFlags) error {
	plan, err := f.planEdges()
	if err != nil {
		return err
	}
	r := plan.edges
	if err := a.CheckOutputs([]string{f.heldOut}, r.edges, r.rowNodes, r.colNodes); err != nil {
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
	if f.nested == nestedDefault {
		o.Nested.Folds = p.defaultFolds(o.Setting)
	}
	e, err := cli.AwaitFor(a.Ctx, func() (*relation.Estimated, error) { return relation.Estimate(a.Ctx, p.Problem, o) })
	if err != nil {
		return plan.run.Error(err)
	}
	if e.Halves == nil {
		plan.noteSeed(a, e)
	}
	for _, name := range []string{"tolerance", "max-iterations"} {
		if f.changed(name) && !e.Retrained {
			a.Note("the edges were left out in closed form, which --%s is not for; --solver cg iterates", name)
		}
	}
	if f.heldOut != "" {
		err := a.Write(f.heldOut, func(w io.Writer) error {
			return table.WriteEdgeScores(w, p.Rows.ID, p.columns().ID, p.Edges.Row, p.Edges.Col, e.HeldOut)
		})
		if err != nil {
			return err
		}
	}
	about.Work = time.Since(began)
	return a.Print(a.Ctx, report.NewRelationEstimate(e, &p.Problem, &o, about))
}

// planEdges checks the flags of cv --edges.
func (f *cvFlags) planEdges() (*edgePlan, error) {
	if f.method == "none" {
		return nil, cli.Usagef("cv holds out: --method loo or kfold:K")
	}
	plan, err := f.trainFlags.planEdges(f.method, true)
	if err != nil {
		return nil, err
	}
	o := &plan.options
	o.Permutations, o.HeldOut, o.Intervals = f.permutations, f.heldOut != "", relation.Intervals(f.interval)
	switch {
	case !plan.learner.learns:
		return nil, cli.Usagef("--learner %s learns nothing: evaluate its scores instead", f.learner)
	case solverNamed(f.solver).features:
		return nil, cli.Usagef("--solver %s is for train; cv works with kernel matrices", f.solver)
	case f.heldOut == "-":
		return nil, cli.Usagef("standard output takes the report; --held-out writes to a file")
	case f.changed("permutations") && f.permutations < 1:
		return nil, cli.Usagef("--permutations is at least 1, not %d", f.permutations)
	case f.nested == nestedDefault:
		o.Nested = cv.Method{Kind: cv.KFold, Folds: mostFolds}
	case f.nested != "":
		if o.Nested, err = cv.ParseMethod(f.nested); err != nil {
			return nil, cli.AsUsage(err)
		}
	}
	return plan, plan.run.Error(relation.Check(plan.nodes, *o))
}

// mostFolds are the folds of --nested without a value, where there is enough to hold out.
const mostFolds = 10

// defaultFolds are the folds of --nested without a value: mostFolds, or as many as there
// are edges or nodes to be held out.
func (p *edgeProblem) defaultFolds(s relation.Setting) int {
	units := len(p.Y)
	rows, cols := len(p.Rows.ID), len(p.columns().ID)
	switch s {
	case relation.Rows:
		units = rows
	case relation.Cols:
		units = cols
	case relation.Both:
		units = min(rows, cols)
	}
	return max(2, min(mostFolds, units))
}
