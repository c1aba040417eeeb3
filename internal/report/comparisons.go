package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
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

// Shares reports whether two rankings have a letter in common, in O(letters).
func (p StandingPlace) Shares(q StandingPlace) bool {
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

// Corrected says which tests Holm's correction covers.
func (d *Comparisons) Corrected() string {
	tests := 0
	for _, p := range d.Pairs {
		tests += len(p.Comparisons)
	}
	return fmt.Sprintf("%s, of %s by %s", spell.Plural(tests, "comparison"), spell.Plural(len(d.Pairs), "pair"),
		spell.Plural(len(d.Standings), "metric"))
}

// AboutLetters says which rankings share a letter, "" where none has one.
func (d *Comparisons) AboutLetters() string {
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
	by := "sign flips with Holm's correction over " + d.Corrected()
	if queries == 0 && d.Areas != nil {
		by = "DeLong's test with Holm's correction over " + spell.Plural(len(d.Areas.Differences), "pair")
	}
	return fmt.Sprintf("Rankings that share a letter do not differ significantly at %g %%, by %s.", 100*d.Level, by)
}

// WriteText writes the document for people. It returns the errors of w.
func (d *Comparisons) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "style %s\ninterval %s\n", d.Style, d.Interval)
	writeFolds(w, d.Data)
	for k, r := range d.Rankings {
		fmt.Fprintf(w, "%-2s %s\n", spell.Letter(k), r.name())
	}
	for j, s := range d.Standings {
		fmt.Fprintln(w)
		name := d.Style.Name(s.Metric)
		table := [][]string{{name, "mean", "letters"}}
		for _, p := range s.Rankings {
			table = append(table, []string{p.Ranking, showValue(p.Mean), cmp.Or(p.Letters, "-")})
		}
		if err := writeColumns(w, table); err != nil {
			return err
		}
		fmt.Fprintln(w)
		pairs := [][]string{{name, "difference", "95 % interval", "wins", "ties", "losses", "Wilcoxon", "Holm",
			"sign flips", "Holm"}}
		for _, p := range d.Pairs {
			if j >= len(p.Comparisons) { // in a document that others have written
				continue
			}
			c := &p.Comparisons[j]
			difference, interval := c.texts()
			pairs = append(pairs, []string{p.A + " - " + p.B, difference, interval, strconv.Itoa(c.Wins),
				strconv.Itoa(c.Ties), strconv.Itoa(c.Losses),
				PText(c.PWilcoxon), PText(c.PHolmWilcoxon), PText(c.PPermutation), PText(c.PHolmPermutation)})
		}
		if err := writeColumns(w, pairs); err != nil {
			return err
		}
		if s.Queries != 1 {
			fmt.Fprintf(w, "over %d queries with a value under all rankings, %d left out\n", s.Queries, s.Undefined)
		}
	}
	if about := d.AboutLetters(); about != "" {
		if _, err := fmt.Fprintf(w, "\n%s\n", about); err != nil {
			return err
		}
	}
	return d.Areas.write(w)
}

// writeFolds writes the files of folds whose queries are pooled, if there are several.
func writeFolds(w io.Writer, data []string) {
	if len(data) > 1 {
		fmt.Fprintf(w, "data %s, their queries pooled\n", strings.Join(data, ", "))
	}
}

// texts are the difference and its interval.
func (c *Compared) texts() (difference, interval string) {
	difference, interval = "-", "-"
	if c.Difference.Defined {
		difference = fmt.Sprintf("%+.6f", c.Difference.Value)
	}
	if c.CI95 != nil {
		interval = fmt.Sprintf("%+.6f to %+.6f", c.CI95[0].Value, c.CI95[1].Value)
	}
	return difference, interval
}
