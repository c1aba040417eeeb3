package report

import (
	"fmt"
	"io"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
	"pairrank/relation"
)

// Relation is the document of a training or an estimate of edges between nodes.
type Relation struct {
	Learner     string           `json:"learner"`
	Solver      string           `json:"solver,omitempty"`
	Kernel      string           `json:"kernel"` // pairwise
	RowKernel   string           `json:"row_kernel"`
	ColKernel   string           `json:"col_kernel,omitempty"`
	Relation    string           `json:"relation,omitempty"`
	Loss        string           `json:"loss,omitempty"`
	Metric      string           `json:"metric,omitempty"` // that chose, where it is not the error
	Lambda      Number           `json:"lambda"`
	Objective   *Number          `json:"objective,omitempty"`
	Edges       int              `json:"edges"`
	Rows        int              `json:"rows"`
	Cols        int              `json:"cols"`
	Iterations  int              `json:"iterations,omitempty"`
	Residual    *Number          `json:"residual,omitempty"`
	EarlyStop   *EarlyStop       `json:"early_stop,omitempty"`
	Setting     string           `json:"setting,omitempty"`
	Method      string           `json:"method"`
	Retrained   bool             `json:"retrained"`
	Why         string           `json:"why,omitempty"`
	Held        int              `json:"held_out,omitempty"`
	Unconverged int              `json:"unconverged,omitempty"` // trainings of folds
	Results     []RelationResult `json:"results,omitempty"`
	Best        *RelationResult  `json:"best,omitempty"`
	Folds       *RelationFolds   `json:"folds,omitempty"`
	Interval    *Interval        `json:"interval,omitempty"`
	Nested      *Nested          `json:"nested,omitempty"`
	Permutation *Permutation     `json:"permutation,omitempty"`
	Seconds     TrainSeconds     `json:"seconds"`
	Model       string           `json:"model,omitempty"`

	problem  *relation.Problem
	options  *relation.Options
	result   *relation.Result // nil of an estimate
	estimate *relation.Choice
}

// EarlyStop is which iterate was kept.
type EarlyStop struct {
	Iteration int    `json:"iteration"`
	Error     Number `json:"error"`
}

// RelationResult is the estimate of one λ.
type RelationResult struct {
	Lambda  Number            `json:"lambda"`
	Error   Number            `json:"error"`
	StdErr  Number            `json:"stderr"` // over the row nodes
	Pairs   int64             `json:"pairs"`
	CIndex  Number            `json:"c_index"` // of folds, over all edges of a fold; AUC for two labels
	Metrics map[string]Number `json:"metrics"` // means over rows, undefined of leave-pair-out
	// Drawn is how many of the pairs were drawn, 0 where all were left out, and DrawErr the
	// standard error of Error by drawing alone.
	Drawn   int64   `json:"drawn,omitempty"`
	DrawErr *Number `json:"draw_stderr,omitempty"`

	CI95 *Range `json:"ci95,omitempty"` // of the error, of the best alone
	// Variance is what the variance of the interval is of.
	Variance cv.VarianceSource `json:"ci95_variance,omitempty"`
}

// RelationFolds is how well folds rank at the best λ: see relation.Measures.
type RelationFolds struct {
	Method string         `json:"method"`
	CIndex RelationByNode `json:"c_index"`       // AUC for two labels
	AUPR   RelationByNode `json:"aupr,omitzero"` // of two labels
}

// RelationByNode are the means of a measure of the edges of a row node, a column node, or a fold.
type RelationByNode struct {
	Row  RelationMean `json:"row"`
	Col  RelationMean `json:"column"`
	Fold RelationMean `json:"fold"`
}

// RelationMean is the mean of N values with its standard error over the nodes.
type RelationMean struct {
	Mean   Number `json:"mean"`
	StdErr Number `json:"stderr"`
	N      int    `json:"n"`
}

func newRelationFolds(m *relation.Measures) *RelationFolds {
	if m == nil {
		return nil
	}
	mean := func(v relation.MeanOf) RelationMean {
		return RelationMean{ValueNumber(v.Mean), ValueNumber(v.StdErr), v.N}
	}
	of := func(v relation.ByNode) RelationByNode { return RelationByNode{mean(v.Row), mean(v.Col), mean(v.Fold)} }
	out := &RelationFolds{Method: m.Method.String(), CIndex: of(m.CIndex)}
	if m.AUPR.Fold.N > 0 {
		out.AUPR = of(m.AUPR)
	}
	return out
}

// RelationMetrics are told of every λ, as means over the rows: what relation.Options.Also
// has to be for these documents.
var RelationMetrics = []metric.Metric{metric.Disagreement, metric.TauB, metric.MAP}

