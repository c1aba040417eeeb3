package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// ofTraining is the section about a training: the choice, and the errors of all candidates.
func ofTraining(d *report.Training) *section {
	s := &section{title: "Training"}
	p := trainingPath(d)
	switch {
	case !p.empty():
		s.findPath(p, nil)
	case d.Rounds > 0:
		s.find("choice", "%d rounds, as given: nothing was held out, so there is no error", d.Rounds)
	case d.Lambda > 0:
		s.find("choice", "%s, as given: nothing was held out, so there is no error", candidate(d.Choice))
	default:
		s.notes = append(s.notes, "Nothing was held out, so there is no error.")
	}
	what := d.Learner
	if d.Kernel != "" {
		what += ", kernel " + d.Kernel
	}
	s.fact("learner", "%s", what)
	s.fact("data", "%s, %s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Features, "feature"),
		spell.Plural(d.Queries, "query"))
	s.columns(d.Columns)
	if d.Pairs > 0 {
		s.fact("pairs", "%.0f compared", float64(d.Pairs))
	}
	s.fact("objective", "%s", d.Formula)
	s.fact("solver", "%s", d.Solver)
	if len(d.Names) > 0 && d.Again == nil {
		s.fact("features", "%s", d.List())
	}
	if d.Iterations > 0 {
		s.fact("iterations", "%d", d.Iterations)
	}
	s.fact("model", "%s", d.Model)
	s.took(d.Seconds.Load, d.Seconds.Train, "training")
	s.add(ErrorFigure, p.item())
	s.addMetric(p)
	s.add(FeaturesFigure, featuresItem(&d.Chosen))
	return s
}

// took adds the time that the work took, if it is known.
func (s *section) took(load, work report.Number, name string) {
	if load >= 0 && work >= 0 { // not NaN
		s.fact("time", "%s reading, %s %s", seconds(float64(load)), seconds(float64(work)), name)
	}
}

// unknown is a number that a document does not have.
var unknown = report.Number(math.NaN())

// trainingPath has the estimates that a training chose by.
func trainingPath(d *report.Training) *path {
	p := &path{metric: d.Metric, chosen: -1}
	over := "rows that were held out by " + method(d.Method) + ", " + trained(d.Retrained)
	if d.Valid != "" {
		over = "the rows of " + d.Valid
	}
	p.about = fmt.Sprintf("The error is the share of pairs in the wrong order, tied scores counting one half, over "+
		"%s.", over)
	if p.measure = strings.ReplaceAll(d.Measure, "-", " "); p.measure != "" { // relative squared error
		p.about = fmt.Sprintf("The error is the squared loss of each fold divided by that of equal scores, so equal "+
			"scores have 1, over %s.", over)
		p.band = "The band is ± one standard error over the folds. It takes the held-out predictions as given; its " +
			"coverage was not measured."
	}
	switch {
	case len(d.Outputs) > 0:
		for _, o := range d.Outputs {
			own := series{fmt.Sprintf("output %d", o.Output), o.Selection}
			chosen := report.Result{Candidate: report.Candidate{
				Selection: report.Selection{Choice: o.Choice, Error: unknown, StdErr: unknown}}}
			if at := own.find(o.Choice); at >= 0 {
				chosen.Candidate = o.Selection[at]
			}
			p.series, p.choices = append(p.series, own), append(p.choices, chosen)
		}
		p.best, p.outputs = -1, true
	case len(d.Kernels) > 0:
		for _, k := range d.Kernels {
			p.series = append(p.series, series{k.Kernel, k.Selection})
		}
		p.best = slices.IndexFunc(p.series, func(s series) bool { return s.name == d.Kernel })
	case len(d.Selection) > 0:
		p.series = []series{{"", d.Selection}}
	}
	if p.best >= 0 && p.best < len(p.series) {
		p.chosen = p.series[p.best].find(d.Choice)
	}
	p.splitSizes(d.Choice)
	return p
}

// addMetric adds the figure of the metric that chose, if there is one.
func (s *section) addMetric(p *path) {
	if p.metric == "" || p.best < 0 || p.best >= len(p.series) {
		return
	}
	points := p.series[p.best].points
	s.add(MetricFigure, p.values(p.metric, "The mean over the queries, or rows of edges, that are held out together. "+
		"Those for which it is undefined do not count.", func(l int) report.Number { return valueOf(points[l].Value) }))
}

