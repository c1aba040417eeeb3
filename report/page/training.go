package page

import (
	"fmt"
	"math"
	"slices"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/report"
)

// ofTraining tells of a training: the errors by which λ was chosen, and its time.
func ofTraining(d *report.Training) *section {
	s := &section{title: "Training"}
	what := d.Learner
	if d.Kernel != "" {
		what += ", kernel " + d.Kernel
	}
	s.fact("learner", "%s", what)
	s.fact("data", "%s, %s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Features, "feature"), spell.Plural(d.Queries, "query"))
	if d.Pairs > 0 {
		s.fact("pairs", "%.0f compared", float64(d.Pairs))
	}
	s.fact("objective", "%s", d.Formula)
	if d.Rounds > 0 {
		s.fact("rounds", "%d", d.Rounds)
	} else if d.Lambda > 0 {
		s.fact("λ", "%s", lambda(d.Lambda))
	}
	s.fact("solver", "%s", d.Solver)
	if d.Iterations > 0 {
		s.fact("iterations", "%d", d.Iterations)
	}
	s.fact("model", "%s", d.Model)
	p := trainingPath(d)
	if i := p.item(); i != nil {
		s.add(i)
	} else {
		s.notes = append(s.notes, "Nothing was held out, so there is no error to show.")
	}
	s.addMetric(p)
	s.add(times("The time of the training", time{"reading", float64(d.Seconds.Load)}, time{"training", float64(d.Seconds.Train)}))
	return s
}

// trainingPath is the estimates that a training chose by.
func trainingPath(d *report.Training) *path {
	p := &path{metric: d.Metric, chosen: -1}
	over := "rows that were held out by " + method(d.Method) + ", " + trained(d.Retrained)
	if d.Valid != "" {
		over = "the rows of " + d.Valid
	}
	p.about = fmt.Sprintf("The error is the share of pairs in the wrong order, tied scores counting one half, over %s.", over)
	if d.Measure != "" { // the relative squared error
		p.about = fmt.Sprintf("The error is the squared loss of each fold divided by that of equal scores, which is 1, over %s.", over)
		p.band = "The band is one standard error over the folds on each side. It takes the held-out predictions as given; how often it holds was not measured."
	}
	switch {
	case len(d.Outputs) > 0:
		for _, o := range d.Outputs {
			p.series = append(p.series, series{fmt.Sprintf("output %d", o.Output), o.Selection})
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
		p.chosen = p.series[p.best].find(d.Lambda, d.Rounds)
	}
	return p
}

// addMetric adds the figure of the metric that chose, where there is one.
func (s *section) addMetric(p *path) {
	if p.metric == "" || p.best < 0 || p.best >= len(p.series) {
		return
	}
	points := p.series[p.best].points
	s.add(p.values(p.metric, "The mean over the queries that are held out together, where it is defined.", func(l int) report.Number { return valueOf(points[l].Value) }))
}

// ofEstimate tells of an estimate.
func ofEstimate(d *report.Estimate) *section {
	s := &section{title: "Estimate of the error on what was not seen"}
	s.fact("learner", "%s, solver %s", d.Learner, d.Solver)
	s.fact("data", "%s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Queries, "query"))
	s.fact("method", "%s, %s", method(d.Method), trained(d.Retrained))
	if b := d.Best; b != nil {
		text := number(b.Error) + plusMinus(b.StdErr)
		if b.CI95 != nil {
			text += ", 95 % interval " + fromTo(b.CI95)
		}
		s.fact("error", "%s", text)
		if b.AUC != nil {
			text := number(b.AUC.Value)
			if b.AUC.CI95 != nil {
				text += ", 95 % interval " + fromTo(b.AUC.CI95)
			}
			s.fact("AUC", "%s", text)
		}
	}
	s.nested(d.Nested, d.Permutation)
	p := estimatePath(d)
	s.add(p.item())
	s.addMetric(p)
	s.add(rocItem(d))
	s.add(learningItem(d.Learning))
	s.add(importanceItem(d))
	s.add(times("The time of the estimate", time{"reading", float64(d.Seconds.Load)}, time{"validating", float64(d.Seconds.Validation)}))
	return s
}

// nested are the facts of an estimate of the whole procedure, and of a permutation test.
func (s *section) nested(n *report.Nested, t *report.Permutation) {
	if n != nil {
		s.fact("nested", "error %s%s of choosing and training, over %s of %s", number(n.Error), plusMinus(n.StdErr), spell.Plural(int(n.Pairs), "held-out pair"), n.Outer)
	}
	if t != nil {
		s.fact("permutation test", "p = %.4g: %d of %d permutations of the labels are as good", float64(t.P), t.Below, t.N)
	}
}

// estimatePath is the errors of an estimate.
func estimatePath(d *report.Estimate) *path {
	p := &path{metric: d.Metric, chosen: -1}
	p.about = fmt.Sprintf("The error is the share of pairs in the wrong order, tied scores counting one half, over rows that were held out by %s, %s.", method(d.Method), trained(d.Retrained))
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
		p.series = append(p.series, one)
	}
	p.outputs = len(d.Outputs) > 0
	if p.best = -1; d.Best != nil && len(d.Outputs) == 0 {
		p.best = slices.IndexFunc(p.series, func(s series) bool { return s.name == d.Best.Kernel })
		if p.best >= 0 {
			p.chosen = p.series[p.best].find(d.Best.Lambda, d.Best.Rounds)
		}
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, interval(d.Interval)
		}
	}
	return p
}

// time is how long a part of the work took, in seconds.
type time struct {
	name    string
	seconds float64
}

// times is the figure of how long the work took, nil where no time is known.
func times(title string, of ...time) *item {
	rows, total := &figure.Rows{Label: "seconds of the clock", Bars: true, Axis: true}, 0.0
	t := table{caption: "Seconds of the clock", head: []string{"work", "time"}}
	for _, one := range of {
		if math.IsNaN(one.seconds) || one.seconds < 0 {
			continue
		}
		total += one.seconds
		rows.Rows = append(rows.Rows, figure.Row{Name: one.name, Value: one.seconds, Text: seconds(one.seconds)})
		t.rows = append(t.rows, []string{one.name, seconds(one.seconds)})
	}
	if len(rows.Rows) == 0 || math.IsInf(total, 0) {
		return nil
	}
	i := &item{table: t, text: []string{"On this machine, with what else ran on it: it is no measurement of speed."}}
	i.Title, i.Desc, i.Body = title+" is "+seconds(total), "Bars of how long each part took.", rows
	return i
}
