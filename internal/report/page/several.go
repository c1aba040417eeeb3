package page

import (
	"fmt"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// mostPairs is the number of pairs of rankings that have a line in a figure.
const mostPairs = 45

// ofComparisons is the section about three rankings or more.
func ofComparisons(d *report.Comparisons) *section {
	s := &section{title: fmt.Sprintf("Comparison of %d rankings", len(d.Rankings))}
	if !s.findAreas(d.Areas) {
		s.findStanding(d)
	}
	for k, r := range d.Rankings {
		s.fact(spell.Letter(k), "%s", rankingName(r))
	}
	s.folds(d.Data)
	s.fact("style", "%s", d.Style)
	s.notes = append(s.notes, d.Warnings...)
	for j, standing := range d.Standings {
		if j < mostMetrics {
			s.add(DifferenceFigure, pairDifferences(d, j, &standing))
		}
	}
	s.areas(d.Areas)
	if n := len(d.Standings) - mostMetrics; n > 0 {
		s.notes = append(s.notes, fmt.Sprintf("Not shown: %s, which compare --json prints.", spell.Plural(n,
			"further metric")))
	}
	return s
}

// folds adds the fact of folds whose queries are pooled, if there are several.
func (s *section) folds(data []string) {
	if len(data) > 1 {
		s.fact("data", "%s, their queries pooled", strings.Join(data, ", "))
	}
}

// findStanding adds three findings about the first metric: the best ranking, those that do not differ from it
// significantly, and the test.
func (s *section) findStanding(d *report.Comparisons) {
	if len(d.Standings) == 0 || len(d.Standings[0].Rankings) == 0 {
		return
	}
	standing := &d.Standings[0]
	best, alike := standing.Rankings[0], []string(nil)
	for _, r := range standing.Rankings[1:] {
		if r.Shares(best) {
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
	s.find("choice", "%s%s", best.Ranking, text)
	if standing.Queries == 1 {
		s.find(name, "%s of a single list", value(best.Mean))
		s.find("test", "none: no test over queries says anything of one list")
		return
	}
	s.find(name, "%s over %s", value(best.Mean), spell.Plural(standing.Queries, "query"))
	s.find("test", "sign flips at %g %%, with Holm's correction over %s", 100*d.Level, d.Corrected())
}

// pairDifferences is the figure of the differences of every two rankings by metric j.
func pairDifferences(d *report.Comparisons, j int, standing *report.Standing) *item {
	name := d.Style.Name(standing.Metric)
	rows := &figure.Rows{Label: "difference of " + name + ", with its 95 % interval", Rules: []float64{0}, Axis: true}
	means := table{caption: name + " of each ranking, and the letters", head: []string{"ranking", "mean", "letters"}}
	for _, r := range standing.Rankings {
		means.rows = append(means.rows, []string{r.Ranking, value(r.Mean), r.Letters})
	}
	i := &item{table: means, text: []string{strings.TrimSpace(fmt.Sprintf("%s %s count: those with a value under all "+
		"rankings.", d.AboutLetters(), spell.Plural(standing.Queries, "query"))),
		aboutCompare, "The intervals are not corrected for the number of pairs."}}
	if standing.Queries == 1 {
		i.text = []string{strings.TrimSpace(d.AboutLetters() + " The rows are of a single list.")}
	}
	pairs := &table{caption: "The differences of " + name, head: []string{"pair", "difference", "from", "to", "wins",
		"ties", "losses", "Wilcoxon", "Holm", "sign flips", "Holm"}}
	apart, left := 0, 0
	for _, p := range d.Pairs {
		if j >= len(p.Comparisons) {
			continue
		}
		c := &p.Comparisons[j]
		row, line := difference(p.A+" − "+p.B, c)
		if float64(c.PHolmPermutation) <= d.Level {
			apart++
		}
		if len(rows.Rows) == mostPairs {
			left++
			continue
		}
		rows.Rows = append(rows.Rows, row)
		line = append(line, fmt.Sprint(c.Wins), fmt.Sprint(c.Ties), fmt.Sprint(c.Losses))
		pairs.rows = append(pairs.rows, append(line, report.PText(c.PWilcoxon), report.PText(c.PHolmWilcoxon),
			report.PText(c.PPermutation), report.PText(c.PHolmPermutation)))
	}
	if len(rows.Rows) == 0 {
		return nil
	}
	i.Title = fmt.Sprintf("%s: %d of %s differ significantly", name, apart, spell.Plural(len(rows.Rows)+left, "pair"))
	i.tests, i.Body = pairs, rows
	i.Desc = "Points with intervals, a line for each pair, and a vertical line at 0. " + pairs.caption + "."
	if left > 0 {
		i.left = fmt.Sprintf("Not shown: %s; compare --json prints all.", spell.Plural(left, "further pair"))
	}
	return i
}
