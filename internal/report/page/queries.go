package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// mostQueries is the number of queries that have single bars, and mostMetrics the number of metrics that are
// shown query by query.
const (
	mostQueries = 200
	mostMetrics = 3
)

// ofComparison is the section about the comparison of two rankings.
func ofComparison(d *report.Comparison) *section {
	s := &section{title: "Comparison of two rankings"}
	if !s.findAreas(d.Areas) {
		s.findDifference(d)
	}
	s.fact("A", "%s", rankingName(d.Rankings[0]))
	s.fact("B, the baseline", "%s", rankingName(d.Rankings[1]))
	s.folds(d.Data)
	s.fact("style", "%s", d.Style)
	s.columns(d.Columns)
	s.notes = append(s.notes, d.Warnings...)
	s.add(DifferenceFigure, differences(d))
	s.areas(d.Areas)
	for j, c := range d.Comparisons {
		if j < mostMetrics {
			s.add(QueriesFigure, queryDifferences(d, j, c.Metric))
		}
	}
	return s
}

// rankingName is the file of a ranking.
func rankingName(r report.Ranking) string {
	if r.File == "-" {
		return "standard input"
	}
	return r.File
}

// findDifference adds three findings about the first metric: which ranking is better, by how much, and the
// p-value.
func (s *section) findDifference(d *report.Comparison) {
	if len(d.Comparisons) == 0 {
		return
	}
	c, several := d.Comparisons[0], len(d.Comparisons) > 1
	name, queries := d.Style.Name(c.Metric), spell.Plural(c.Queries, "query")
	p, of := c.PPermutation, ""
	if several {
		p, of = c.PHolmPermutation, ", with Holm's correction over "+spell.Plural(len(d.Comparisons), "metric")
	}
	which := 0
	if c.Difference.Defined {
		which = sense(c.Difference.Value, c.Metric)
	}
	switch {
	case c.Queries == 1:
		s.find("choice", "not tested: %s is of a single list", name)
	case which == 0 || float64(p) > significant:
		s.find("choice", "neither: no significant difference at 5 %% in %s over %s", name, queries)
	case which > 0:
		s.find("choice", "A, %s, is better in %s over %s", rankingName(d.Rankings[0]), name, queries)
	default:
		s.find("choice", "B, %s, is better in %s over %s", rankingName(d.Rankings[1]), name, queries)
	}
	difference := "–"
	if c.Difference.Defined {
		difference = signed(c.Difference.Value)
	}
	if ci := c.CI95; ci != nil {
		difference += ", 95 % interval " + signed(ci[0].Value) + " to " + signed(ci[1].Value)
	}
	s.find("A − B of "+name, "%s", difference)
	if c.Queries == 1 {
		s.find("test", "none: no test over queries says anything of one list")
		return
	}
	s.find("test", "p = %.4g by sign flips%s", float64(p), of)
}

// significant is the significance level in the words about a comparison.
const significant = 0.05

// differences is the figure of the mean differences with their intervals.
func differences(d *report.Comparison) *item {
	rows := &figure.Rows{Label: "A − B, with its 95 % interval", Rules: []float64{0}, Axis: true}
	i := &item{text: []string{aboutCompare}}
	i.table = table{caption: "The means of A and B", head: []string{"metric", "A − B", "from", "to", "A", "B",
		"wins", "ties", "losses"}}
	i.tests = &table{caption: "The p-values", head: []string{"metric", "Wilcoxon", "sign flips"}}
	several := len(d.Comparisons) > 1
	if several {
		i.tests.head = []string{"metric", "Wilcoxon", "Holm", "sign flips", "Holm"}
	}
	clear := 0
	for _, c := range d.Comparisons {
		row, line := difference(d.Style.Name(c.Metric), &c)
		if row.Lo > 0 || row.Hi < 0 {
			clear++
		}
		rows.Rows = append(rows.Rows, row)
		line = append(line, value(c.A), value(c.B), fmt.Sprint(c.Wins), fmt.Sprint(c.Ties), fmt.Sprint(c.Losses))
		i.table.rows = append(i.table.rows, line)
		tests := []string{row.Name, report.PText(c.PWilcoxon), report.PText(c.PPermutation)}
		if several {
			tests = []string{row.Name, report.PText(c.PWilcoxon), report.PText(c.PHolmWilcoxon),
				report.PText(c.PPermutation), report.PText(c.PHolmPermutation)}
		}
		i.tests.rows = append(i.tests.rows, tests)
	}
	if len(rows.Rows) == 0 {
		return nil
	}
	first := i.table.rows[0]
	switch n := len(d.Comparisons); {
	case n == 1:
		i.Title = fmt.Sprintf("A − B is %s of %s", first[1], first[0])
		if c := d.Comparisons[0]; c.CI95 != nil {
			i.Title += fmt.Sprintf(", %s to %s", first[2], first[3])
		}
	case clear == 0:
		i.Title = fmt.Sprintf("No difference of %d metrics is significant at 95 %%", n)
	default:
		i.Title = fmt.Sprintf("%d of %d differences are significant at 95 %%", clear, n)
	}
	if several {
		i.text = append(i.text, "Holm's correction over the metrics controls the family-wise error rate at 5 %.")
	}
	i.Desc, i.Body = "Points with intervals, a line for each metric, and a vertical line at 0. "+
		i.table.caption+".", rows
	return i
}

