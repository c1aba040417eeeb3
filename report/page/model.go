package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/report"
)

// mostWeights is how many features, or column nodes, have a bar.
const mostWeights = 30

// ofInspection tells what a model holds.
func ofInspection(d *report.Inspection) *section {
	s := &section{title: "Model"}
	s.fact("learner", "%s", d.Learner)
	if d.Objective != "" {
		s.fact("objective", "%s", d.Objective)
	}
	if d.Lambda != nil {
		s.fact("λ", "%s", lambda(report.Number(*d.Lambda)))
	}
	if c := d.Selection; c != nil {
		s.fact("selection", "%s", c.Text(d.Outputs))
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
	s.fact("trained on", "%s, %s, %s", spell.Plural(d.Rows, "row"), spell.Plural(d.Queries, "query"), spell.Plural(d.Features, "feature"))
	switch {
	case d.Stumps != nil:
		s.add(stumps(d.Stumps))
	case len(d.Weights) > 0:
		s.add(weights(d))
	case d.Support != nil:
		s.notes = append(s.notes, fmt.Sprintf("A model of a kernel has no weights of features: its %s with coefficients are not shown.", spell.Plural(d.Support.Rows, "row")))
	}
	return s
}

// featureName is the name of a feature, or its number.
func featureName(name string, number int) string {
	return cmp.Or(name, "feature "+strconv.Itoa(number))
}

// weights is the figure of the largest weights of the first output.
func weights(d *report.Inspection) *item {
	rows := &figure.Rows{Label: "weight", Bars: true, Axis: true}
	t := table{caption: "Weights by magnitude", head: []string{"feature", "weight"}}
	i := &item{text: []string{"A score is the sum of weight times feature: a row stands above another by the weights times the differences of their features."}}
	if d.Normalizer != "" {
		i.text = append(i.text, "The weights are those of the normalised features ("+d.Normalizer+").")
	} else {
		i.text = append(i.text, "The features were not normalised: a weight is large also where its feature is measured in a large unit.")
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
		i.Title = fmt.Sprintf("The weights of output 1 of %d, by the largest of any output", d.Outputs)
	}
	if n := max(len(d.Weights), d.Features) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s with smaller weights are left out; pairrank inspect --top 0 prints all.", spell.Plural(n, "feature"))
	}
	i.table, i.Body, i.Desc = t, rows, "A bar for each feature, to the left where its weight is negative. "+t.caption+"."
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
	i := &item{table: t, text: []string{"Each stump asks one feature whether it is above a threshold, and adds its weight to the score."}}
	i.Title = fmt.Sprintf("Of %s those of %s weigh most", spell.Plural(d.Rounds, "stump"), rows.Rows[0].Name)
	if n := len(d.Features) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s of less weight are left out; pairrank inspect --top 0 prints all.", spell.Plural(n, "feature"))
	}
	i.Body, i.Desc = rows, "A bar for each feature. "+t.caption+"."
	return i
}

// ofRelation tells of a training or an estimate of edges between nodes.
func ofRelation(d *report.Relation) *section {
	s := &section{title: "Estimate of edges between nodes"}
	if d.Model != "" {
		s.title = "Training on edges between nodes"
	}
	s.fact("learner", "%s, %s kernel", d.Learner, d.Kernel)
	kernels := d.RowKernel
	if d.ColKernel != "" {
		kernels += " and " + d.ColKernel
	}
	s.fact("node kernels", "%s", kernels)
	s.fact("data", "%s between %s and %s", spell.Plural(d.Edges, "edge"), spell.Plural(d.Rows, "row node"), spell.Plural(d.Cols, "column node"))
	if d.Setting != "" {
		s.fact("held out", "setting %s, %s, %s: %s", d.Setting, method(d.Method), trained(d.Retrained), spell.Plural(d.Held, "edge"))
	}
	if d.Lambda > 0 {
		s.fact("λ", "%s", lambda(d.Lambda))
	}
	if b := d.Best; b != nil {
		s.fact("c-index", "%s%s", number(b.CIndex), b.CIndexCI95.Behind())
	}
	s.nested(d.Nested, d.Permutation)
	p := relationPath(d)
	s.add(p.item())
	s.add(p.values("c-index", "The share of all pairs of held-out edges, of whatever nodes, in the right order, ties counting one half; for two labels it is the AUC.", func(l int) report.Number { return d.Results[l].CIndex }))
	work := "training"
	if d.Model == "" {
		work = "validating"
	}
	s.add(times("The time of the work", time{"reading", float64(d.Seconds.Load)}, time{work, float64(d.Seconds.Train)}))
	return s
}

// relationPath is the errors of edges over λ.
func relationPath(d *report.Relation) *path {
	p := &path{chosen: -1, band: aboutNodes}
	p.about = fmt.Sprintf("The error is the share of pairs of edges of one row node in the wrong order, over edges that were held out by setting %s, %s, %s.", d.Setting, method(d.Method), trained(d.Retrained))
	if len(d.Results) == 0 {
		return p
	}
	one := series{}
	names := map[string]bool{}
	for _, r := range d.Results {
		one.points = append(one.points, report.Candidate{Lambda: r.Lambda, Error: r.Error, StdErr: r.StdErr, Pairs: r.Pairs, Drawn: r.Drawn, DrawErr: r.DrawErr})
		for name := range r.Metrics {
			names[name] = true
		}
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
		p.chosen = one.find(d.Best.Lambda, 0)
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, interval(d.Interval)
		}
	}
	return p
}

// ofNodeRanking tells of the ranking of column nodes for one row node.
func ofNodeRanking(d *report.NodeRanking) *section {
	s := &section{title: "Conditional ranking"}
	s.fact("given", "%s", d.Given)
	rows := &figure.Rows{Label: "score", Axis: true}
	t := table{caption: "Column nodes by falling score", head: []string{"node", "score"}}
	for _, c := range d.Columns[:min(len(d.Columns), mostWeights)] {
		text := figure.Short(float64(c.Score))
		rows.Rows = append(rows.Rows, figure.Row{Name: c.ID, Value: float64(c.Score), Text: text})
		t.rows = append(t.rows, []string{c.ID, text})
	}
	if len(rows.Rows) == 0 {
		return s
	}
	i := &item{table: t, text: []string{"Higher is better; scores are compared within the row node only."}}
	i.Title = fmt.Sprintf("%s stands first for %s", rows.Rows[0].Name, d.Given)
	i.Body, i.Desc = rows, "A point for each column node. "+t.caption+"."
	if n := len(d.Columns) - len(rows.Rows); n > 0 {
		i.left = fmt.Sprintf("%s further down are left out.", spell.Plural(n, "column node"))
	}
	s.add(i)
	return s
}
