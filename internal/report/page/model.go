package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// mostWeights is the number of features, or column nodes, that have a bar.
const mostWeights = 30

// ofInspection is the section about a model.
func ofInspection(d *report.Inspection) *section {
	s := &section{title: "Model"}
	s.findSelection(d)
	s.fact("learner", "%s", d.Learner)
	if d.Objective != "" {
		s.fact("objective", "%s", d.Objective)
	}
	if d.Kernel != "" {
		s.fact("kernel", "%s", d.Kernel)
	}
	if d.Normalizer != "" {
		s.fact("normaliser", "%s", d.Normalizer)
	}
	if d.Pairwise != nil {
		s.fact("pairwise kernel", "%s", d.Pairwise.Kernel)
		s.fact("trained on", "%s of %s", spell.Plural(d.Rows, "edge"), spell.Plural(d.Queries, "row node"))
		return s
	}
	s.fact("trained on", "%s, %s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Queries, "query"),
		spell.Plural(d.Features, "feature"))
	switch {
	case d.Stumps != nil:
		s.add("", stumps(d.Stumps))
	case len(d.Weights) > 0:
		s.add("", weights(d))
	case d.Support != nil:
		s.notes = append(s.notes,
			fmt.Sprintf("A kernel model has no feature weights; the coefficients of its %s are not shown.",
				spell.Plural(d.Support.Rows, "row")))
	}
	return s
}

// findSelection adds three lines about the choice of a model: the choice, its error, and the metric that chose.
func (s *section) findSelection(d *report.Inspection) {
	choice := ""
	if d.Lambda != nil {
		choice = "λ = " + lambda(report.Number(*d.Lambda))
	}
	c := d.Selection
	if c == nil {
		if d.Lambda != nil {
			s.find("choice", "%s; nothing was held out to choose it", choice)
		}
		return
	}
	measure := cmp.Or(c.Measure, "error")
	if d.Stumps != nil {
		choice = spell.Plural(d.Stumps.Rounds, "round")
	} else if d.Lambda == nil {
		choice = "a λ for each output"
	}
	s.find("choice", "%s, best of %d by %s", choice, c.Count, c.Metric)
	of := ""
	if d.Outputs > 1 {
		of = fmt.Sprintf(", the mean of %d outputs", d.Outputs)
	}
	s.find("held-out "+strings.ReplaceAll(measure, "-", " "), "%s by %s%s, without an interval",
		number(report.Number(c.Error)), method(c.Method), of)
	switch {
	case c.Value != nil:
		s.find(c.Metric, "%s%s", number(*c.Value), of)
	case c.Metric != measure:
		s.find(c.Metric, "not in the model")
	case measure == "error":
		s.find("metric", "only the error, the share of pairs in the wrong order: 0.5 by chance")
	}
}

// featureName is the name of a feature, or its number.
func featureName(name string, number int) string {
	return cmp.Or(name, "feature "+strconv.Itoa(number))
}

// weights is the figure of the largest weights of the first output.
func weights(d *report.Inspection) *item {
	rows := &figure.Rows{Label: "weight", Bars: true, Axis: true}
	t := table{caption: "Weights by magnitude", head: []string{"feature", "weight"}}
	i := &item{text: []string{"A score is the sum of weight times feature. The difference of two scores is the sum " +
		"of weight times difference of the features."}}
	if d.Normalizer != "" {
		i.text = append(i.text, "The weights are those of the normalised features ("+d.Normalizer+").")
	} else {
		i.text = append(i.text, "The features were not normalised: a weight is also large if its feature is "+
			"measured in a large unit.")
	}
	for _, w := range d.Weights {
		if len(rows.Rows) == mostWeights || len(w.Weights) == 0 {
			break
		}
		name, v := featureName(w.Name, w.Feature), w.Weights[0]
		row := figure.Row{Name: name, Value: v, Text: figure.Short(v)}
		if v < 0 {
			row.Style = 1
		}
		rows.Rows = append(rows.Rows, row)
		t.rows = append(t.rows, []string{name, row.Text})
	}
	if len(rows.Rows) == 0 {
		return nil
	}
	first := rows.Rows[0]
	i.Title = fmt.Sprintf("The largest weight is that of %s: %s", first.Name, first.Text)
	if d.Outputs > 1 {
		i.Title = fmt.Sprintf("The weights of output 1 of %d, sorted by the largest weight of any output", d.Outputs)
	}
	if n := max(len(d.Weights), d.Features) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s with smaller weights are left out; pairrank inspect --top 0 prints all.",
			spell.Plural(n, "feature"))
	}
	i.table, i.Body, i.Desc = t, rows, "A bar for each feature, to the left if its weight is negative. "+t.caption+"."
	return i
}

