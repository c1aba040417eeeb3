package report

import (
	"fmt"
	"io"
	"slices"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Estimate is the document of an estimate.
type Estimate struct {
	Method      string           `json:"method"`
	Learner     string           `json:"learner"`
	Solver      string           `json:"solver"`
	Retrained   bool             `json:"retrained"`
	Metric      string           `json:"metric,omitempty"`
	Rows        int              `json:"rows"`
	Queries     int              `json:"queries"`
	Results     []Result         `json:"results,omitempty"`
	Best        *Result          `json:"best,omitempty"`
	Outputs     []EstimateOutput `json:"outputs,omitempty"`
	Interval    *Interval        `json:"interval,omitempty"`
	Nested      *Nested          `json:"nested,omitempty"`
	Permutation *Permutation     `json:"permutation,omitempty"`
	ROC         *ROC             `json:"roc,omitempty"`
	Importance  *Importance      `json:"importance,omitempty"`
	Learning    *LearningCurve   `json:"learning_curve,omitempty"`
	Seconds     EstimateSeconds  `json:"seconds"`
	Columns     *Columns         `json:"columns,omitempty"` // of a table

	estimated *pairrank.Estimated
	metric    *metric.Metric
}

// EstimateSeconds are the times of an estimate.
type EstimateSeconds struct {
	Load       Number `json:"load"`
	Validation Number `json:"validation"`
}

// EstimateOutput is one of several outputs.
type EstimateOutput struct {
	Output  int      `json:"output"`
	Results []Result `json:"results"`
	Best    Result   `json:"best"`
}

// Result is the estimate of one kernel and candidate.
type Result struct {
	Kernel string `json:"kernel,omitempty"`
	Candidate
	CI95 *Range `json:"ci95,omitempty"` // of the error, of the best alone
	AUC  *AUC   `json:"auc,omitempty"`
	// Variance is what the variance of the interval is of.
	Variance cv.VarianceSource `json:"ci95_variance,omitempty"`
}

// Interval says how the intervals were made.
type Interval struct {
	Method string `json:"method"`
	Splits int    `json:"splits"`
	Units  int    `json:"units"`
	Of     string `json:"of"`
}

// NewInterval says how intervals of half-samples were made, nil where there are none.
func NewInterval(h *cv.Halves) *Interval {
	if h == nil {
		return nil
	}
	return &Interval{"half-samples", h.Splits, h.Units, h.Of}
}

// variances are those of the intervals, one for each output.
func (d *Estimate) variances() (v []cv.VarianceSource) {
	if d.Best != nil {
		return append(v, d.Best.Variance)
	}
	for _, o := range d.Outputs {
		v = append(v, o.Best.Variance)
	}
	return v
}

// Text says how intervals were made, and what their variances are of, each once.
func (i *Interval) Text(variances ...cv.VarianceSource) string {
	text := fmt.Sprintf("of %d random splits of the %s into halves, with every choice made again in each",
		i.Splits, spell.Plural(i.Units, i.Of))
	link := "; variance "
	for k, v := range variances {
		if about := aboutVariance[v]; about != "" && !slices.Contains(variances[:k], v) {
			text, link = text+link+about, " or "
		}
	}
	return text
}

// aboutVariance says what variances are of.
var aboutVariance = map[cv.VarianceSource]string{
	cv.VarianceHalves: "by the halves",
	cv.VarianceGiven:  "by the standard error, which is larger",
}

// AUC is the area under the ROC curve with its 95 % interval, null for all but the
// best, and where it has none.
type AUC struct {
	Value Number `json:"value"`
	CI95  *Range `json:"ci95"`
}

// Nested is the error of the whole procedure.
type Nested struct {
	Outer  string `json:"outer"`
	Error  Number `json:"error"`
	StdErr Number `json:"stderr"`
	Pairs  int64  `json:"pairs"`
	// Times is how often the outer folds were drawn, All how many pairs the data has, and CI95 the
	// 95 % interval of the error, or of AUC where there is one; of rows alone.
	Times int    `json:"times,omitempty"`
	All   int64  `json:"all_pairs,omitempty"`
	CI95  *Range `json:"ci95,omitempty"`
	AUC   *AUC   `json:"auc,omitempty"`
}

// Text is the error on one line.
func (n *Nested) Text() string {
	text, ci := fmt.Sprintf("error %.5f%s", float64(n.Error), plusMinus(n.StdErr)), n.CI95
	if n.AUC != nil {
		text += fmt.Sprintf(", AUC %.5f", float64(n.AUC.Value))
		ci = n.AUC.CI95
	}
	text += ci.Behind() + " of choosing and training, over " + spell.Plural(int(n.Pairs), "held-out pair")
	switch {
	case n.Times > 1:
		return text + fmt.Sprintf(" of %d draws of %s; the data has %d", n.Times, n.Outer, n.All)
	case n.Pairs < n.All:
		return text + fmt.Sprintf(" of %s; the data has %d", n.Outer, n.All)
	}
	return text + " of " + n.Outer
}

// newNested is the document of a nested error.
func newNested(n *cv.NestedEstimate, auc bool) *Nested {
	d := &Nested{Outer: n.Outer.String(), Error: Number(n.Error), StdErr: ValueNumber(n.StdErr), Pairs: n.Pairs,
		Times: n.Times, All: n.All, CI95: NewRange(n.Interval)}
	if auc {
		d.AUC = &AUC{Value: Number(1 - n.Error)}
		if d.CI95 != nil {
			d.AUC.CI95 = d.CI95.Complement()
		}
	}
	return d
}

// Permutation is the test against permuted labels.
type Permutation struct {
	N     int    `json:"n"`
	Below int    `json:"below"`
	Error Number `json:"error"`
	P     Number `json:"p"`
}

// NewEstimate is the document of an estimate by a learner.
func NewEstimate(e *pairrank.Estimated, learner string, about About) *Estimate {
	d := &Estimate{
		Method: e.Choice.Method.String(), Learner: learner, Solver: e.Solver, Retrained: e.Choice.Retrained,
		Rows: e.Rows, Queries: e.Queries, Interval: NewInterval(e.Halves),
		Seconds: EstimateSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
		Columns: about.Columns, estimated: e, metric: about.Metric,
	}
	if about.Metric != nil {
		d.Metric = about.Metric.String()
	}
	if e.Outputs == 1 {
		all, best := d.results(0)
		d.Results, d.Best = all, &best
	} else {
		for c := range e.Outputs {
			all, best := d.results(c)
			d.Outputs = append(d.Outputs, EstimateOutput{c + 1, all, best})
		}
	}
	if n := e.Nested; n != nil {
		d.Nested = newNested(n, e.Queries == 1 && e.TwoLabels(0))
	}
	if t := e.Permutation; t != nil {
		d.Permutation = &Permutation{t.N, t.Below, Number(t.Error), Number(t.P)}
	}
	return d
}

// results are those of every kernel and candidate for one output, and the best of
// them.
func (d *Estimate) results(output int) (all []Result, best Result) {
	e := d.estimated
	least := 0.0
	for k, kernel := range e.Choice.Kernels {
		estimate := kernel.Outputs[output]
		for l, point := range estimate.Points {
			r := d.result(kernel, point, output)
			all = append(all, r)
			if c := estimate.Criterion(d.metric); l == estimate.Best && (k == 0 || c < least) {
				best, least = r, c
			}
		}
	}
	if best.CI95 = NewRange(e.Interval(output)); best.CI95 != nil {
		best.Variance = e.IntervalSource(output)
	}
	if best.CI95 != nil && best.AUC != nil {
		best.AUC = &AUC{best.AUC.Value, best.CI95.Complement()}
	}
	return all, best
}

func (d *Estimate) result(k cv.KernelEstimate, point cv.Point, output int) Result {
	r := Result{Candidate: newCandidate(point, d.estimated.Choice.Chosen().Parameter == cv.Rounds, d.metric)}
	if d.estimated.Choice.Chosen().Parameter == cv.Lambda {
		r.Kernel = k.Kernel.String()
	}
	if k.Method.Kind == cv.LeavePairOut && d.estimated.TwoLabels(output) {
		r.AUC = &AUC{Value: Number(1 - point.Error)}
	}
	return r
}

// WriteText writes the document for people.
func (d *Estimate) WriteText(w io.Writer) error {
	e := d.estimated
	if e == nil {
		return errNoText
	}
	l := newLines(w, 11)
	l.line("learner", "%s, solver %s: %s", d.Learner, e.Solver, e.Why)
	l.line("data", "%s, %s", spell.Plural(e.Rows, "row"), spell.Plural(e.Queries, "query"))
	how := exactly(e.Choice.Chosen().Outputs[0].Points)
	if e.Choice.Retrained {
		how = again(e.Choice.Chosen().Outputs[0])
	}
	l.line("method", "%s, %s", e.Choice.Method, how)
	if e.Outputs > 1 {
		d.writeOutputs(l)
	} else {
		d.writeTable(l)
		l.line("best", "%s", d.Best.text())
	}
	if d.Interval != nil {
		l.line("interval", "%s", d.Interval.Text(d.variances()...))
	}
	if d.ROC != nil {
		l.line("roc", "%s", d.ROC.text())
	}
	if d.Learning != nil {
		l.line("learning", "%s", d.Learning.text())
	}
	if n := d.Nested; n != nil {
		l.line("nested", "%s", n.Text())
	}
	if t := d.Permutation; t != nil {
		l.line("permutation", "p = %.4g: %d of %d permutations are as good", float64(t.P), t.Below, t.N)
	}
	if d.Importance != nil {
		d.Importance.write(l, d.Metric, e.Choice.Chosen().Parameter == cv.Rounds)
	}
	l.line("seconds", "%.3g reading, %.3g validating", float64(d.Seconds.Load), float64(d.Seconds.Validation))
	_, err := io.WriteString(w, l.String())
	return err
}

// text is a result on one line.
func (r *Result) text() string {
	choice := fmt.Sprintf("kernel %s, lambda %s", r.Kernel, spell.Power(float64(r.Lambda)))
	if r.Rounds > 0 {
		choice = spell.Plural(r.Rounds, "round")
	}
	text := choice + fmt.Sprintf(": error %.5f%s over %s", float64(r.Error), plusMinus(r.StdErr), spell.Plural(int(r.Pairs), "held-out pair"))
	ci := r.CI95
	if r.AUC != nil {
		text += fmt.Sprintf(", AUC %.5f", float64(r.AUC.Value))
		ci = r.AUC.CI95
	}
	return text + ci.Behind()
}

// writeTable writes the error of each candidate of one kernel around the best one; of
// several kernels, a row for the best candidate of each.
func (d *Estimate) writeTable(l *lines) {
	c := &d.estimated.Choice
	if len(c.Kernels) == 1 {
		candidateTable(c.Kernels[0].Outputs[0], d.estimated.Choice.Chosen().Parameter == cv.Rounds, d.metric, "<- best").writeTo(l)
		return
	}
	fmt.Fprintf(l, "\n  %-28s  %10s  %8s  %8s", "kernel", candidateName(d.estimated.Choice.Chosen().Parameter == cv.Rounds), "error", "stderr")
	if d.metric != nil {
		fmt.Fprintf(l, "  %8s", d.metric)
	}
	l.WriteString("\n")
	for k, kernel := range c.Kernels {
		point := kernel.Outputs[0].Points[kernel.Outputs[0].Best]
		fmt.Fprintf(l, "  %-28s  %10s  %8.5f  %8s", kernel.Kernel, candidateText(point.Candidate, d.estimated.Choice.Chosen().Parameter == cv.Rounds), point.Error, ValueNumber(point.StdErr))
		if d.metric != nil {
			fmt.Fprintf(l, "  %8s", ValueNumber(point.Metric))
		}
		if k == c.Best {
			l.WriteString("  <- best")
		}
		l.WriteString("\n")
	}
	l.WriteString("\n")
}

// writeOutputs writes a row for each output: its best candidate.
func (d *Estimate) writeOutputs(l *lines) {
	fmt.Fprintf(l, "\n  %6s  %-28s  %10s  %8s  %8s", "output", "kernel", "lambda", "error", "stderr")
	if d.metric != nil {
		fmt.Fprintf(l, "  %8s", d.metric)
	}
	if d.Interval != nil {
		fmt.Fprintf(l, "  %16s", "95 % interval")
	}
	l.WriteString("\n")
	for _, o := range d.Outputs {
		best := o.Best
		fmt.Fprintf(l, "  %6d  %-28s  %10s  %8.5f  %8s", o.Output, best.Kernel, spell.Power(float64(best.Lambda)), float64(best.Error), best.StdErr)
		if best.Value != nil {
			fmt.Fprintf(l, "  %8s", *best.Value)
		}
		if ci := best.CI95; ci != nil {
			fmt.Fprintf(l, "  %6.4f to %6.4f", float64(ci[0]), float64(ci[1]))
		}
		l.WriteString("\n")
	}
	l.WriteString("\n")
}
