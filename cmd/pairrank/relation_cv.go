package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"pairrank/eval/cv"
	"pairrank/format/table"
)

// crossValidateRelation is cv --edges.
func (a *app) crossValidateRelation(f *cvFlags) error {
	if f.method == "none" {
		return usagef("cv holds out: --method loo or kfold:K")
	}
	plan, err := planRelation(&f.trainFlags, &f.relation, f.method, true)
	if err != nil {
		return err
	}
	switch {
	case plan.learner == similarity:
		return usagef("--learner similarity learns nothing: evaluate its scores instead")
	case plan.solver == "primal":
		return usagef("--solver primal is for train; cv works with kernel matrices")
	case f.heldOut == "-":
		return usagef("standard output takes the report; --held-out writes to a file")
	}
	if err := a.checkOutputs([]string{f.heldOut}, f.relation.edges, f.relation.rows, f.relation.cols); err != nil {
		return err
	}
	began := time.Now()
	problem, err := a.loadRelation(plan)
	if err != nil {
		return err
	}
	if plan.solver == "closed" {
		r := problem.relation()
		y, _ := r.Complete()
		if err := checkClosed(r, y); err != nil {
			return err
		}
	}
	load := time.Since(began)
	began = time.Now()
	meter := a.progress("cross-validating", 0)
	o := plan.estimate()
	o.Progress = func(done, total int) { meter.SetTotal(int64(total)); meter.Set(int64(done)) }
	var estimate *cv.RelationEstimate
	var method cv.Method
	err = a.await(func() (err error) {
		estimate, method, err = estimateRelation(a.Ctx, problem.relation(), o, plan)
		return err
	})
	meter.End()
	if err != nil {
		return relationError(err, "--method")
	}
	a.remark(plan, estimate)
	halves, err := a.halveRelation(problem, o, method, estimate, f.interval)
	if err != nil {
		return err
	}
	if halves == nil {
		a.noteSeed(plan, estimate)
	}
	problem.warnAlike(a)
	for _, name := range []string{"tolerance", "max-iterations"} {
		if plan.changed(name) && !estimate.Retrained {
			a.note("the edges were left out in closed form, which --%s is not for; --solver cg iterates", name)
		}
	}
	if f.heldOut != "" {
		if err := a.writeRelationHeldOut(problem, o, method, estimate, f.heldOut); err != nil {
			return err
		}
	}
	work := time.Since(began)
	if a.JSON {
		d := problem.document(estimate, method)
		d.Lambda, d.Interval = d.Best.Lambda, halves.json()
		halves.intervals(d.Best)
		d.Seconds.Load, d.Seconds.Train = jsonNumber(load.Seconds()), jsonNumber(work.Seconds())
		return a.writeJSON(d)
	}
	return a.writeAtomic("-", func(w io.Writer) error {
		var b strings.Builder
		line := func(key, format string, args ...any) {
			fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
		}
		line("learner", "%s, %s", plan.learner, plan.describe())
		line("data", "%s between %s", plural(len(problem.y), "edge"), problem.nodes())
		line("objective", "%s", plan.formula())
		printRelationTable(&b, line, plan, estimate, method, "<- best")
		best := newRelationResult(plan, estimate.Points[estimate.Best])
		halves.intervals(&best)
		line("best", "lambda %s: error %.5f%s, c-index %s%s", power(float64(best.Lambda)), float64(best.Error), intervalText(best.CI95), numberText(best.CIndex), intervalText(best.CIndexCI95))
		if halves != nil {
			line("intervals", "of %d splits of the nodes into halves, with λ chosen again in each", halves.Splits)
		}
		line("seconds", "%.3g reading, %.3g validating", load.Seconds(), work.Seconds())
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// writeRelationHeldOut writes row, column and held-out score at the best λ, in the
// order of the edges.
func (a *app) writeRelationHeldOut(p *relationProblem, o cv.RelationOptions, method cv.Method, e *cv.RelationEstimate, path string) error {
	o.Method, o.Lambdas, o.Progress = method, []float64{e.Points[e.Best].Lambda}, nil
	scores, err := cv.RelationHeldOut(a.Ctx, p.relation(), o)
	if err != nil {
		return relationError(err, "--method")
	}
	return a.writeAtomic(path, func(w io.Writer) error {
		return writeEdges(w, p.rows.id, p.cols.id, p.edges.Row, p.edges.Col, scores)
	})
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
