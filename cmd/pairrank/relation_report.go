package main

import (
	"fmt"
	"io"
	"strings"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/relation"
	"pairrank/relation/pairwise"
)

// relationJSON is the document of train --edges --json and cv --edges --json.
type relationJSON struct {
	Learner     string           `json:"learner"`
	Solver      string           `json:"solver,omitempty"`
	Kernel      string           `json:"kernel"` // pairwise
	RowKernel   string           `json:"row_kernel"`
	ColKernel   string           `json:"col_kernel,omitempty"`
	Relation    string           `json:"relation,omitempty"`
	Loss        string           `json:"loss,omitempty"`
	Lambda      jsonNumber       `json:"lambda"`
	Objective   *jsonNumber      `json:"objective,omitempty"`
	Edges       int              `json:"edges"`
	Rows        int              `json:"rows"`
	Cols        int              `json:"cols"`
	Iterations  int              `json:"iterations,omitempty"`
	Residual    *jsonNumber      `json:"residual,omitempty"`
	EarlyStop   *earlyStopJSON   `json:"early_stop,omitempty"`
	Setting     string           `json:"setting,omitempty"`
	Method      string           `json:"method"`
	Retrained   bool             `json:"retrained"`
	Why         string           `json:"why,omitempty"`
	Held        int              `json:"held_out,omitempty"`
	Cut         int              `json:"unconverged,omitempty"` // trainings of folds
	Results     []relationResult `json:"results,omitempty"`
	Best        *relationResult  `json:"best,omitempty"`
	Interval    *intervalJSON    `json:"interval,omitempty"`
	Nested      *cvNested        `json:"nested,omitempty"`
	Permutation *permutationJSON `json:"permutation,omitempty"`
	Seconds     struct {
		Load  jsonNumber `json:"load"`
		Train jsonNumber `json:"train"`
	} `json:"seconds"`
	Model string `json:"model,omitempty"`
}

// earlyStopJSON is which iterate was kept.
type earlyStopJSON struct {
	Iteration int        `json:"iteration"`
	Error     jsonNumber `json:"error"`
}

// relationResult is the estimate of one λ.
type relationResult struct {
	Lambda  jsonNumber            `json:"lambda"`
	Error   jsonNumber            `json:"error"`
	StdErr  jsonNumber            `json:"stderr"` // over the row nodes
	Pairs   int64                 `json:"pairs"`
	CIndex  jsonNumber            `json:"c_index"` // over all edges; AUC for two labels
	Metrics map[string]jsonNumber `json:"metrics"` // means over rows

	CI95       *[2]jsonNumber `json:"ci95,omitempty"` // of the error, of the best alone
	CIndexCI95 *[2]jsonNumber `json:"c_index_ci95,omitempty"`
}

// relationMetrics are told of every λ: means over the rows.
var relationMetrics = []metric.Metric{metric.Disagreement, metric.TauB, metric.MAP}

func newRelationResult(p *relationPlan, point cv.Point) relationResult {
	r := relationResult{Lambda: jsonNumber(point.Lambda), Error: jsonNumber(point.Error), StdErr: valueNumber(point.StdErr), Pairs: point.Pairs, Metrics: map[string]jsonNumber{}}
	r.CIndex = valueNumber(metric.Value{Value: 1 - point.Pooled.Value, Defined: point.Pooled.Defined})
	for k, v := range point.Also {
		r.Metrics[relationMetrics[k].String()] = valueNumber(v)
	}
	if m := p.options.Metric; m != nil {
		r.Metrics[m.String()] = valueNumber(point.Metric)
	}
	return r
}

// document is what train and cv have in common; e may be nil.
func (p *relationProblem) document(e *relation.Estimated) relationJSON {
	d := relationJSON{
		Learner: p.plan.learner, Kernel: string(p.plan.pairs()), RowKernel: p.plan.rowKernel.String(), Relation: p.plan.relationFlags.relation,
		Edges: len(p.Y), Rows: len(p.Rows.ID), Cols: len(p.columns().ID), Method: "none",
	}
	if p.Cols != nil {
		d.ColKernel = p.plan.colKernel.String()
	}
	if p.plan.options.Learner == relation.RankRLS {
		d.Loss = string(p.plan.options.Loss)
	}
	if e == nil {
		return d
	}
	d.Method, d.Retrained, d.Why, d.Held, d.Cut, d.Setting = e.Method.String(), e.Retrained, e.Why, e.Held, e.Unconverged, string(e.Setting)
	for _, point := range e.Points {
		d.Results = append(d.Results, newRelationResult(p.plan, point))
	}
	best := d.Results[e.Best]
	d.Best = &best
	return d
}