// NewRelationTraining is the document of what was learnt from p with options o.
func NewRelationTraining(r *relation.Result, p *relation.Problem, o *relation.Options, about About) *Relation {
	d := newRelation(&r.Choice, p, o, about)
	objective := Number(r.Objective)
	d.result, d.Solver, d.Lambda, d.Objective, d.Model = r, r.Solver, Number(r.Lambda), &objective, about.Model
	if r.Fit != nil {
		d.Iterations = r.Fit.Iterations
	}
	switch {
	case r.Stopped != nil: // the residual is of another iterate
		d.EarlyStop = &EarlyStop{r.Stopped.Iteration, Number(r.Stopped.Error)}
	case r.Fit != nil:
		residual := Number(r.Fit.Residual)
		d.Residual = &residual
	}
	return d
}

// NewRelationEstimate is the document of an estimate of p with options o.
func NewRelationEstimate(e *relation.Estimated, p *relation.Problem, o *relation.Options, about About) *Relation {
	d := newRelation(&e.Choice, p, o, about)
	d.Lambda = d.Best.Lambda
	d.Best.CI95, d.Folds = NewRange(e.Interval()), newRelationFolds(e.Folds)
	if d.Interval = NewInterval(e.Halves); d.Best.CI95 != nil {
		d.Best.Variance = e.IntervalSource()
	}
	if n := e.Nested; n != nil {
		d.Nested = &Nested{Outer: n.Outer.String(), Error: Number(n.Error), StdErr: ValueNumber(n.StdErr)}
		d.Nested.Pairs = n.Pairs
	}
	if t := e.Permutation; t != nil {
		d.Permutation = &Permutation{t.N, t.Below, Number(t.Error), Number(t.P)}
	}
	return d
}

// newRelation is what trainings and estimates have in common; e may be nil.
func newRelation(e *relation.Choice, p *relation.Problem, asked *relation.Options, about About) *Relation {
	o := asked.Resolved()
	d := &Relation{
		Learner: string(o.Learner), Kernel: string(o.Kernel), RowKernel: p.Rows.NodeKernel().String(), Relation: string(o.Relation),
		Edges: len(p.Y), Rows: p.Rows.Len(), Cols: p.Rows.Len(), Method: "none",
		Seconds: TrainSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
		problem: p, options: &o, estimate: e,
	}
	if !p.OneDomain() {
		d.ColKernel, d.Cols = p.Cols.NodeKernel().String(), p.Cols.Len()
	}
	if o.Learner == relation.RankRLS {
		d.Loss = string(o.Loss)
	}
	if !e.Estimated() {
		return d
	}
	if o.Metric != nil {
		d.Metric = o.Metric.String()
	}
	d.Method, d.Retrained, d.Why, d.Held, d.Unconverged, d.Setting = e.Method.String(), e.Retrained, e.Why, e.Held, e.Unconverged, string(e.Setting)
	for _, point := range e.Points() {
		d.Results = append(d.Results, newRelationResult(&o, point))
	}
	best := d.Results[e.Chosen().Outputs[0].Best]
	d.Best = &best
	return d
}

func newRelationResult(o *relation.Options, point cv.Point) RelationResult {
	r := RelationResult{Lambda: Number(point.Candidate), Error: Number(point.Error), StdErr: ValueNumber(point.StdErr), Pairs: point.Pairs, Metrics: map[string]Number{}}
	r.CIndex = ValueNumber(metric.Value{Value: 1 - point.Pooled.Value, Defined: point.Pooled.Defined})
	if point.Drawn > 0 {
		drawErr := ValueNumber(point.DrawErr)
		r.Drawn, r.DrawErr = point.Drawn, &drawErr
	}
	for k, v := range point.Also {
		r.Metrics[o.Also[k].String()] = ValueNumber(v)
	}
	if m := o.Metric; m != nil {
		r.Metrics[m.String()] = ValueNumber(point.Metric)
	}
	return r
}

