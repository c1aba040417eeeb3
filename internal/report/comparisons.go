package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Comparisons is the document of the pairwise comparisons of three rankings or more.
type Comparisons struct {
	Kind      Kind         `json:"kind"`
	Style     metric.Style `json:"style"`
	Data      []string     `json:"data,omitempty"` // the folds, if there are several
	Rankings  []Ranking    `json:"rankings"`       // A, B, C and so on
	Resamples int          `json:"resamples"`
	Seed      uint64       `json:"seed"`
	Zeros     string       `json:"zeros"`
	Interval  string       `json:"interval"` // the kind of ci95, of each pair alone
	Level     float64      `json:"level"`    // of the letters
	Standings []Standing   `json:"standings"`
	Pairs     []Pair       `json:"pairs"`
	Warnings  []string     `json:"warnings,omitempty"`
	Columns   *Columns     `json:"columns,omitempty"` // of a table
	Areas     *Areas       `json:"delong,omitempty"`
	Gates     Gates        `json:"gates,omitempty"` // by the metric
	Times     *Times       `json:"times,omitempty"`
	Told
}

// Standing has one metric of every ranking, over the queries with a value under all of them.
type Standing struct {
	Metric    metric.Metric   `json:"metric"`
	Queries   int             `json:"queries"`
	Undefined int             `json:"undefined"`
	Rankings  []StandingPlace `json:"rankings"` // the best first
}

// StandingPlace is one ranking by a metric. The difference of two rankings that share a letter is not
// significant.
type StandingPlace struct {
	Ranking string       `json:"ranking"`
	Mean    metric.Value `json:"mean"`
	Letters string       `json:"letters"`
}

// shares reports whether two rankings have a letter in common, in O(letters).
func (p StandingPlace) shares(q StandingPlace) bool {
	split := func(letters string) []string {
		if strings.Contains(letters, " ") {
			return strings.Fields(letters)
		}
		return strings.Split(letters, "")
	}
	return slices.ContainsFunc(split(p.Letters), func(l string) bool { return slices.Contains(split(q.Letters), l) })
}

// Pair is the comparison of two rankings, which are given by their letters. Its corrected p-values are Holm's
// over all pairs and metrics.
type Pair struct {
	A           string     `json:"a"`
	B           string     `json:"b"`
	Comparisons []Compared `json:"comparisons"`
}

// NewComparisons is the document of rankings compared pairwise with options o; areas may be nil. The letters of a
// single list are those of areas.
func NewComparisons(c *compare.Comparisons, style metric.Style, rankings []Ranking, areas *Areas,
	o compare.Options) *Comparisons {
	c.GroupLists(areas.tests())
	d := &Comparisons{Areas: areas, Kind: KindComparisons, Style: style, Rankings: rankings, Resamples: o.Resamples,
		Seed:  o.Seed,
		Zeros: o.Zeros.String(), Interval: compare.IntervalKind, Level: compare.Level, Warnings: c.Warnings}
	for _, s := range c.Standings {
		out := Standing{Metric: s.Metric, Queries: s.Queries, Undefined: s.Undefined}
		for k, mean := range s.Means {
			out.Rankings = append(out.Rankings, StandingPlace{spell.Letter(k), mean, groupLetters(s.Groups[k])})
		}
		slices.SortStableFunc(out.Rankings, func(a, b StandingPlace) int { return byMean(a.Mean, b.Mean, s.Metric) })
		d.Standings = append(d.Standings, out)
	}
	for _, p := range c.Pairs {
		pair := Pair{A: spell.Letter(p.A), B: spell.Letter(p.B)}
		for _, res := range p.Results {
			pair.Comparisons = append(pair.Comparisons, newCompared(&res))
		}
		d.Pairs = append(d.Pairs, pair)
	}
	return d
}

// byMean orders means, the better first.
func byMean(a, b metric.Value, m metric.Metric) int {
	switch {
	case a.Value == b.Value:
		return 0
	case a.Value > b.Value != m.Loss():
		return -1
	}
	return 1
}

// groupLetters returns the letters of groups: a, b and so on. From the 27th on each has several letters, and
// blanks separate all.
func groupLetters(groups []int) string {
	between := ""
	if len(groups) > 0 && slices.Max(groups) >= 26 {
		between = " "
	}
	texts := make([]string, len(groups))
	for k, g := range groups {
		texts[k] = strings.ToLower(spell.Letter(g))
	}
	return strings.Join(texts, between)
}

