package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// path has the estimates of every candidate, over λ or rounds.
type path struct {
	series []series
	best   int // index of the best series
	chosen int // index of its chosen point, -1 if unknown
	ci     *Range
	about  string // how it was held out
	of     string // how ci was made
	beside []beside
	metric string
	band   string // the meaning of the band, unless it is that of rows
	// measure is the name of the error, unless it is the share of pairs in the wrong order.
	measure string
	marked  string // what stands behind the choice in the text
	// outputs says that the series are outputs, each with a choice: choices.
	outputs bool
	choices []*Result
	// optimistic says that there is a nested error, to be reported before that of the choice.
	optimistic bool
	// sizes says that the candidates are numbers of features, and the series values of λ.
	sizes bool
}

// series has the estimates of one kernel or output.
type series struct {
	name   string
	points []Candidate
}

// beside is a further number of each point, for the only series.
type beside struct {
	name  string
	width int // in the text
	in    Medium
	value func(l int) Number
}

// mostSeries is the number of lines that a reader can distinguish.
const mostSeries = 5

// place is where a choice stands on the axis.
func (p *path) place(c Choice) float64 {
	if p.sizes {
		return float64(c.Selected)
	}
	return c.Place()
}

// splitSizes makes a series for each λ, if there are several numbers of features.
func (p *path) splitSizes(chosen Choice) {
	if len(p.series) != 1 {
		return
	}
	points := p.series[0].points
	if !slices.ContainsFunc(points, func(c Candidate) bool { return c.Selected != points[0].Selected }) {
		return
	}
	p.sizes, p.series, p.best = true, nil, -1
	for _, c := range points {
		if n := len(p.series); n == 0 || p.series[n-1].points[0].Lambda != c.Lambda {
			p.series = append(p.series, series{name: "λ = " + lambda(c.Lambda)})
		}
		last := &p.series[len(p.series)-1]
		if last.points = append(last.points, c); c.same(chosen) {
			p.best, p.chosen = len(p.series)-1, len(last.points)-1
		}
	}
}

// usable are the points of a series that have a place on the axis.
func (p *path) usable(s *series) []Candidate {
	return slices.DeleteFunc(slices.Clone(s.points), func(c Candidate) bool {
		at := p.place(c.Choice)
		return !(at > 0) || math.IsInf(at, 0)
	})
}

// least is the smallest error of all points, NaN if there is none.
func (p *path) least() float64 {
	least := math.NaN()
	for _, s := range p.series {
		for _, c := range s.points {
			if e := float64(c.Error); !(e >= least) && !math.IsNaN(e) {
				least = e
			}
		}
	}
	return least
}

// shown are the series that are drawn: those with the smallest errors, the chosen one first.
func (p *path) shown() []int {
	order := upTo(len(p.series))
	of := func(k int) float64 {
		if k == p.best {
			return math.Inf(-1)
		}
		one := path{series: p.series[k : k+1]}
		return one.least()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of(a), of(b)) })
	return order[:min(len(order), mostSeries)]
}

// empty reports whether there is no error.
func (p *path) empty() bool { return len(p.series) == 0 || math.IsNaN(p.least()) }

// name is the name of the error.
func (p *path) name() string { return cmp.Or(p.measure, "error") }

// find adds three findings: the choice, its error with an interval, and a metric: the metric that chose, or beside, or
// the meaning of the error.
func (p *path) find(v *View, beside *[2]string) {
	c := p.choice()
	if c == nil {
		v.fact(Headline, "choice", "%s", strings.TrimSuffix(p.title(), "."))
		return
	}
	of := ", as given"
	if n := p.count(); n > 1 {
		of = fmt.Sprintf(", of %d tried", n)
		if p.metric != "" {
			of += ", by " + p.metric
		}
	}
	v.fact(Headline, "choice", "%s%s", p.at(c), of)
	interval := "" // as in a training
	if p.ci == nil {
		interval = ", without an interval"
	}
	held := "held-out "
	if p.optimistic {
		held = "optimistic "
	}
	v.fact(Headline, held+p.name(), "%s%s", c.errorText(p.ci), interval)
	switch {
	case p.metric != "":
		v.fact(Headline, p.metric, "%s", number(valueOf(c.Value)))
	case beside != nil:
		v.fact(Headline, strings.TrimPrefix(held, "held-out ")+beside[0], "%s", beside[1])
	case p.measure != "":
		v.fact(Headline, "metric", "only the %s: equal scores have 1", p.measure)
	default:
		v.fact(Headline, "metric", onlyError)
	}
}

// onlyError is said where no metric chose.
const onlyError = "only the error, the share of pairs in the wrong order: 0.5 by chance"

// errorText is the error with its standard error and an interval, and what these are over.
func (c *Candidate) errorText(ci *Range) string {
	text := typeset(estimated(c.Error, c.StdErr, ci))
	if c.Over != "" {
		text += " over " + c.Over
	}
	return text
}

// at names a candidate, with its kernel if there are several.
func (p *path) at(c *Candidate) string {
	if len(p.series) > 1 && !p.sizes {
		return p.series[p.best].name + " and " + candidate(c.Choice)
	}
	return candidate(c.Choice)
}