// pairs is the pairwise kernel.
func (p *relationPlan) pairs() pairwise.Kernel {
	if p.options.Kernel == "" {
		return p.options.Relation.Pairwise()
	}
	return p.options.Kernel
}

func (a *app) reportRelation(t *relationTrained) error {
	if a.JSON {
		d := t.document(t.Choice)
		objective := jsonNumber(t.Objective)
		d.Solver, d.Lambda, d.Objective, d.Model = t.Solver, jsonNumber(t.Lambda), &objective, t.plan.output
		if t.Fit != nil {
			d.Iterations = t.Fit.Iterations
		}
		switch {
		case t.Stopped != nil: // the residual is of another iterate
			d.EarlyStop = &earlyStopJSON{t.Stopped.Iteration, jsonNumber(t.Stopped.Error)}
		case t.Fit != nil:
			residual := jsonNumber(t.Fit.Residual)
			d.Residual = &residual
		}
		d.Seconds.Load, d.Seconds.Train = jsonNumber(t.load.Seconds()), jsonNumber(t.train.Seconds())
		return a.writeJSON(d)
	}
	if t.plan.output == "-" {
		a.lines(func() { t.print(a.Err) })
		return nil
	}
	return a.writeAtomic("-", func(w io.Writer) error { return t.print(w) })
}

// printRelationTable writes the estimate of every λ.
func printRelationTable(b *strings.Builder, line func(key, format string, args ...any), p *relationPlan, e *relation.Estimated, mark string) {
	how := "exact, without retraining"
	if e.Retrained {
		how = e.Why
	}
	line("selection", "setting %s, %s, %s, %s held out", p.setting, e.Method, how, plural(e.Held, "edge"))
	t := newLambdaTable(len(e.Points), e.Best, mark)
	t.add("lambda", 10, func(l int) string { return power(e.Points[l].Lambda) })
	t.add("error", 8, func(l int) string { return fmt.Sprintf("%.5f", e.Points[l].Error) })
	t.add("stderr", 8, func(l int) string { return numberText(valueNumber(e.Points[l].StdErr)) })
	t.add("c-index", 8, func(l int) string { return numberText(newRelationResult(p, e.Points[l]).CIndex) })
	for k, m := range relationMetrics {
		t.add(m.String(), 12, func(l int) string { return numberText(valueNumber(e.Points[l].Also[k])) })
	}
	if m := p.options.Metric; m != nil {
		t.add(m.String(), 12, func(l int) string { return numberText(valueNumber(e.Points[l].Metric)) })
	}
	t.write(b)
}

// print writes the report for people.
func (t *relationTrained) print(w io.Writer) error {
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("learner", "%s, %s", t.plan.learner, t.plan.describe())
	line("data", "%s between %s", plural(len(t.Y), "edge"), t.nodes())
	line("objective", "%s", t.plan.options.Formula())
	line("solver", "%s", t.Solver)
	switch {
	case t.Stopped != nil:
		line("", "iterate %d of %d kept, the best on the edges of --early-stop: error %.5f", t.Stopped.Iteration, t.Fit.Iterations, t.Stopped.Error)
	case t.Fit != nil:
		line("", "%s, relative residual %.2g", plural(t.Fit.Iterations, "iteration"), t.Fit.Residual)
	}
	if t.Choice != nil {
		printRelationTable(&b, line, t.plan, t.Choice, "<- chosen")
	}
	if t.plan.options.Learner != relation.Similarity {
		line("lambda", "%s", power(t.Lambda))
	}
	line("seconds", "%.3g reading, %.3g training", t.load.Seconds(), t.train.Seconds())
	line("model", "%s", t.plan.output)
	_, err := io.WriteString(w, b.String())
	return err
}

// nodes counts them.
func (p *relationProblem) nodes() string {
	if p.Cols == nil {
		return plural(len(p.Rows.ID), "node")
	}
	return fmt.Sprintf("%s and %s", plural(len(p.Rows.ID), "row node"), plural(len(p.Cols.ID), "column node"))
}

// describe names the kernels.
func (p *relationPlan) describe() string {
	if p.options.Learner == relation.Similarity {
		return "kernel " + p.rowKernel.String()
	}
	text := fmt.Sprintf("%s of kernels %s", p.pairs(), p.rowKernel)
	if p.relationFlags.cols != "" {
		text += " and " + p.colKernel.String()
	}
	return text
}