// difference is the line of a figure for a difference with its interval, and the first cells of its row in the
// table.
func difference(name string, c *report.Compared) (row figure.Row, cells []string) {
	row = figure.Row{Name: name, Value: math.NaN(), Text: "–"}
	if c.Difference.Defined {
		row.Value, row.Text = c.Difference.Value, signed(c.Difference.Value)
	}
	cells = []string{row.Name, row.Text, "–", "–"}
	if c.CI95 != nil && c.CI95[0].Defined && c.CI95[1].Defined {
		row.Lo, row.Hi = c.CI95[0].Value, c.CI95[1].Value
		cells[2], cells[3] = signed(row.Lo), signed(row.Hi)
	}
	return row, cells
}

// queryValue is a query with a number to sort by, and the cells of its row.
type queryValue struct {
	id    string
	by    float64
	cells []string
}

// queryDifferences is the figure of A − B of each query, by metric j.
func queryDifferences(d *report.Comparison, j int, m metric.Metric) *item {
	var list []queryValue
	left, better := 0, [3]int{}
	for _, q := range d.PerQuery {
		if j >= len(q.A) || j >= len(q.B) || !q.A[j].Defined || !q.B[j].Defined {
			left++
			continue
		}
		a, b := q.A[j].Value, q.B[j].Value
		list = append(list, queryValue{q.Query, a - b, []string{signed(a - b), value(q.A[j]), value(q.B[j])}})
		better[sense(a-b, m)+1]++
	}
	if len(list) == 0 {
		return nil
	}
	name := d.Style.Name(m)
	i := sortedQueries(list, "A − B of "+name, []string{"A − B", "A", "B"}, func(v float64) int {
		if sense(v, m) < 0 {
			return 1
		}
		return 0
	})
	i.Title = fmt.Sprintf("%s: A is better on %s, equal on %d and worse on %d", name,
		spell.Plural(better[2], "query"), better[1], better[0])
	up, down := "better", "worse"
	if m.Loss() {
		up, down = down, up
	}
	i.text = append(i.text, fmt.Sprintf("A is %s on queries whose bar goes up, and %s on queries whose bar goes "+
		"down, in another colour.", up, down))
	i.undefined(left)
	return i
}

// sense is 1 if a difference of a metric is an improvement, −1 if it is the opposite, 0 within rounding.
func sense(v float64, m metric.Metric) int {
	const alike = 1e-12 // rounding, as in package compare
	switch {
	case math.Abs(v) <= alike:
		return 0
	case v > 0 != m.Loss():
		return 1
	}
	return -1
}

// undefined counts the queries without a value.
func (i *item) undefined(n int) {
	if n == 0 {
		return
	}
	if i.left != "" {
		i.left += " "
	}
	i.left += fmt.Sprintf("%s without a value are left out.", spell.Plural(n, "query"))
}

// sortedQueries is the figure of a number of each query, the highest first. With more than mostQueries queries
// the bars are means of neighbours.
func sortedQueries(list []queryValue, label string, head []string, style func(v float64) int) *item {
	slices.SortStableFunc(list, func(a, b queryValue) int { return cmp.Compare(b.by, a.by) })
	tick := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	plot := &figure.Plot{X: figure.Axis{Label: "queries, sorted", Tick: tick}, Y: figure.Axis{Label: label}}
	i := &item{table: table{caption: label + ", sorted", head: append([]string{"query"}, head...)}}
	i.Body, i.Desc = plot, "A bar for each query, from the highest to the lowest. "+i.table.caption+"."
	if n := len(list); n > mostQueries {
		i.left = fmt.Sprintf("There are %d queries. Each of the %d bars, and each row of the table, is the mean of "+
			"neighbours in sorted order.", n, mostQueries)
		list = grouped(list)
		plot.X.Label = fmt.Sprintf("%d groups of queries, sorted", mostQueries)
		i.table.head = []string{"queries", head[0], "number"}
	}
	for k, q := range list {
		plot.Bars = append(plot.Bars, figure.Bar{X: float64(k + 1), Y: q.by, Style: style(q.by),
			Says: q.id + ": " + q.cells[0]})
		i.table.rows = append(i.table.rows, append([]string{q.id}, q.cells...))
	}
	return i
}

