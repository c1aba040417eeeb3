package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/figure"
)

// choicesTable has a row for each output, or for each kernel: its choice, its error and the interval; nil without
// choices.
func (p *path) choicesTable() *Table {
	if len(p.choices) == 0 {
		return nil
	}
	t := &Table{Caption: "The choice for each output", Len: len(p.choices), Marked: "<- best"}
	of := func(l int) *Candidate { return &p.choices[l].Candidate }
	if p.outputs {
		t.add("output", 6, func(l int) string { return strconv.Itoa(l + 1) }).Left = false
		t.Columns[0].OnPage = func(l int) string { return p.series[l].name }
	} else if p.best >= 0 {
		t.Mark = 1 + slices.IndexFunc(p.choices, func(r *Result) bool { return r.Kernel == p.series[p.best].name })
	}
	if slices.ContainsFunc(p.choices, func(r *Result) bool { return r.Kernel != "" }) {
		t.add("kernel", 28, func(l int) string { return p.choices[l].Kernel }).Left = true
	}
	digits := p.measured(t, of)
	p.measuredBy(t, of)
	if slices.ContainsFunc(p.choices, func(r *Result) bool { return r.CI95 != nil }) {
		t.add("95 % interval", 16, func(l int) string {
			return p.choices[l].CI95.to(digits)
		})
	}
	return t
}

// measured adds what was measured of each candidate: the first column, or one behind, has the choice. It returns the
// decimals of the errors.
func (p *path) measured(t *Table, of func(l int) *Candidate) (digits int) {
	first := of(0)
	c := t.add(string(first.of()), 10, func(l int) string { return of(l).at() })
	c.OnPage, c.Left = func(l int) string { return candidate(of(l).Choice) }, false
	if len(t.Columns) > 1 {
		c.Page = "choice"
	}
	if first.Selected > 0 {
		t.add("features", 8, func(l int) string { return strconv.Itoa(of(l).Selected) }).In = InText
	}
	digits = t.digits(func(l int) (n, unsure Number) { return of(l).Error, of(l).StdErr })
	unsure := t.digits(func(l int) (n, unsure Number) { return 0, of(l).StdErr })
	t.add(strings.ReplaceAll(p.name(), " ", "-"), 8, func(l int) string { return of(l).Error.to(digits) }).Page = p.name()
	t.add("stderr", 8, func(l int) string { return of(l).StdErr.unsure(unsure) }).Page = "standard error"
	return digits
}

// measuredBy adds the metric that chose.
func (p *path) measuredBy(t *Table, of func(l int) *Candidate) {
	if p.metric != "" {
		width := 8
		if len(p.beside) > 0 { // which are of edges
			width = 12
		}
		digits := t.digits(func(l int) (n, unsure Number) { return valueOf(of(l).Value), 0 })
		t.add(p.metric, width, func(l int) string { return valueOf(of(l).Value).to(digits) })
	}
}

// table has a row for each point. It returns the decimals of the errors, too.
func (p *path) table() (t *Table, digits int) {
	t = &Table{Caption: "The " + p.name() + " of every value of λ", Path: true, Marked: p.marked}
	var points []*Candidate
	var names []string
	for k := range p.series {
		s := &p.series[k]
		for l := range s.points {
			if points = append(points, &s.points[l]); k == p.best && l == p.chosen {
				t.Mark = len(points)
			}
			names = append(names, s.name)
		}
	}
	if len(points) == 0 {
		return nil, 0
	}
	t.Len, t.Point = len(points), func(l int) Spot { return Spot{Value: float64(points[l].Error)} }
	of := func(l int) *Candidate { return points[l] }
	digits = p.measured(t, of)
	t.add("pairs", 0, func(l int) string { return fmt.Sprint(of(l).Pairs) }).In = OnPage
	first, several := &t.Columns[0], len(p.series) > 1
	first.Page = "λ"
	if p.rounds() {
		t.Caption, first.Page = "The "+p.name()+" after every number of rounds", "rounds"
	}
	if p.sizes {
		t.Caption = "The " + p.name() + " of every number of features and value of λ"
	}
	if several {
		first.Page = "choice"
	}
	if choice := first.OnPage; several && !p.sizes {
		first.OnPage = func(l int) string { return names[l] + ", " + choice(l) }
	}
	for _, b := range p.beside {
		t.add(b.name, b.width, func(l int) string { return b.value(l).String() }).In = b.in
	}
	p.measuredBy(t, of)
	return t, digits
}

// tell adds the table of the candidates of the text: of one kernel all, of several kernels the best of each.
func (p *path) tell(v *View) {
	t := p.choicesTable()
	if t == nil && p.bestPoints() != nil {
		one := *p
		if !p.sizes {
			one.series, one.best = p.series[p.best:p.best+1], 0
		}
		t, _ = one.table()
	}
	if t != nil {
		t.Caption = "" // the figure of the page has its own
		v.tell(t)
	}
}

// valueOf is a number that may be missing.
func valueOf(n *Number) Number {
	if n == nil {
		return Number(math.NaN())
	}
	return *n
}

// values is the figure of a further number of each point of the chosen series; text explains it.
func (p *path) values(name, text string, of func(l int) Number) *Figure {
	plot := p.axes(name)
	plot.Y.Within = nil
	line := figure.Line{}
	head := "λ"
	if p.rounds() {
		head = "rounds"
	}
	t := listed(name+" of every value", head, name)
	t.Mark = p.chosen + 1
	for l, c := range p.bestPoints() {
		v, at := of(l), p.place(c.Choice)
		t.row(candidate(c.Choice), number(v))
		if math.IsNaN(float64(v)) || !(at > 0) || math.IsInf(at, 0) {
			continue
		}
		says := candidate(c.Choice) + ": " + number(v)
		line.X, line.Y, line.Says = append(line.X, at), append(line.Y, float64(v)), append(line.Says, says)
		if l == p.chosen {
			plot.Marks = []figure.Mark{{X: at, Y: float64(v), Name: says, Style: 1, Ring: true}}
		}
	}
	if len(line.X) == 0 {
		return nil
	}
	plot.Lines = []figure.Line{line}
	f := &Figure{Title: name + " over the values tried", Text: []string{text}, Table: t, Body: plot}
	if c := p.choice(); c != nil {
		f.Title = fmt.Sprintf("%s at the choice, %s, is %s", name, candidate(c.Choice), number(of(p.chosen)))
	}
	return f
}

// metricFigure is the figure of the metric that chose, nil if there is none.
func (p *path) metricFigure() *Figure {
	points := p.bestPoints()
	if p.metric == "" || points == nil {
		return nil
	}
	return p.values(p.metric, "The mean over the queries, or rows of edges, that are held out together. Those for which "+
		"it is undefined do not count.", func(l int) Number { return valueOf(points[l].Value) })
}
