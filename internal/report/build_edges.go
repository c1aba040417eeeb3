package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// RelationMetrics are reported for every λ, as means over the rows. Set relation.Options.Also to them for these
// documents.
var RelationMetrics = []metric.Metric{metric.Disagreement, metric.TauB, metric.MAP}

// NewRelationTraining is the document of a training on p with options o.
func NewRelationTraining(r *relation.Result, p *relation.Problem, o *relation.Options, about About) *Relation {
	d := newRelation(&r.Choice, p, o, about)
	d.Kind, d.Solver, d.Lambda, d.Model = KindEdgeTraining, r.Solver, Number(r.Lambda), about.Model
	d.Objective = new(Number(r.Objective))
	if r.Fit != nil {
		d.Iterations = r.Fit.Iterations
	}
	switch {
	case r.Stopped != nil: // the residual is that of another iterate
		d.EarlyStop = &EarlyStop{r.Stopped.Iteration, Number(r.Stopped.Error)}
	case r.Fit != nil:
		d.Residual = new(Number(r.Fit.Residual))
		if off := r.Fit.ScoreError; off > 0 {
			d.ScoreError = new(Number(off))
		}
	}
	return d
}

// NewRelationEstimate is the document of an estimate of p with options o.
func NewRelationEstimate(e *relation.Estimated, p *relation.Problem, o *relation.Options, about About) *Relation {
	d := newRelation(&e.Choice, p, o, about)
	d.Kind, d.Choice = KindEdgeEstimate, d.Best.Choice
	d.Best.CI95, d.Folds = newRange(e.Interval()), newRelationFolds(e.Folds)
	if d.Best.CI95 != nil {
		d.Best.Variance = e.IntervalSource()
	}
	var nested *Nested
	if n := e.Nested; n != nil {
		nested = &Nested{Outer: n.Outer.String(), Error: Number(n.Error), StdErr: valueNumber(n.StdErr),
			Over: overUnits(n.StdErr, n.Over), Pairs: n.Pairs}
	}
	d.Tests = newTests(e.Halves, nested, e.Permutation)
	return d
}

// newRelation has the parts that trainings and estimates share.
func newRelation(c *relation.Choice, p *relation.Problem, asked *relation.Options, about About) *Relation {
	o := asked.Resolved()
	d := &Relation{
		Facts:     Facts{Learner: string(o.Learner), Kernel: string(o.Kernel), Formula: o.Formula()},
		RowKernel: p.Rows.NodeKernel().String(), RowSum: newKernelSum(c.Rows), Relation: string(o.Relation),
		Edges: len(p.Y), Rows: p.Rows.Len(), Cols: p.Rows.Len(), Method: "none",
		Seconds: TrainSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
	}
	if !p.OneDomain() {
		d.ColKernel, d.Cols, d.ColSum = p.Cols.NodeKernel().String(), p.Cols.Len(), newKernelSum(c.Cols)
	}
	d.RowKernel, d.ColKernel = cmp.Or(sumText(d.RowSum), d.RowKernel), cmp.Or(sumText(d.ColSum), d.ColKernel)
	if o.Learner == relation.RankRLS {
		d.Loss = string(o.Loss)
	}
	if !c.Measured() {
		return d
	}
	if o.Metric != nil {
		d.Metric = o.Metric.String()
	}
	d.Method, d.Retrained, d.Again, d.Setting = c.Method.String(), c.Retrained, c.Why, string(c.Setting)
	d.Held, d.Unconverged = c.Held, c.Unconverged
	for _, m := range o.Also[:len(c.Point().Also)] {
		d.Also = append(d.Also, m.String())
	}
	for _, point := range c.Points() {
		d.Results = append(d.Results, newRelationResult(&o, point))
	}
	d.Best = new(d.Results[c.Chosen().Outputs[0].Best])
	d.Over = overNodes(c, d.Rows, d.Cols)
	return d
}

// newKernelSum is the learnt weights of a side, nil where it has one kernel.
func newKernelSum(sum []pairmodel.Term) (terms []KernelShare) {
	for _, t := range sum {
		terms = append(terms, KernelShare{t.Name, Number(t.Weight), Number(t.Share)})
	}
	return terms
}

// sumText is a sum as a text, 0.4*linear+0.6*gaussian:gamma=1, "" without kernels.
func sumText(terms []KernelShare) string {
	var texts []string
	for _, t := range terms {
		if t.Weight > 0 {
			texts = append(texts, strconv.FormatFloat(float64(t.Weight), 'g', -1, 64)+"*"+t.Kernel)
		}
	}
	return strings.Join(texts, "+")
}

// overNodes says which nodes a standard error is over, or why there is none.
func overNodes(c *relation.Choice, rows, cols int) string {
	over := fmt.Sprintf("%s and %s, whose variances are added", spell.Plural(rows, "row node"),
		spell.Plural(cols, "column node"))
	switch c.Setting {
	case edge.Rows:
		over = spell.Plural(rows, "row node")
	case edge.Cols:
		over = spell.Plural(cols, "column node")
	}
	if c.Point().StdErr.Defined {
		return "over " + over
	}
	return fmt.Sprintf("none over %s: they agree, or fewer than %d have two labels", over, ratio.LeastUnits)
}

func newRelationResult(o *relation.Options, point cv.Point) RelationResult {
	r := RelationResult{Selection: newSelection(point, cv.Lambda), Metrics: map[string]Number{},
		Drawing: newDrawing(point)}
	r.CIndex = valueNumber(metric.Value{Value: 1 - point.Pooled.Value, Defined: point.Pooled.Defined})
	for k, v := range point.Also {
		r.Metrics[o.Also[k].String()] = valueNumber(v)
	}
	if m := o.Metric; m != nil {
		r.Metrics[m.String()] = valueNumber(point.Metric)
	}
	return r
}

func newRelationFolds(m *relation.Measures) *RelationFolds {
	if m == nil {
		return nil
	}
	mean := func(v relation.MeanOf) RelationMean {
		return RelationMean{valueNumber(v.Mean), valueNumber(v.StdErr), v.N}
	}
	of := func(v relation.ByNode) RelationByNode { return RelationByNode{mean(v.Row), mean(v.Col), mean(v.Fold)} }
	out := &RelationFolds{Method: m.Method.String(), CIndex: of(m.CIndex)}
	if m.AUPR.Fold.N > 0 {
		out.AUPR = of(m.AUPR)
	}
	return out
}