// stumps is the figure of the features of stumps.
func stumps(d *report.InspectedStumps) *item {
	rows := &figure.Rows{Label: "sum of the magnitudes of the weights of its stumps", Bars: true, Axis: true}
	t := table{caption: "Features by the weight of their stumps", head: []string{"feature", "weight", "stumps"}}
	for _, f := range d.Features[:min(len(d.Features), mostWeights)] {
		name, text := featureName(f.Name, f.Feature), figure.Short(f.Weight)
		rows.Rows = append(rows.Rows, figure.Row{Name: name, Value: f.Weight, Text: text})
		t.rows = append(t.rows, []string{name, text, fmt.Sprint(f.Stumps)})
	}
	if len(rows.Rows) == 0 {
		return nil
	}
	i := &item{table: t, text: []string{"Each stump tests whether one feature is above a threshold, and adds its " +
		"weight to the score."}}
	i.Title = fmt.Sprintf("Among %s, those of %s have the largest total weight",
		spell.Plural(d.Rounds, "stump"), rows.Rows[0].Name)
	if n := len(d.Features) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s with smaller weights are left out; pairrank inspect --top 0 prints all.",
			spell.Plural(n, "feature"))
	}
	i.Body, i.Desc = rows, "A bar for each feature. "+t.caption+"."
	return i
}

// ofRelation is the section about a training on, or an estimate of, edges between nodes.
func ofRelation(d *report.Relation) *section {
	s := &section{title: "Estimate of edges between nodes"}
	if d.Model != "" {
		s.title = "Training on edges between nodes"
	}
	p := relationPath(d)
	switch b := d.Best; {
	case b != nil && !p.empty():
		var beside *[2]string
		if f := d.Folds; f != nil {
			fold := f.CIndex.Fold
			beside = &[2]string{"c-index of a fold", number(fold.Mean) + plusMinus(fold.StdErr) + ", " + f.Method}
		}
		s.findPath(p, beside)
	case d.Lambda > 0:
		s.find("choice", "λ = %s, as given: nothing was held out, so there is no error",
			lambda(d.Lambda))
	}
	s.fact("learner", "%s, %s kernel", d.Learner, d.Kernel)
	kernels := d.RowKernel
	if d.ColKernel != "" {
		kernels += " and " + d.ColKernel
	}
	s.fact("node kernels", "%s", kernels)
	s.fact("data", "%s between %s and %s", spell.Plural(d.Edges, "edge"), spell.Plural(d.Rows, "row node"),
		spell.Plural(d.Cols, "column node"))
	if d.Setting != "" {
		s.fact("held out", "setting %s, %s, %s%s", d.Setting, method(d.Method), trained(d.Retrained), heldEdges(d))
	}
	if f := d.Folds; f != nil {
		s.factsByNode(f.Method, "c-index", f.CIndex)
		s.factsByNode(f.Method, "aupr", f.AUPR)
	}
	s.nested(d.Nested, d.Permutation)
	work := "training"
	if d.Model == "" {
		work = "validating"
	}
	s.took(d.Seconds.Load, d.Seconds.Train, work)
	s.add(ErrorFigure, p.item())
	s.addMetric(p)
	s.add("", p.values("c-index", "The share of all pairs of edges of a fold, between any nodes, in the "+
		"right order, ties counting one half. With two labels it is the AUC.",
		func(l int) report.Number { return d.Results[l].CIndex }))
	return s
}