// ofEstimate is the section about an estimate.
func ofEstimate(d *report.Estimate) *section {
	s := &section{title: "Estimate of the error on unseen data"}
	p := estimatePath(d)
	if n := d.Nested; n != nil { // the number to report
		s.find("nested error", "%s", n.Short())
	}
	if p.empty() {
		s.notes = append(s.notes, "The document has no error.")
	} else {
		s.findPath(p, aucOf(d))
	}
	s.fact("learner", "%s, solver %s", d.Learner, d.Solver)
	s.fact("data", "%s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Queries, "query"))
	s.columns(d.Columns)
	s.fact("method", "%s, %s", method(d.Method), trained(d.Retrained))
	s.nested(d.Nested, d.Permutation)
	s.against(d.Against)
	s.took(d.Seconds.Load, d.Seconds.Validation, "validating")
	s.add(ErrorFigure, p.item())
	s.addMetric(p)
	s.add(ROCFigure, rocItem(d))
	s.add(PrecisionFigure, precisionItem(d))
	s.add(RowsFigure, rowPairsItem(d))
	s.add(LearningFigure, learningItem(d.Learning))
	s.add(ImportanceFigure, importanceItem(d))
	s.add(FeaturesFigure, featuresItem(&d.Chosen))
	s.add("", choicesItem(d.Nested))
	s.next = studySection(d)
	return s
}

// aucOf is the area under the ROC curve of the best candidate with its interval, nil if there is none.
func aucOf(d *report.Estimate) *[2]string {
	if d.Best == nil || d.Best.AUC == nil {
		return nil
	}
	return &[2]string{"AUC", withInterval(number(d.Best.AUC.Value), d.Best.AUC.CI95)}
}

// nested adds the facts of an estimate of the whole procedure, and of a permutation test.
func (s *section) nested(n *report.Nested, t *report.Permutation) {
	if n != nil {
		s.fact("nested", "%s", n.Text())
	}
	if t != nil {
		s.fact("permutation test", "%s", permutationText(t))
	}
}

// against adds the facts of another procedure on the same held-out pairs.
func (s *section) against(a *report.Against) {
	if a == nil {
		return
	}
	s.fact("against", "%s: %s", a.Options, a.Best.Text("held-out pair"))
	s.fact("difference", "%s: of the procedure of this page less the other one", a.Difference.Text())
	if a.NestedDifference != nil {
		s.fact("nested, against", "%s", a.Nested.Text())
		s.fact("nested difference", "%s", a.NestedDifference.Text())
	}
}

// permutationText is the outcome of a permutation test.
func permutationText(t *report.Permutation) string {
	return fmt.Sprintf("p = %.4g: %d of %d permutations of the labels are as good", float64(t.P), t.Below, t.N)
}

// estimatePath has the errors of an estimate.
func estimatePath(d *report.Estimate) *path {
	p := &path{metric: d.Metric, chosen: -1}
	p.about = fmt.Sprintf("The error is the share of pairs in the wrong order, tied scores counting one half, over "+
		"rows that were held out by %s, %s.", method(d.Method), trained(d.Retrained))
	for _, r := range d.Results {
		if n := len(p.series); n == 0 || p.series[n-1].name != r.Kernel {
			p.series = append(p.series, series{name: r.Kernel})
		}
		last := &p.series[len(p.series)-1]
		last.points = append(last.points, r.Candidate)
	}
	for _, o := range d.Outputs {
		one := series{name: fmt.Sprintf("output %d", o.Output)}
		for _, r := range o.Results {
			if r.Kernel == o.Best.Kernel {
				one.points = append(one.points, r.Candidate)
			}
		}
		p.series, p.choices = append(p.series, one), append(p.choices, o.Best)
	}
	p.outputs = len(d.Outputs) > 0
	if p.best = -1; d.Best != nil && len(d.Outputs) == 0 {
		p.best = slices.IndexFunc(p.series, func(s series) bool { return s.name == d.Best.Kernel })
		if p.best >= 0 {
			p.chosen = p.series[p.best].find(d.Best.Choice)
		}
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, d.Interval.Text(d.Best.Variance)
		}
		p.splitSizes(d.Best.Choice)
	}
	return p
}
