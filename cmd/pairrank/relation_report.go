package main

import (
	"fmt"
	"io"
	"strings"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// relationJSON is the document of train --edges --json and cv --edges --json.
type relationJSON struct {
	Learner    string           `json:"learner"`
	Solver     string           `json:"solver,omitempty"`
	Kernel     string           `json:"kernel"` // pairwise
	RowKernel  string           `json:"row_kernel"`
	ColKernel  string           `json:"col_kernel,omitempty"`
	Relation   string           `json:"relation,omitempty"`
	Loss       string           `json:"loss,omitempty"`
	Lambda     jsonNumber       `json:"lambda"`
	Objective  *jsonNumber      `json:"objective,omitempty"`
	Edges      int              `json:"edges"`
	Rows       int              `json:"rows"`
	Cols       int              `json:"cols"`
	Iterations int              `json:"iterations,omitempty"`
	Residual   *jsonNumber      `json:"residual,omitempty"`
	EarlyStop  *earlyStopJSON   `json:"early_stop,omitempty"`
	Setting    string           `json:"setting,omitempty"`
	Method     string           `json:"method"`
	Retrained  bool             `json:"retrained"`
	Why        string           `json:"why,omitempty"`
	Held       int              `json:"held_out,omitempty"`
	Cut        int              `json:"unconverged,omitempty"` // trainings of folds
	Results    []relationResult `json:"results,omitempty"`
	Best       *relationResult  `json:"best,omitempty"`
	Interval   *intervalJSON    `json:"interval,omitempty"`
	Seconds    struct {
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
	Pairs   int64                 `json:"pairs"`
	CIndex  jsonNumber            `json:"c_index"` // over all edges; AUC for two labels
	Metrics map[string]jsonNumber `json:"metrics"` // means over rows

	CI95       *[2]jsonNumber `json:"ci95,omitempty"` // of the error, of the best alone
	CIndexCI95 *[2]jsonNumber `json:"c_index_ci95,omitempty"`
}

// relationMetrics are told of every λ: means over the rows.
var relationMetrics = []metric.Metric{metric.Disagreement, metric.TauB, metric.MAP}

func newRelationResult(p *relationPlan, point cv.RelationPoint) relationResult {
	r := relationResult{Lambda: jsonNumber(point.Lambda), Error: jsonNumber(point.Error), Pairs: point.Pairs, Metrics: map[string]jsonNumber{}}
	r.CIndex = valueNumber(metric.Value{Value: 1 - point.Pooled.Value, Defined: point.Pooled.Defined})
	for k, v := range point.Metrics {
		r.Metrics[relationMetrics[k].String()] = valueNumber(v)
	}
	if p.metric != nil {
		r.Metrics[p.metric.String()] = valueNumber(point.Chosen)
	}
	return r
}

// document is what train and cv have in common.
func (p *relationProblem) document(e *cv.RelationEstimate, method cv.Method) relationJSON {
	d := relationJSON{
		Learner: p.plan.learner, Kernel: string(p.plan.pairs), RowKernel: p.plan.rowKernel.String(), Relation: p.plan.relationFlags.relation,
		Edges: len(p.y), Rows: len(p.rows.id), Cols: len(p.cols.id), Method: "none",
	}
	if p.cols != p.rows {
		d.ColKernel = p.plan.colKernel.String()
	}
	if p.plan.learner == rankRLS {
		d.Loss = string(p.plan.learn.Loss)
	}
	if e == nil {
		return d
	}
	d.Method, d.Retrained, d.Why, d.Held, d.Cut, d.Setting = method.String(), e.Retrained, e.Why, e.Held, e.Unconverged, p.plan.setting
	for _, point := range e.Points {
		d.Results = append(d.Results, newRelationResult(p.plan, point))
	}
	best := d.Results[e.Best]
	d.Best = &best
	return d
}

func (a *app) reportRelation(t *relationTrained) error {
	if a.JSON {
		d := t.document(t.estimate, t.method)
		objective := jsonNumber(t.objective)
		d.Solver, d.Lambda, d.Objective, d.Model = t.solver, jsonNumber(t.lambda), &objective, t.plan.output
		if t.edgeFit != nil {
			d.Iterations = t.edgeFit.Iterations
		}
		switch {
		case t.stop != nil: // the residual is of another iterate
			d.EarlyStop = &earlyStopJSON{t.stop.at, jsonNumber(t.stop.least)}
		case t.edgeFit != nil:
			residual := jsonNumber(t.edgeFit.Residual)
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
func printRelationTable(b *strings.Builder, line func(key, format string, args ...any), p *relationPlan, e *cv.RelationEstimate, method cv.Method, mark string) {
	how := "exact, without retraining"
	if e.Retrained {
		how = e.Why
	}
	line("selection", "setting %s, %s, %s, %s held out", p.setting, method, how, plural(e.Held, "edge"))
	t := newLambdaTable(len(e.Points), e.Best, mark)
	t.Add("lambda", 10, func(l int) string { return power(e.Points[l].Lambda) })
	t.Add("error", 8, func(l int) string { return fmt.Sprintf("%.5f", e.Points[l].Error) })
	t.Add("c-index", 8, func(l int) string { return numberText(newRelationResult(p, e.Points[l]).CIndex) })
	for k, m := range relationMetrics {
		t.Add(m.String(), 12, func(l int) string { return numberText(valueNumber(e.Points[l].Metrics[k])) })
	}
	if p.metric != nil {
		t.Add(p.metric.String(), 12, func(l int) string { return numberText(valueNumber(e.Points[l].Chosen)) })
	}
	t.Write(b)
}

// print writes the report for people.
func (t *relationTrained) print(w io.Writer) error {
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("learner", "%s, %s", t.plan.learner, t.plan.describe())
	line("data", "%s between %s", plural(len(t.y), "edge"), t.nodes())
	line("objective", "%s", t.plan.formula())
	line("solver", "%s", t.solver)
	switch {
	case t.stop != nil:
		line("", "iterate %d of %d kept, the best on the edges of --early-stop: error %.5f", t.stop.at, t.edgeFit.Iterations, t.stop.least)
	case t.edgeFit != nil:
		line("", "%s, relative residual %.2g", plural(t.edgeFit.Iterations, "iteration"), t.edgeFit.Residual)
	}
	if t.estimate != nil {
		printRelationTable(&b, line, t.plan, t.estimate, t.method, "<- chosen")
	}
	if t.plan.learner != similarity {
		line("lambda", "%s", power(t.lambda))
	}
	line("seconds", "%.3g reading, %.3g training", t.load.Seconds(), t.train.Seconds())
	line("model", "%s", t.plan.output)
	_, err := io.WriteString(w, b.String())
	return err
}

// nodes counts them.
func (p *relationProblem) nodes() string {
	if p.cols == p.rows {
		return plural(len(p.rows.id), "node")
	}
	return fmt.Sprintf("%s and %s", plural(len(p.rows.id), "row node"), plural(len(p.cols.id), "column node"))
}

// describe names the kernels.
func (p *relationPlan) describe() string {
	if p.learner == similarity {
		return "kernel " + p.rowKernel.String()
	}
	text := fmt.Sprintf("%s of kernels %s", p.pairs, p.rowKernel)
	if p.relationFlags.cols != "" {
		text += " and " + p.colKernel.String()
	}
	return text
}
