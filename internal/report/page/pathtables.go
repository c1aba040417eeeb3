package page

import (
	"fmt"
	"math"
	"slices"

	"pairrank/internal/figure"
	"pairrank/internal/report"
)

// choicesTable has a row for each output: its choice, its error and the interval; nil for a single output.
func (p *path) choicesTable() *table {
	if len(p.choices) == 0 {
		return nil
	}
	intervals := slices.ContainsFunc(p.choices, func(r report.Result) bool { return r.CI95 != nil })
	t := &table{caption: "The choice for each output", head: []string{"output", "choice", p.name(), "standard error"}}
	if p.metric != "" {
		t.head = append(t.head, p.metric)
	}
	if intervals {
		t.head = append(t.head, "95 % interval from", "to")
	}
	for k, r := range p.choices {
		at := candidate(r.Choice)
		if r.Kernel != "" {
			at = r.Kernel + ", " + at
		}
		row := []string{p.series[k].name, at, number(r.Error), number(r.StdErr)}
		if p.metric != "" {
			row = append(row, number(valueOf(r.Value)))
		}
		if ci := r.CI95; ci != nil {
			row = append(row, number(ci[0]), number(ci[1]))
		} else if intervals {
			row = append(row, "–", "–")
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// table has a row for each point.
func (p *path) table() table {
	t := table{caption: "The " + p.name() + " of every value of λ", head: []string{"λ", p.name(), "standard error",
		"pairs"}}
	if p.rounds() {
		t.caption, t.head[0] = "The "+p.name()+" after every number of rounds", "rounds"
	}
	if p.sizes {
		t.caption = "The " + p.name() + " of every number of features and value of λ"
	}
	several := len(p.series) > 1
	if several {
		t.head[0] = "choice"
	}
	if p.metric != "" {
		t.head = append(t.head, p.metric)
	}
	for _, c := range p.beside {
		t.head = append(t.head, c.name)
	}
	for k, s := range p.series {
		for l, c := range s.points {
			name := candidate(c.Choice)
			if several && !p.sizes {
				name = s.name + ", " + name
			}
			row := []string{name, number(c.Error), number(c.StdErr), fmt.Sprint(c.Pairs)}
			if p.metric != "" {
				row = append(row, number(valueOf(c.Value)))
			}
			for _, b := range p.beside {
				row = append(row, number(b.values[l]))
			}
			t.rows = append(t.rows, row)
			if k == p.best && l == p.chosen {
				t.mark = len(t.rows)
			}
		}
	}
	return t
}

// valueOf is a number that may be missing.
func valueOf(n *report.Number) report.Number {
	if n == nil {
		return report.Number(math.NaN())
	}
	return *n
}

// values is the figure of a further number of each point of the chosen series; text explains it.
func (p *path) values(name, text string, of func(l int) report.Number) *item {
	if p.best < 0 || p.best >= len(p.series) {
		return nil
	}
	s := &p.series[p.best]
	plot := p.axes(name)
	plot.Y.Within = nil
	line := figure.Line{}
	t := table{caption: name + " of every value", head: []string{"λ", name}}
	if p.rounds() {
		t.head[0] = "rounds"
	}
	defined := 0
	for l, c := range s.points {
		v := of(l)
		t.rows = append(t.rows, []string{candidate(c.Choice), number(v)})
		at := p.place(c.Choice)
		if math.IsNaN(float64(v)) || !(at > 0) || math.IsInf(at, 0) {
			continue
		}
		defined++
		line.X, line.Y = append(line.X, at), append(line.Y, float64(v))
		line.Says = append(line.Says, candidate(c.Choice)+": "+number(v))
		if l == p.chosen {
			plot.Marks = []figure.Mark{{X: at, Y: float64(v), Name: candidate(c.Choice) + ": " + number(v), Style: 1,
				Ring: true}}
		}
	}
	if defined == 0 {
		return nil
	}
	if p.chosen >= 0 {
		t.mark = p.chosen + 1
	}
	plot.Lines = []figure.Line{line}
	i := &item{table: t, text: []string{text}}
	i.Title, i.Body = fmt.Sprintf("%s over the values tried", name), plot
	if c := p.choice(); c != nil {
		i.Title = fmt.Sprintf("%s at the choice, %s, is %s", name, candidate(c.Choice), number(of(p.chosen)))
	}
	i.Desc = t.caption + "."
	return i
}
