package report

import (
	"fmt"
	"slices"

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
	Weight    Number `json:"weight,omitzero"` // the sum of the weights of the rows, where they have some
	// Compared is the number of lines of comparisons, or of preferences, in place of labels.
	Compared int              `json:"compared,omitempty"`
	Results  []Result         `json:"results,omitempty"`
	Best     *Result          `json:"best,omitempty"`
	Outputs  []EstimateOutput `json:"outputs,omitempty"`
	ChosenOf int              `json:"chosen_of,omitempty"` // candidates of which Best is the best, if there are several
	Chosen
	Tests
	Against    *Against        `json:"against,omitempty"`
	Beside     *Comparisons    `json:"beside,omitempty"` // of the held-out scores and those of another tool
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
	// CIndex is that of censored times.
	CIndex *AUC `json:"c_index,omitempty"`
	// Variance is the source of the variance of the interval.
	Variance cv.VarianceSource `json:"ci95_variance,omitempty"`
}

// AUC is the area under the ROC curve with its 95 % interval, null for all results except the best, and if
// there is no curve.
type AUC struct {
	Value Number `json:"value"`
	CI95  *Range `json:"ci95"`
}

// area returns what 1 less the error is called, and its value: an area or a c-index. It is nil without either.
func area(auc, c *AUC) (name string, a *AUC) {
	if c != nil {
		return "c-index", c
	}
	return "AUC", auc
}

// errorAnd is an error with what it is over, and the area, with the interval of either.
func errorAnd(n, stderr Number, ci *Range, auc, c *AUC) (text, beside string) {
	if name, a := area(auc, c); a != nil {
		return estimated(n, stderr, nil, a.CI95.width()), ", " + name + " " + within(a.Value, a.CI95, stderr)
	}
	return estimated(n, stderr, ci), ""
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

// View is the estimate: the number to report first, then the best candidate and what was asked.
func (d *Estimate) View() *View {
	v, p := &View{Title: "Estimate of the error on unseen data", Keys: 11}, d.path()
	if p.optimistic = d.Tests.nested(v); p.optimistic {
		d.best(v)
	}
	if p.empty() {
		v.Notes = append(v.Notes, "The document has no error.")
	} else {
		var first *[2]string
		if d.Best != nil {
			if name, a := area(d.Best.AUC, d.Best.CIndex); a != nil {
				first = &[2]string{name, typeset(within(a.Value, a.CI95, d.Best.StdErr))}
			}
		}
		p.find(v, first)
	}
	v.state("learner", "%s, solver %s: %s", d.Learner, d.Solver, d.Why)
	data := spell.Plural(d.Queries, "query")
	if d.Compared > 0 {
		data = spell.Plural(d.Compared, "line") + " of comparisons"
	}
	v.state("data", "%s%s, %s", spell.Plural(d.Rows, "row"), weighing(d.Weight), data)
	v.columns(d.Columns)
	first := d.Results
	if len(d.Outputs) > 0 {
		first = d.Outputs[0].Results
	}
	points := ofKernel(first, d.Kernel)
	v.state("method", "%s, %s", d.Method, howHeldOut(d.Retrained, points, chosen(points, Choice{})))
	p.tell(v)
	if !p.optimistic {
		d.best(v)
	}
	d.Tests.interval(v, d.variances()...)
	v.draw(ErrorFigure, p.figure())
	v.draw(MetricFigure, p.metricFigure())
	d.rest(v)
	v.took(d.Seconds.Load, d.Seconds.Validation, "validating")
	v.Next = d.study()
	return v
}

// best adds the error of the best candidate, which is optimistic beside a nested one.
func (d *Estimate) best(v *View) {
	if d.Best == nil || len(d.Outputs) > 0 {
		return
	}
	held := "held-out pair"
	if d.Compared > 0 {
		held = "held-out win"
	}
	v.fact(Detail, bestKey(d.Nested), "%s", d.Best.text(held))
	v.state("", "%s", optimistic(d.ChosenOf, d.Metric, d.Best.CI95 != nil, d.Nested != nil))
}

// rest are the facts and figures of what was asked beside the error.
func (d *Estimate) rest(v *View) {
	if d.ROC != nil {
		d.ROC.facts(v)
	}
	v.draw(ROCFigure, d.rocFigure())
	v.draw(PrecisionFigure, d.precisionFigure())
	v.draw(RowsFigure, d.rowsFigure(v))
	v.draw(LearningFigure, d.Learning.figure(v))
	d.Tests.permutation(v)
	d.Against.facts(v)
	d.Beside.tell(v, d.Method)
	features := d.Chosen.tell(v)
	v.draw(ImportanceFigure, d.Importance.figure(v, d.Metric))
	v.draw(FeaturesFigure, features)
	v.draw("", d.Nested.choices())
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

// text is a result on one line; held names what was held out.
func (r *Result) text(held string) string {
	of, area := errorAnd(r.Error, r.StdErr, r.CI95, r.AUC, r.CIndex)
	text := r.words() + ": error " + of + behindError(r.Over) + spell.Plural(int(r.Pairs), held) + area
	if r.Kernel != "" {
		text = "kernel " + r.Kernel + ", " + text
	}
	return text
}

// path has the errors of the estimate.
func (d *Estimate) path() *path {
	p := &path{metric: d.Metric, best: -1, chosen: -1, marked: "<- best", outputs: len(d.Outputs) > 0}
	p.about = fmt.Sprintf("%srows that were held out by %s, %s.", aboutError, method(d.Method), trained(d.Retrained))
	for k := range d.Results {
		r := &d.Results[k]
		if n := len(p.series); n == 0 || p.series[n-1].name != r.Kernel {
			p.series = append(p.series, series{name: r.Kernel})
		}
		last := &p.series[len(p.series)-1]
		if last.points = append(last.points, r.Candidate); r.Chosen {
			p.choices = append(p.choices, r)
		}
	}
	if p.outputs || d.Best == nil || len(p.choices) < 2 {
		p.choices = nil
	}
	for k := range d.Outputs {
		o := &d.Outputs[k]
		p.series = append(p.series, series{fmt.Sprintf("output %d", o.Output), ofKernel(o.Results, o.Best.Kernel)})
		p.choices = append(p.choices, &o.Best)
	}
	if d.Best != nil && !p.outputs {
		p.best = slices.IndexFunc(p.series, func(s series) bool { return s.name == d.Best.Kernel })
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, d.Interval.text(d.Best.Variance)
		}
		p.choose(d.Best.Choice)
	}
	return p
}