// WriteText writes the document for people.
func (d *Relation) WriteText(w io.Writer) error {
	if d.problem == nil {
		return errNoText
	}
	l := newLines(w, 10)
	l.line("learner", "%s, %s", d.Learner, d.kernels())
	l.line("data", "%s between %s", spell.Plural(d.Edges, "edge"), d.nodes())
	l.line("objective", "%s", d.options.Formula())
	if d.result == nil {
		d.writeEstimate(l)
	} else {
		d.writeTraining(l)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

// writeTraining writes how the training ended, and what chose λ.
func (d *Relation) writeTraining(l *lines) {
	r := d.result
	l.line("solver", "%s", r.Solver)
	switch {
	case r.Stopped != nil:
		l.line("", "iterate %d of %d kept, the best on the edges of --early-stop: error %.5f", r.Stopped.Iteration, r.Fit.Iterations, r.Stopped.Error)
	case r.Fit != nil:
		l.line("", "%s, relative residual %.2g", spell.Plural(r.Fit.Iterations, "iteration"), r.Fit.Residual)
	}
	if r.Choice.Estimated() {
		d.writeTable(l, "<- chosen")
	}
	if d.options.Learner != relation.Similarity {
		l.line("lambda", "%s", spell.Power(r.Lambda))
	}
	l.line("seconds", "%.3g reading, %.3g training", float64(d.Seconds.Load), float64(d.Seconds.Train))
	l.line("model", "%s", d.Model)
}

// writeEstimate writes the errors, and what was measured beside them.
func (d *Relation) writeEstimate(l *lines) {
	d.writeTable(l, "<- best")
	best := d.Best
	l.line("best", "lambda %s: error %.5f%s%s", spell.Power(float64(best.Lambda)), float64(best.Error),
		plusMinus(best.StdErr), best.CI95.Behind())
	if f := d.Folds; f != nil {
		l.line("by fold", "%s at lambda %s, each fold trained once", f.Method, spell.Power(float64(best.Lambda)))
		f.CIndex.line(l, "c-index")
		f.AUPR.line(l, "aupr")
	}
	if i := d.Interval; i != nil {
		l.line("interval", "%s", i.Text(best.Variance))
	}
	if n := d.Nested; n != nil {
		l.line("nested", "%s", n.Text())
	}
	if t := d.Permutation; t != nil {
		l.line("permutation", "p = %.4g: %d of %d permutations are as good", float64(t.P), t.Below, t.N)
	}
	l.line("seconds", "%.3g reading, %.3g validating", float64(d.Seconds.Load), float64(d.Seconds.Train))
}

// line writes the means of a measure, where there are any.
func (m RelationByNode) line(l *lines, name string) {
	if m.Row.N+m.Col.N+m.Fold.N == 0 {
		return
	}
	of := func(v RelationMean) string { return v.Mean.String() + plusMinus(v.StdErr) }
	l.line("", "%s of a row %s, of a column %s, of a fold %s", name, of(m.Row), of(m.Col), of(m.Fold))
}

// writeTable writes the estimate of every λ.
func (d *Relation) writeTable(l *lines, mark string) {
	e, how := d.estimate, "exact, without retraining"
	if e.Retrained {
		how = e.Why
	}
	l.line("selection", "setting %s, %s, %s, %s", d.Setting, e.Method, how, d.heldOut())
	t := newChoiceTable(len(e.Points()), e.Chosen().Outputs[0].Best, mark, func(l int) float64 { return e.Points()[l].Error })
	t.add("lambda", 10, func(l int) string { return spell.Power(e.Points()[l].Candidate) })
	t.add("error", 8, func(l int) string { return d.Results[l].Error.String() })
	t.add("stderr", 8, func(l int) string { return d.Results[l].StdErr.String() })
	if e.Points()[0].Pooled.Defined {
		t.add("c-index", 8, func(l int) string { return d.Results[l].CIndex.String() })
	}
	for k := range e.Points()[0].Also {
		t.add(d.options.Also[k].String(), 12, func(l int) string { return ValueNumber(e.Points()[l].Also[k]).String() })
	}
	if m := d.options.Metric; m != nil {
		t.add(m.String(), 12, func(l int) string { return ValueNumber(e.Points()[l].Metric).String() })
	}
	t.writeTo(l)
}

// heldOut says how many edges, or pairs of them, were held out.
func (d *Relation) heldOut() string {
	best := d.estimate.Point()
	switch {
	case d.Held > 0:
		return spell.Plural(d.Held, "edge") + " held out"
	case best.Drawn > 0:
		return fmt.Sprintf("%s of edges left out, drawn from %d: standard error of drawing at most %.2g",
			spell.Plural(int(best.Drawn), "pair"), best.Pairs, drawErr(d.estimate.Points()))
	}
	return spell.Plural(int(best.Pairs), "pair") + " of edges left out"
}

// drawErr is the largest of the errors of drawing.
func drawErr(points []cv.Point) float64 {
	worst := 0.0
	for _, p := range points {
		worst = max(worst, p.DrawErr.Value)
	}
	return worst
}

// nodes counts them.
func (d *Relation) nodes() string {
	if d.problem.OneDomain() {
		return spell.Plural(d.Rows, "node")
	}
	return fmt.Sprintf("%s and %s", spell.Plural(d.Rows, "row node"), spell.Plural(d.Cols, "column node"))
}

// kernels names the kernels.
func (d *Relation) kernels() string {
	if d.options.Learner == relation.Similarity {
		return "kernel " + d.RowKernel
	}
	text := fmt.Sprintf("%s of kernels %s", d.Kernel, d.RowKernel)
	if d.ColKernel != "" {
		text += " and " + d.ColKernel
	}
	return text
}
