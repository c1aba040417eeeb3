package main

import (
	"io"
	"time"

	"pairrank/eval/cv"
	"pairrank/format/table"
	"pairrank/relation"
	"pairrank/relation/kron"
	"pairrank/report"
)

// crossValidateRelation is cv --edges.
func (a *app) crossValidateRelation(f *cvFlags) error {
	plan, err := f.planRelation()
	if err != nil {
		return err
	}
	if err := a.checkOutputs([]string{f.heldOut}, f.relation.edges, f.relation.rows, f.relation.cols); err != nil {
		return err
	}
	began := time.Now()
	problem, err := a.loadRelation(plan)
	if err != nil {
		return err
	}
	about := report.About{Load: time.Since(began)}
	began = time.Now()
	if f.nested == nestedDefault {
		plan.options.Nested.Folds = problem.defaultFolds()
	}
	o := plan.options
	o.Monitor = a.monitor(plan.asked(), true)
	e, err := awaitFor(a.Ctx, func() (*relation.Estimated, error) { return relation.Estimate(a.Ctx, problem.Problem, o) })
	if err != nil {
		return plan.asked().explain(err)
	}
	if e.Halves == nil {
		plan.noteSeed(a, e)
	}
	for _, name := range []string{"tolerance", "max-iterations"} {
		if plan.changed(name) && !e.Retrained {
			a.note("the edges were left out in closed form, which --%s is not for; --solver cg iterates", name)
		}
	}
	if f.heldOut != "" {
		err := a.writeAtomic(f.heldOut, func(w io.Writer) error {
			return writeEdges(w, problem.Rows.ID, problem.columns().ID, problem.Edges.Row, problem.Edges.Col, e.HeldOut)
		})
		if err != nil {
			return err
		}
	}
	about.Work = time.Since(began)
	return a.print(a.Ctx, report.NewRelationEstimate(e, &problem.Problem, &o, about))
}

// planRelation checks the flags of cv --edges.
func (f *cvFlags) planRelation() (*relationPlan, error) {
	if f.method == "none" {
		return nil, usagef("cv holds out: --method loo or kfold:K")
	}
	plan, err := planRelation(&f.trainFlags, &f.relation, f.method, true)
	if err != nil {
		return nil, err
	}
	o := &plan.options
	o.Permutations, o.HeldOut, o.Intervals = f.permutations, f.heldOut != "", relation.Intervals(f.interval)
	switch {
	case o.Learner == relation.Similarity:
		return nil, usagef("--learner similarity learns nothing: evaluate its scores instead")
	case o.Solver == relation.Primal:
		return nil, usagef("--solver primal is for train; cv works with kernel matrices")
	case f.heldOut == "-":
		return nil, usagef("standard output takes the report; --held-out writes to a file")
	case f.changed("permutations") && f.permutations < 1:
		return nil, usagef("--permutations is at least 1, not %d", f.permutations)
	case f.nested == nestedDefault:
		o.Nested = cv.Method{Kind: cv.KFold, Folds: 10}
	case f.nested != "":
		if o.Nested, err = cv.ParseMethod(f.nested); err != nil {
			return nil, asUsage(err)
		}
	}
	return plan, plan.asked().explain(relation.Check(plan.kinds(), *o))
}

// defaultFolds are the folds of --nested without a value: 10, or as many as there are
// edges or nodes.
func (p *relationProblem) defaultFolds() int {
	units := len(p.Y)
	rows, cols := len(p.Rows.ID), len(p.columns().ID)
	switch kron.Setting(p.plan.setting) {
	case kron.Rows:
		units = rows
	case kron.Cols:
		units = cols
	case kron.Both:
		units = min(rows, cols)
	}
	return max(2, min(10, units))
}

// writeEdges writes TSV lines of row, column and score; scores that are NaN are
// left out.
func writeEdges(w io.Writer, rows, cols []string, row, col []int32, scores []float64) error {
	var text []byte
	for e, s := range scores {
		if s != s {
			continue
		}
		var err error
		if text, err = table.AppendField(text[:0], rows[row[e]], '\t'); err != nil {
			return err
		}
		if text, err = table.AppendField(append(text, '\t'), cols[col[e]], '\t'); err != nil {
			return err
		}
		text = append(appendNumber(append(text, '\t'), s), '\n')
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}
