package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Estimate is the document of an estimate.
type Estimate struct {
	Kind   Kind   `json:"kind"`
	Method string `json:"method"`
	Facts
	Retrained bool   `json:"retrained"`
	Metric    string `json:"metric,omitempty"`
	Rows      int    `json:"rows"`
	Queries   int    `json:"queries"`
	// Compared is the number of lines of comparisons, or of preferences, in place of labels.
	Compared int              `json:"compared,omitempty"`
	Results  []Result         `json:"results,omitempty"`
	Best     *Result          `json:"best,omitempty"`
	Outputs  []EstimateOutput `json:"outputs,omitempty"`
	ChosenOf int              `json:"chosen_of,omitempty"` // candidates of which Best is the best, if there are several
	Chosen
	Tests
	Against    *Against        `json:"against,omitempty"`
	ROC        *ROC            `json:"roc,omitempty"`
	RowPairs   []RowPairs      `json:"row_pairs,omitempty"` // falling by their share of wrong pairs
	Importance *Importance     `json:"importance,omitempty"`
	Learning   *LearningCurve  `json:"learning_curve,omitempty"`
	Seconds    EstimateSeconds `json:"seconds"`
	Columns    *Columns        `json:"columns,omitempty"` // of a table
	Study      *Study          `json:"study,omitempty"`   // of a nested AUC
	Told
}

// MarshalJSON writes the nested error before the errors that chose.
func (d Estimate) MarshalJSON() ([]byte, error) {
	type plain Estimate
	return object("kind nested", plain(d))
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
	CI95 *Range `json:"ci95,omitempty"` // of the error, only for the best
	AUC  *AUC   `json:"auc,omitempty"`
	// Variance is the source of the variance of the interval.
	Variance cv.VarianceSource `json:"ci95_variance,omitempty"`
}

// AUC is the area under the ROC curve with its 95 % interval, null for all results except the best, and if
// there is no curve.
type AUC struct {
	Value Number `json:"value"`
	CI95  *Range `json:"ci95"`
}

// variances are the sources of the variances of the intervals, one for each output.
func (d *Estimate) variances() (v []cv.VarianceSource) {
	if d.Best != nil {
		return append(v, d.Best.Variance)
	}
	for _, o := range d.Outputs {
		v = append(v, o.Best.Variance)
	}
	return v
}

// WriteText writes the document for people.
func (d *Estimate) WriteText(w io.Writer) error {
	l := newLines(w, 11)
	l.line("learner", "%s, solver %s: %s", d.Learner, d.Solver, d.Why)
	data, held := spell.Plural(d.Queries, "query"), "held-out pair"
	if d.Compared > 0 {
		data, held = spell.Plural(d.Compared, "line")+" of comparisons", "held-out win"
	}
	l.line("data", "%s, %s", spell.Plural(d.Rows, "row"), data)
	d.writeNested(l)
	first := d.Results
	if len(d.Outputs) > 0 {
		first = d.Outputs[0].Results
	}
	points := ofKernel(first, d.Kernel)
	l.line("method", "%s, %s", d.Method, howHeldOut(d.Retrained, points, chosen(points, Choice{})))
	switch {
	case len(d.Outputs) > 0:
		d.writeOutputs(l)
	case d.Best != nil:
		d.writeTable(l)
		l.line("best", "%s", d.Best.Text(held))
		if text := optimistic(d.ChosenOf, d.Metric, d.Best.CI95 != nil, d.Nested != nil); text != "" {
			l.line("", "%s", text)
		}
	}
	d.writeInterval(l, d.variances()...)
	if d.ROC != nil {
		d.ROC.write(l)
	}
	if text := d.worstText(); text != "" {
		l.line("worst rows", "%s", text)
	}
	if d.Learning != nil {
		l.line("learning", "%s", d.Learning.text())
	}
	d.writePermutation(l)
	d.Against.write(l)
	d.Chosen.write(l)
	if d.Importance != nil {
		d.Importance.write(l, d.Metric)
	}
	l.line("seconds", "%.3g reading, %.3g validating", float64(d.Seconds.Load), float64(d.Seconds.Validation))
	_, err := io.WriteString(w, l.String())
	return err
}

// ofKernel returns the candidates of a kernel.
func ofKernel(results []Result, kernel string) (points []Candidate) {
	for _, r := range results {
		if r.Kernel == kernel {
			points = append(points, r.Candidate)
		}
	}
	return points
}

// Text is a result on one line; held names what was held out.
func (r *Result) Text(held string) string {
	text := r.Selection.text() + behindError(r.Over) + spell.Plural(int(r.Pairs), held)
	if r.Kernel != "" {
		text = "kernel " + r.Kernel + ", " + text
	}
	ci := r.CI95
	if r.AUC != nil {
		text += fmt.Sprintf(", AUC %.5f", float64(r.AUC.Value))
		ci = r.AUC.CI95
	}
	return text + ci.Behind()
}

// writeTable writes the error of each candidate of one kernel around the best one; with several kernels, a row
// for the best candidate of each.
func (d *Estimate) writeTable(l *lines) {
	best := slices.DeleteFunc(slices.Clone(d.Results), func(r Result) bool { return !r.Chosen })
	if len(best) < 2 {
		points := ofKernel(d.Results, d.Best.Kernel)
		if len(points) > 0 {
			candidateTable(points, chosen(points, d.Best.Choice), "", d.Metric, "<- best").writeTo(l)
		}
		return
	}
	t := &textTable{mark: "<- best", columns: []column{
		{"kernel", 28, true}, {string(best[0].of()), 10, false}, {"error", 8, false}, {"stderr", 8, false}}}
	t.best = slices.IndexFunc(best, func(r Result) bool { return r.Kernel == d.Best.Kernel })
	if d.Metric != "" {
		t.columns = append(t.columns, column{head: d.Metric, width: 8})
	}
	for _, r := range best {
		t.rows = append(t.rows, append([]string{r.Kernel, r.at()}, r.cells(d.Metric)...))
	}
	t.writeTo(l)
}

// writeOutputs writes a row for each output: its best candidate.
func (d *Estimate) writeOutputs(l *lines) {
	t := &textTable{columns: []column{
		{"output", 6, false}, {"kernel", 28, true}, {"lambda", 10, false}, {"error", 8, false}, {"stderr", 8, false}}}
	if d.Metric != "" {
		t.columns = append(t.columns, column{head: d.Metric, width: 8})
	}
	if d.Interval != nil {
		t.columns = append(t.columns, column{head: "95 % interval", width: 16})
	}
	for _, o := range d.Outputs {
		best := o.Best
		row := append([]string{strconv.Itoa(o.Output), best.Kernel, best.at()}, best.cells(d.Metric)...)
		if ci := best.CI95; ci != nil && d.Interval != nil {
			row = append(row, fmt.Sprintf("%.4f to %.4f", float64(ci[0]), float64(ci[1])))
		}
		t.rows = append(t.rows, row)
	}
	t.writeTo(l)
}