// figure is the figure of the errors, nil if there is none.
func (p *path) figure() *Figure {
	if p.empty() {
		return nil
	}
	label := "held-out " + p.name()
	if p.banded() {
		label += "; band ± one standard error"
	}
	plot, shown := p.axes(label), p.shown()
	table, digits := p.table()
	several := len(p.series) > 1
	for style, k := range shown {
		s := &p.series[k]
		line := figure.Line{Style: style}
		if several {
			line.Name = strings.TrimPrefix(s.name, p.shared())
		}
		band := figure.Band{Style: style}
		for _, c := range p.usable(s) {
			at, e, d := p.place(c.Choice), float64(c.Error), float64(c.StdErr)
			line.X, line.Y = append(line.X, at), append(line.Y, e)
			says := candidate(c.Choice) + ": " + typeset(c.Error.to(digits))
			if several && !p.sizes {
				says = s.name + ", " + says
			}
			line.Says = append(line.Says, says)
			band.X, band.Lo, band.Hi = append(band.X, at), append(band.Lo, max(0, e-d)), append(band.Hi, min(p.most(),
				e+d))
		}
		plot.Lines = append(plot.Lines, line)
		if k == p.best {
			plot.Bands = append(plot.Bands, band)
		}
	}
	f := &Figure{Title: p.title(), Text: p.text(), Desc: p.about, Table: table, Body: plot}
	if p.outputs {
		f.More = p.choicesTable()
	}
	if c := p.choice(); c != nil {
		mark := figure.Mark{X: p.place(c.Choice), Y: float64(c.Error), Style: 1,
			Name: candidate(c.Choice) + ": " + number(c.Error, c.StdErr), Ring: true}
		if p.ci != nil {
			mark.Lo, mark.Hi = float64(p.ci[0]), float64(p.ci[1])
		}
		if at := p.place(c.Choice); at > 0 && !math.IsInf(at, 0) {
			plot.Marks = []figure.Mark{mark}
		}
	}
	if n := len(p.series) - len(shown); n > 0 {
		f.Left = fmt.Sprintf("The figure leaves out the %s with larger errors; the table has all.",
			spell.Plural(n, "line"))
	}
	return f
}

// banded reports whether there is a band of standard errors of the chosen series.
func (p *path) banded() bool {
	return slices.ContainsFunc(p.bestPoints(), func(c Candidate) bool { return !math.IsNaN(float64(c.StdErr)) })
}

// bestPoints are the points of the best series, nil if there is none.
func (p *path) bestPoints() []Candidate {
	if p.best < 0 || p.best >= len(p.series) {
		return nil
	}
	return p.series[p.best].points
}

// shared is the common prefix of the names of kernels, up to a colon: kernels of one family differ after it.
func (p *path) shared() string {
	family, _, found := strings.Cut(p.series[0].name, ":")
	for _, s := range p.series {
		if !found || !strings.HasPrefix(s.name, family+":") {
			return ""
		}
	}
	return family + ":"
}

// most is the largest possible error.
func (p *path) most() float64 {
	if p.measure != "" {
		return math.Inf(1)
	}
	return 1
}

// axes is a plot over the candidates.
func (p *path) axes(label string) *figure.Plot {
	plot := &figure.Plot{X: figure.Axis{Label: "λ", Powers: true}, Y: figure.Axis{Label: label,
		Within: &[2]float64{0, p.most()}}}
	if label := "rounds"; p.rounds() || p.sizes {
		if p.sizes {
			label = "selected features"
		}
		plot.X = figure.Axis{Label: label, Tick: func(v float64) string { return fmt.Sprintf("%.0f", v) }}
	}
	return plot
}

// rounds reports whether the candidates are rounds.
func (p *path) rounds() bool {
	for _, s := range p.series {
		if len(s.points) > 0 {
			return s.points[0].Rounds > 0
		}
	}
	return false
}

// choice is the chosen point, or nil.
func (p *path) choice() *Candidate {
	if points := p.bestPoints(); p.chosen >= 0 && p.chosen < len(points) {
		return &points[p.chosen]
	}
	return nil
}

// count is the number of all points.
func (p *path) count() (n int) {
	for _, s := range p.series {
		n += len(s.points)
	}
	return n
}

// title is the finding of the figure.
func (p *path) title() string {
	c := p.choice()
	if c == nil {
		title := fmt.Sprintf("The least held-out %s is %s", p.name(), number(Number(p.least())))
		if p.outputs {
			title = fmt.Sprintf("Each of %d outputs has its own λ; the least %s is %s", len(p.series),
				p.name(), number(Number(p.least())))
		}
		return title
	}
	at := p.at(c)
	switch {
	case p.count() == 1:
		return fmt.Sprintf("The held-out %s at %s is %s", p.name(), at, number(c.Error, c.StdErr))
	case p.metric == "" && float64(c.Error) == p.least():
		return fmt.Sprintf("The held-out %s is least at %s: %s", p.name(), at, number(c.Error, c.StdErr))
	}
	by := ""
	if p.metric != "" {
		by = " by " + p.metric
	}
	return fmt.Sprintf("Chosen%s: %s, with a held-out %s of %s", by, at, p.name(), number(c.Error, c.StdErr))
}

// text explains the figure.
func (p *path) text() []string {
	text := []string{p.about}
	if c := p.choice(); c != nil {
		share := ""
		if p.measure == "" {
			share = ", " + percent(float64(c.Error))
		}
		text[0] += fmt.Sprintf(" At the choice it is %s%s, over %s.", c.errorText(nil), share,
			spell.Plural(int(c.Pairs), "pair"))
		if c.Drawn > 0 && c.DrawErr != nil {
			text[0] += fmt.Sprintf(" It uses a random sample of %d pairs, which adds a standard error of %s.", c.Drawn,
				number(*c.DrawErr, *c.DrawErr))
		}
	}
	if p.banded() {
		text = append(text, cmp.Or(p.band, aboutStdErr))
	}
	if p.ci != nil {
		text = append(text, fmt.Sprintf("The vertical line is the 95 %% interval %s, %s. %s", typeset(p.ci.to(decimals(p.ci.width()))), p.of,
			aboutHalves))
	}
	if p.count() > 1 {
		text = append(text, aboutLeast)
	}
	return text
}