// grouped are mostQueries means of neighbours of a sorted list.
func grouped(list []queryValue) []queryValue {
	out := make([]queryValue, mostQueries)
	for k := range out {
		from, to := k*len(list)/mostQueries, (k+1)*len(list)/mostQueries
		sum := 0.0
		for _, q := range list[from:to] {
			sum += q.by
		}
		mean := sum / float64(to-from)
		name := list[from].id
		if to-from > 1 {
			name += " … " + list[to-1].id
		}
		out[k] = queryValue{name, mean, []string{signed(mean), fmt.Sprint(to - from)}}
	}
	return out
}

// ofEvaluation is the section about measured rankings: the means, and the values of every query under the first
// one.
func ofEvaluation(d *report.Evaluation) *section {
	s := &section{title: "Evaluation"}
	if len(d.Reports) == 0 || d.Reports[0] == nil {
		return s
	}
	first := d.Reports[0]
	for j, res := range first.Results {
		if j < 3 {
			s.find(first.Style.Name(res.Metric)+of(d, 0), "%s over %s", value(res.Mean), spell.Plural(res.Queries,
				"query"))
		}
	}
	s.fact("style", "%s", first.Style)
	s.columns(d.Columns)
	for k, r := range d.Rankings {
		name := r.Kind
		if len(d.Reports) > 1 {
			name = spell.Letter(k)
		}
		s.fact(name, "%s", rankingName(r))
	}
	for _, r := range d.Reports {
		s.notes = append(s.notes, r.Warnings...)
	}
	s.add("", means(d))
	s.areas(d.Areas)
	for j, res := range first.Results {
		if j < mostMetrics && len(first.PerQuery) > 1 {
			s.add(QueriesFigure, queryBars(d, j, first.Style.Name(res.Metric)))
		}
	}
	return s
}

// of is the text that follows a metric of ranking k if there are several rankings.
func of(d *report.Evaluation, k int) string {
	if k >= len(d.Rankings) || len(d.Reports) < 2 {
		return ""
	}
	return " of " + spell.Letter(k)
}

// means is the figure of the mean of each metric.
func means(d *report.Evaluation) *item {
	rows := &figure.Rows{Label: "mean over queries", Bars: true, Axis: true}
	t := table{caption: "The mean of each metric", head: []string{"metric", "mean", "queries", "undefined"}}
	title, found := "No metric is defined on any query", false
	for j, res := range d.Reports[0].Results {
		for k, r := range d.Reports {
			one := r.Results[j]
			name := r.Style.Name(res.Metric) + of(d, k)
			row := figure.Row{Name: name, Value: math.NaN(), Text: value(one.Mean), Style: k % mostSeries}
			if one.Mean.Defined {
				row.Value = one.Mean.Value
			}
			rows.Rows = append(rows.Rows, row)
			t.rows = append(t.rows, []string{name, row.Text, fmt.Sprint(one.Queries), fmt.Sprint(one.Undefined)})
			if one.Mean.Defined && !found {
				title, found = fmt.Sprintf("%s is %s over %s", name, row.Text, spell.Plural(one.Queries, "query")), true
			}
		}
	}
	if len(rows.Rows) == 0 {
		return nil
	}
	i := &item{table: t, text: []string{"Means over the queries for which a metric is defined. They have no " +
		"intervals; pairrank compare tests whether two rankings differ."}}
	i.Title, i.Desc, i.Body = title, "A bar for each metric. "+t.caption+".", rows
	return i
}

// queryBars is the figure of metric j of each query under the first ranking.
func queryBars(d *report.Evaluation, j int, name string) *item {
	var list []queryValue
	left, first := 0, d.Reports[0]
	head := []string{name + of(d, 0)}
	for k := range d.Reports[1:] {
		head = append(head, name+of(d, k+1))
	}
	for g, q := range first.PerQuery {
		if !q.Values[j].Defined {
			left++
			continue
		}
		one := queryValue{id: q.ID, by: q.Values[j].Value}
		for _, r := range d.Reports {
			one.cells = append(one.cells, value(r.PerQuery[g].Values[j]))
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		return nil
	}
	i := sortedQueries(list, head[0], head, func(float64) int { return 0 })
	middle := list[len(list)/2].by // the list is sorted by now
	i.Title = fmt.Sprintf("%s of a query ranges from %s to %s, with median %s", head[0],
		number(report.Number(list[len(list)-1].by)), number(report.Number(list[0].by)), number(report.Number(middle)))
	i.undefined(left)
	return i
}