// corrected says which tests Holm's correction covers.
func (d *Comparisons) corrected() string {
	tests := 0
	for _, p := range d.Pairs {
		tests += len(p.Comparisons)
	}
	return fmt.Sprintf("%s, of %s by %s", spell.Plural(tests, "comparison"), spell.Plural(len(d.Pairs), "pair"),
		spell.Plural(len(d.Standings), "metric"))
}

// aboutLetters says which rankings share a letter, "" where none has one.
func (d *Comparisons) aboutLetters() string {
	lists, queries := 0, 0
	for _, s := range d.Standings {
		switch {
		case s.Queries > 1:
			queries++
		case len(s.Rankings) > 0 && s.Rankings[0].Letters != "":
			lists++
		}
	}
	if lists+queries == 0 {
		return ""
	}
	by := "sign flips with Holm's correction over " + d.corrected()
	if queries == 0 && d.Areas != nil {
		by = "DeLong's test with Holm's correction over " + spell.Plural(len(d.Areas.Differences), "pair")
	}
	return fmt.Sprintf("Rankings that share a letter do not differ significantly at %g %%, by %s.", 100*d.Level, by)
}

// mostPairs is the number of pairs of rankings that have a line in a figure.
const mostPairs = 45

// View is the standing of the rankings by each metric, and the differences of every two.
func (d *Comparisons) View() *View {
	v := &View{Title: fmt.Sprintf("Comparison of %d rankings", len(d.Rankings)), Notes: slices.Clone(d.Warnings)}
	if !d.Areas.find(v) && !d.Times.find(v) {
		d.find(v)
	}
	tellRankings(v, d.Style, d.Interval, d.Data, d.Rankings)
	d.tests(v, DifferenceFigure)
	if n := len(d.Standings) - mostMetrics; n > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Not shown: %s, which compare --json prints.", spell.Plural(n,
			"further metric")))
	}
	return v
}

// tests adds the standing by each metric and the differences, with a figure of this name, and what is below them.
func (d *Comparisons) tests(v *View, figure string) {
	alone := v.Keys == 0 // else below facts with keys
	gap := func() {
		if alone {
			v.line("")
		}
	}
	if slices.ContainsFunc(d.Rankings, func(r Ranking) bool { return r.Beside != "" }) {
		v.state("", "Half and half is the mean of two scores, each standardised within the query: mean 0, deviation 1; "+
			"where all tie, 0.")
	}
	for j := range d.Standings {
		s := &d.Standings[j]
		means := d.means(s)
		pairs, title := d.pairs(j, s)
		means.Bare, pairs.Bare = alone, alone
		gap()
		v.tell(means)
		gap()
		v.tell(pairs)
		if s.Queries != 1 {
			v.line("over %d queries with a value under all rankings, %d left out", s.Queries, s.Undefined)
		}
		if j < mostMetrics && pairs.Len > 0 {
			v.draw(figure, d.figure(s, title, means, pairs))
		}
	}
	if about := d.aboutLetters(); about != "" {
		gap()
		v.line("%s", about)
	}
	d.Areas.tell(v)
	d.Gates.tell(v)
	d.Times.tell(v)
}

// tell adds the comparison with another tool to the view of an evaluation or, by the method of holding out, of an
// estimate; nothing of nil.
func (d *Comparisons) tell(v *View, heldOut string) {
	if d == nil || len(d.Rankings) < 3 || len(d.Standings) == 0 {
		return
	}
	ours := len(d.Rankings) / 2
	if v.Keys > 0 {
		for k, r := range d.Rankings {
			v.state(map[bool]string{true: "beside"}[k == 0], "%s  %s", spell.Letter(k), r.name())
		}
	} else {
		v.line("")
	}
	if heldOut != "" {
		unit, pooled, s := "queries", "", d.Standings[0]
		switch {
		case s.Queries+s.Undefined < 2:
			unit = "rows"
		case s.Metric == metric.Disagreement:
			pooled = " Means are over queries; the error above pools their pairs."
		}
		v.state("",
			"A has scores of %s that %s left out of training; the models behind %s must not have seen these %s, either.%s",
			unit, method(heldOut), spell.Letter(ours), unit, pooled)
	}
	d.tests(v, "")
}