// heldEdges counts the held-out edges; pairs are counted with their error.
func heldEdges(d *report.Relation) string {
	if d.Held == 0 {
		return ""
	}
	return ": " + spell.Plural(d.Held, "edge")
}

// factsByNode adds how folds rank.
func (s *section) factsByNode(folds, name string, m report.RelationByNode) {
	for _, of := range []struct {
		what string
		mean report.RelationMean
	}{{"a row", m.Row}, {"a column", m.Col}, {"a fold", m.Fold}} {
		if of.mean.N > 0 {
			s.fact(name+" of "+of.what, "%s%s, %s at the best λ", number(of.mean.Mean), plusMinus(of.mean.StdErr),
				folds)
		}
	}
}

// relationPath has the errors of edges over λ.
func relationPath(d *report.Relation) *path {
	over := "" // or why there is none
	if strings.HasPrefix(d.Over, "over ") {
		over = " " + d.Over
	}
	p := &path{chosen: -1, band: "The band is ± one standard error" + over + aboutNodes, metric: d.Metric}
	p.about = fmt.Sprintf("The error is the share of pairs of edges of one row node in the wrong order, over edges "+
		"that were held out by setting %s, %s, %s.", d.Setting, method(d.Method), trained(d.Retrained))
	if len(d.Results) == 0 {
		return p
	}
	one := series{}
	names := map[string]bool{}
	for _, r := range d.Results {
		c := report.Candidate{Selection: r.Selection, Drawing: r.Drawing}
		for name, v := range r.Metrics {
			if name == d.Metric {
				c.Value = &v
			} else {
				names[name] = true
			}
		}
		one.points = append(one.points, c)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := column{name: name}
		for _, r := range d.Results {
			v, has := r.Metrics[name]
			if !has {
				v = report.Number(math.NaN())
			}
			c.values = append(c.values, v)
		}
		p.beside = append(p.beside, c)
	}
	p.series = []series{one}
	if d.Best != nil {
		p.chosen = one.find(d.Best.Choice)
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, d.Interval.Text(d.Best.Variance)
		}
	}
	return p
}

// ofNodeRanking is the section about the ranking of nodes for one node, or of pairs.
func ofNodeRanking(d *report.NodeRanking) *section {
	s := &section{title: "Conditional ranking"}
	what, given, list := "column node", d.Given, d.Columns
	switch {
	case d.GivenCol != "":
		what, given, list = "row node", d.GivenCol, d.Rows
	case d.All:
		what, given, list = "pair", "all pairs", nil
		for _, p := range d.Pairs {
			list = append(list, report.RankedNode{ID: p.Row + ", " + p.Column, Score: p.Score})
		}
	}
	s.fact("given", "%s", given)
	if d.LeftOut > 0 {
		s.fact("left out", "%s", spell.Plural(d.LeftOut, "known pair"))
	}
	rows := &figure.Rows{Label: "score", Axis: true}
	t := table{caption: strings.ToUpper(what[:1]) + what[1:] + "s by falling score", head: []string{"node", "score"}}
	for _, c := range list[:min(len(list), mostWeights)] {
		text := figure.Short(float64(c.Score))
		rows.Rows = append(rows.Rows, figure.Row{Name: c.ID, Value: float64(c.Score), Text: text})
		t.rows = append(t.rows, []string{c.ID, text})
	}
	if len(rows.Rows) == 0 {
		return s
	}
	i := &item{table: t, text: []string{"Higher is better. Compare scores only within the ranking."}}
	i.Title = fmt.Sprintf("%s is ranked first for %s", rows.Rows[0].Name, given)
	i.Body, i.Desc = rows, "A point for each "+what+". "+t.caption+"."
	if n := len(list) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s with lower scores are left out.", spell.Plural(n, what))
	}
	s.add("", i)
	return s
}
