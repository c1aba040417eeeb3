package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// mostQueries is the number of queries that have single bars, and mostMetrics the number of metrics that are
// shown query by query.
const (
	mostQueries = 200
	mostMetrics = 3
)

// queryValue is a query with a number to sort by, and the cells of its row.
type queryValue struct {
	id    string
	by    float64
	cells func() []string // of its row; what is not shown costs no text
}

// queryDifferences is the figure of A − B of each query, by metric j.
func (d *Comparison) queryDifferences(j int, m metric.Metric) *Figure {
	var list []queryValue
	left, better := 0, [3]int{}
	for _, q := range d.PerQuery {
		if j >= len(q.A) || j >= len(q.B) || !q.A[j].Defined || !q.B[j].Defined {
			left++
			continue
		}
		a, b := q.A[j].Value, q.B[j].Value
		list = append(list, queryValue{q.Query, a - b, func() []string {
			return []string{signed(Number(a - b)), value(q.A[j]), value(q.B[j])}
		}})
		better[sense(a-b, m)+1]++
	}
	if len(list) == 0 {
		return nil
	}
	name := d.Style.Name(m)
	f := sortedQueries(list, left, "A − B of "+name, []string{"A − B", "A", "B"}, func(v float64) int {
		if sense(v, m) < 0 {
			return 1
		}
		return 0
	})
	f.Title = fmt.Sprintf("%s: A is better on %s, equal on %d and worse on %d", name,
		spell.Plural(better[2], "query"), better[1], better[0])
	up, down := "better", "worse"
	if m.Loss() {
		up, down = down, up
	}
	f.Text = []string{fmt.Sprintf("A is %s on queries whose bar goes up, and %s on queries whose bar goes down, in "+
		"another colour.", up, down)}
	return f
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

// queryBars is the figure of metric j of each query under the first ranking.
func (e *Evaluation) queryBars(j int, name string) *Figure {
	var list []queryValue
	left, first := 0, e.Reports[0]
	head := []string{name + e.letter(0)}
	for k := range e.Reports[1:] {
		head = append(head, name+e.letter(k+1))
	}
	for g, q := range first.PerQuery {
		if !q.Values[j].Defined {
			left++
			continue
		}
		list = append(list, queryValue{q.ID, q.Values[j].Value, func() (cells []string) {
			for _, r := range e.Reports {
				cells = append(cells, value(r.PerQuery[g].Values[j]))
			}
			return cells
		}})
	}
	if len(list) == 0 {
		return nil
	}
	f := sortedQueries(list, left, head[0], head, func(float64) int { return 0 })
	middle := list[len(list)/2].by // the list is sorted by now
	f.Title = fmt.Sprintf("%s of a query ranges from %s to %s, with median %s", head[0],
		number(Number(list[len(list)-1].by)), number(Number(list[0].by)), number(Number(middle)))
	return f
}

// sortedQueries is the figure of a number of each query, the highest first, beside so many without a value. With more
// than mostQueries queries the bars are means of neighbours.
func sortedQueries(list []queryValue, without int, label string, head []string, style func(v float64) int) *Figure {
	slices.SortStableFunc(list, func(a, b queryValue) int { return cmp.Compare(b.by, a.by) })
	tick := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	plot := &figure.Plot{X: figure.Axis{Label: "queries, sorted", Tick: tick}, Y: figure.Axis{Label: label}}
	f := &Figure{Body: plot, Desc: "A bar for each query, from the highest to the lowest.",
		Table: listed(label+", sorted", append([]string{"query"}, head...)...)}
	if n := len(list); n > mostQueries {
		f.Left = fmt.Sprintf("There are %d queries. Each of the %d bars, and each row of the table, is the mean of "+
			"neighbours in sorted order. ", n, mostQueries)
		list = grouped(list)
		plot.X.Label = fmt.Sprintf("%d groups of queries, sorted", mostQueries)
		f.Table = listed(f.Table.Caption, "queries", head[0], "number")
	}
	if without > 0 {
		f.Left += fmt.Sprintf("%s without a value are left out.", spell.Plural(without, "query"))
	}
	for k, q := range list {
		cells := q.cells()
		plot.Bars = append(plot.Bars, figure.Bar{X: float64(k + 1), Y: q.by, Style: style(q.by),
			Says: q.id + ": " + cells[0]})
		f.Table.row(append([]string{q.id}, cells...)...)
	}
	return f
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
		out[k] = queryValue{name, mean, func() []string { return []string{signed(Number(mean)), fmt.Sprint(to - from)} }}
	}
	return out
}