// means has the rankings by one metric, the best first.
func (d *Comparisons) means(s *Standing) *Table {
	name := d.Style.Name(s.Metric)
	t := &Table{Caption: name + " of each ranking, and the letters", Len: len(s.Rankings), Bare: true}
	t.add(name, 0, func(l int) string { return s.Rankings[l].Ranking }).Page = "ranking"
	digits := fewDecimals
	for l := range t.Len - 1 {
		digits = apart(digits, valueNumber(s.Rankings[l].Mean), valueNumber(s.Rankings[l+1].Mean))
	}
	t.add("mean", 0, func(l int) string { return valueNumber(s.Rankings[l].Mean).to(digits) })
	t.add("letters", 0, func(l int) string { return cmp.Or(s.Rankings[l].Letters, "-") })
	return t
}

// pairs has the differences by metric j, and says how many are significant.
func (d *Comparisons) pairs(j int, s *Standing) (t *Table, title string) {
	has := slices.DeleteFunc(slices.Clone(d.Pairs), func(p Pair) bool { // in a document that others have written
		return j >= len(p.Comparisons)
	})
	name, of := d.Style.Name(s.Metric), func(l int) *Compared { return &has[l].Comparisons[j] }
	t = &Table{Caption: "The differences of " + name, Len: len(has), Bare: true, Most: mostPairs}
	c := t.add(name, 0, func(l int) string { return has[l].A + " - " + has[l].B })
	c.Page, c.OnPage = "pair", func(l int) string { return has[l].A + " − " + has[l].B }
	compared(t, "difference", of)
	addTests(t, true, of)
	apart := 0
	for l := range has {
		if float64(of(l).PHolmPermutation) <= d.Level {
			apart++
		}
	}
	return t, fmt.Sprintf("%s: %d of %s differ significantly", name, apart, spell.Plural(t.Len, "pair"))
}

// figure is the figure of the differences by one metric.
func (d *Comparisons) figure(s *Standing, title string, means, pairs *Table) *Figure {
	f := &Figure{Title: title, Table: pairs, More: means,
		Desc: "Points with intervals, a line for each pair, and a vertical line at 0.",
		Rows: &Rows{Label: "difference of " + d.Style.Name(s.Metric) + ", with its 95 % interval", Rules: []float64{0}},
		Text: []string{strings.TrimSpace(fmt.Sprintf("%s %s count: those with a value under all rankings.",
			d.aboutLetters(), spell.Plural(s.Queries, "query"))),
			aboutCompare, "The intervals are not corrected for the number of pairs."}}
	if s.Queries == 1 {
		f.Text = []string{strings.TrimSpace(d.aboutLetters() + " The rows are of a single list.")}
	}
	if left := pairs.Len - mostPairs; left > 0 {
		f.Left = fmt.Sprintf("Not shown: %s; compare --json prints all.", spell.Plural(left, "further pair"))
	}
	return f
}

// find adds three findings about the first metric: the best ranking, those that do not differ from it
// significantly, and the test.
func (d *Comparisons) find(v *View) {
	if len(d.Standings) == 0 || len(d.Standings[0].Rankings) == 0 {
		return
	}
	standing := &d.Standings[0]
	best, alike := standing.Rankings[0], []string(nil)
	for _, r := range standing.Rankings[1:] {
		if r.shares(best) {
			alike = append(alike, r.Ranking)
		}
	}
	name := d.Style.Name(standing.Metric)
	text := ", significantly better than every other one"
	switch {
	case standing.Queries == 1:
		text = " has the best " + name
	case len(alike) > 0:
		text = ", not significantly better than " + spell.List(alike)
	}
	v.fact(Headline, "choice", "%s%s", best.Ranking, text)
	if standing.Queries == 1 {
		v.fact(Headline, name, "%s of a single list", value(best.Mean))
		v.fact(Headline, "test", "none: no test over queries says anything of one list")
		return
	}
	v.fact(Headline, name, "%s over %s", value(best.Mean), spell.Plural(standing.Queries, "query"))
	v.fact(Headline, "test", "sign flips at %g %%, with Holm's correction over %s", 100*d.Level, d.corrected())
}
