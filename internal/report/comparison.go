package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Comparison is the document of the comparison of two rankings.
type Comparison struct {
	Kind        Kind         `json:"kind"`
	Style       metric.Style `json:"style"`
	Data        []string     `json:"data,omitempty"` // the folds, if there are several
	Rankings    [2]Ranking   `json:"rankings"`       // A and B
	Resamples   int          `json:"resamples"`
	Seed        uint64       `json:"seed"`
	Zeros       string       `json:"zeros"`
	Interval    string       `json:"interval"` // the kind of ci95
	Comparisons []Compared   `json:"comparisons"`
	// PerQuery are the values of every query, in the order of Comparisons; see AddQueries.
	PerQuery []ComparedQuery `json:"per_query,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Columns  *Columns        `json:"columns,omitempty"` // of a table
	Areas    *Areas          `json:"delong,omitempty"`
	Gates    Gates           `json:"gates,omitempty"` // by the metric
	Times    *Times          `json:"times,omitempty"`
	Told
}

// Compared is one metric of two rankings.
type Compared struct {
	Metric     metric.Metric    `json:"metric"`
	A          metric.Value     `json:"a"`
	B          metric.Value     `json:"b"`
	Difference metric.Value     `json:"difference"`
	CI95       *[2]metric.Value `json:"ci95"` // null for fewer than two queries
	Wins       int              `json:"wins"`
	Ties       int              `json:"ties"`
	Losses     int              `json:"losses"`
	Queries    int              `json:"queries"`
	Undefined  int              `json:"undefined"`
	RankSums   [2]float64       `json:"rank_sums"` // of A − B > 0 and < 0
	// The p-values over queries; null for fewer than two.
	PWilcoxon        Number `json:"p_wilcoxon"`
	PHolmWilcoxon    Number `json:"p_holm_wilcoxon"`
	ExactWilcoxon    bool   `json:"exact_wilcoxon"`
	PPermutation     Number `json:"p_permutation"`
	PHolmPermutation Number `json:"p_holm_permutation"`
	ExactPermutation bool   `json:"exact_permutation"`
}

// ComparedQuery has the metrics of one query under both rankings.
type ComparedQuery struct {
	Query string         `json:"query"`
	A     []metric.Value `json:"a"`
	B     []metric.Value `json:"b"`
}

// AddQueries adds the values of every query of the compared reports A and B, in O(q) for each metric. It panics
// if they are not of the same queries.
func (d *Comparison) AddQueries(a, b *metric.Report) {
	if len(a.PerQuery) != len(b.PerQuery) {
		panic("report: the rankings are not of the same queries")
	}
	d.PerQuery = make([]ComparedQuery, len(a.PerQuery))
	for g, q := range a.PerQuery {
		d.PerQuery[g] = ComparedQuery{q.ID, q.Values, b.PerQuery[g].Values}
	}
}

// NewComparison is the document of the comparison of rankings A and B with options o.
func NewComparison(r *compare.Report, style metric.Style, rankings [2]Ranking, o compare.Options) *Comparison {
	d := &Comparison{Kind: KindComparison, Style: style, Rankings: rankings, Resamples: o.Resamples, Seed: o.Seed,
		Zeros: o.Zeros.String(), Interval: compare.IntervalKind, Comparisons: []Compared{}, Warnings: r.Warnings}
	for _, res := range r.Results {
		d.Comparisons = append(d.Comparisons, newCompared(&res))
	}
	return d
}

func newCompared(res *compare.Result) Compared {
	c := Compared{
		Metric: res.Metric, A: res.A, B: res.B, Difference: res.Difference,
		Wins: res.Wins, Ties: res.Ties, Losses: res.Losses, Queries: res.Queries, Undefined: res.Undefined,
		RankSums:  [2]float64{res.Wilcoxon.Plus, res.Wilcoxon.Minus},
		PWilcoxon: Number(res.Wilcoxon.P), PHolmWilcoxon: Number(res.WilcoxonHolm), ExactWilcoxon: res.Wilcoxon.Exact,
		PPermutation: Number(res.Flips.P), PHolmPermutation: Number(res.FlipsHolm), ExactPermutation: res.Flips.Exact,
	}
	if res.Queries < 2 {
		none := Number(math.NaN())
		c.PWilcoxon, c.PHolmWilcoxon, c.PPermutation, c.PHolmPermutation = none, none, none, none
	}
	if res.Lo.Defined {
		c.CI95 = &[2]metric.Value{res.Lo, res.Hi}
	}
	return c
}

// View is the means of both rankings, their difference and its tests.
func (d *Comparison) View() *View {
	v := &View{Title: "Comparison of two rankings", Notes: slices.Clone(d.Warnings)}
	if !d.Areas.find(v) && !d.Times.find(v) {
		d.find(v)
	}
	tellRankings(v, d.Style, d.Interval, d.Data, d.Rankings[:])
	v.columns(d.Columns)
	values, tests := d.values(), d.tests()
	v.line("")
	v.tell(values)
	if slices.ContainsFunc(d.Comparisons, func(c Compared) bool { return c.Queries > 1 }) {
		v.line("")
		v.tell(tests)
	}
	if len(d.Comparisons) > 0 {
		f := &Figure{Title: d.title(), Table: values, More: tests, Text: []string{aboutCompare},
			Desc: "Points with intervals, a line for each metric, and a vertical line at 0.",
			Rows: &Rows{Label: "A − B, with its 95 % interval", Rules: []float64{0}, Column: 3}}
		if len(d.Comparisons) > 1 {
			f.Text = append(f.Text, "Holm's correction over the metrics controls the family-wise error rate at 5 %.")
		}
		v.draw(DifferenceFigure, f)
	}
	d.Areas.tell(v)
	d.Gates.tell(v)
	d.Times.tell(v)
	v.Later = func() {
		for j, c := range d.Comparisons[:min(len(d.Comparisons), mostMetrics)] {
			v.draw(QueriesFigure, d.queryDifferences(j, c.Metric))
		}
	}
	return v
}

// tellRankings adds the style, and which rankings are compared on which data.
func tellRankings(v *View, style metric.Style, interval string, data []string, rankings []Ranking) {
	v.state("style", "%s", style)
	v.fact(Detail, "interval", "%s", interval)
	if len(data) > 1 {
		v.state("data", "%s, their queries pooled", strings.Join(data, ", "))
	}
	for k, r := range rankings {
		rank, key := Stated, fmt.Sprintf("%-2s", spell.Letter(k))
		if len(rankings) == 2 && k == 1 {
			rank = Detail
			v.fact(Aside, "B, the baseline", "%s", r.name())
		}
		v.fact(rank, key, "%s", r.name())
	}
}

// values has the means and the difference by each metric.
func (d *Comparison) values() *Table {
	t := &Table{Caption: "The means of A and B", Len: len(d.Comparisons), Bare: true}
	of := func(l int) *Compared { return &d.Comparisons[l] }
	t.add("metric", 0, func(l int) string { return d.Style.Name(of(l).Metric) })
	t.add("A", 0, func(l int) string { return valueNumber(of(l).A).to(of(l).digits()) })
	t.add("B", 0, func(l int) string { return valueNumber(of(l).B).to(of(l).digits()) })
	compared(t, "A - B", of)
	t.add("undefined", 0, func(l int) string { return strconv.Itoa(of(l).Undefined) })
	return t
}

// compared adds the difference with its interval, and the wins, the ties and the losses, and draws the rows.
func compared(t *Table, head string, of func(l int) *Compared) {
	c := t.add(head, 0, func(l int) string { return of(l).difference() })
	c.Page, c.OnPage = strings.ReplaceAll(head, "-", "−"), func(l int) string { return typeset(of(l).difference()) }
	t.add("95 % interval", 0, func(l int) string { return of(l).interval() })
	t.add("wins", 0, func(l int) string { return strconv.Itoa(of(l).Wins) })
	t.add("ties", 0, func(l int) string { return strconv.Itoa(of(l).Ties) })
	t.add("losses", 0, func(l int) string { return strconv.Itoa(of(l).Losses) })
	t.Point = func(l int) Spot { return of(l).point() }
}

// tests has the p-values, with Holm's correction where there are several metrics.
func (d *Comparison) tests() *Table {
	t := &Table{Caption: "The p-values", Len: len(d.Comparisons), Bare: true}
	t.add("p-value", 0, func(l int) string { return d.Style.Name(d.Comparisons[l].Metric) }).Page = "metric"
	addTests(t, len(d.Comparisons) > 1, func(l int) *Compared { return &d.Comparisons[l] })
	return t
}

// addTests adds the p-values.
func addTests(t *Table, several bool, of func(l int) *Compared) {
	t.add("Wilcoxon", 0, func(l int) string { return pText(of(l).PWilcoxon) })
	if several {
		t.add("Holm", 0, func(l int) string { return pText(of(l).PHolmWilcoxon) })
	}
	t.add("sign flips", 0, func(l int) string { return pText(of(l).PPermutation) })
	if several {
		t.add("Holm", 0, func(l int) string { return pText(of(l).PHolmPermutation) })
	}
}

// difference is the difference as text, and interval its interval.
func (c *Compared) difference() string {
	if !c.Difference.Defined {
		return "-"
	}
	return valueNumber(c.Difference).signed(c.digits())
}

// digits are those that the interval of the difference leaves, and more where A and B differ.
func (c *Compared) digits() int {
	return apart(decimals(c.ci().width()), valueNumber(c.A), valueNumber(c.B))
}

// ci is the interval of the difference, nil where there is none.
func (c *Compared) ci() *Range {
	if c.CI95 == nil {
		return nil
	}
	return &Range{valueNumber(c.CI95[0]), valueNumber(c.CI95[1])}
}

func (c *Compared) interval() string {
	return c.ci().signed(c.digits())
}

// point is where the difference is drawn.
func (c *Compared) point() Spot {
	p := Spot{Value: math.NaN()}
	if c.Difference.Defined {
		p.Value = c.Difference.Value
	}
	if c.CI95 != nil && c.CI95[0].Defined && c.CI95[1].Defined {
		p.Lo, p.Hi = c.CI95[0].Value, c.CI95[1].Value
	}
	return p
}

// title says how many differences are significant.
func (d *Comparison) title() string {
	clear := 0
	for _, c := range d.Comparisons {
		if p := c.point(); p.Lo > 0 || p.Hi < 0 {
			clear++
		}
	}
	n, c := len(d.Comparisons), &d.Comparisons[0]
	switch one := fmt.Sprintf("A − B is %s of %s", typeset(c.difference()), d.Style.Name(c.Metric)); {
	case n == 1 && c.CI95 != nil:
		return one + ", " + typeset(c.interval())
	case n == 1:
		return one
	case clear == 0:
		return fmt.Sprintf("No difference of %d metrics is significant at 95 %%", n)
	}
	return fmt.Sprintf("%d of %d differences are significant at 95 %%", clear, n)
}

// find adds three findings about the first metric: which ranking is better, by how much, and the
// p-value.
func (d *Comparison) find(v *View) {
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
		v.fact(Headline, "choice", "not tested: %s is of a single list", name)
	case which == 0 || float64(p) > significant:
		v.fact(Headline, "choice", "neither: no significant difference at 5 %% in %s over %s", name, queries)
	case which > 0:
		v.fact(Headline, "choice", "A, %s, is better in %s over %s", d.Rankings[0].name(), name, queries)
	default:
		v.fact(Headline, "choice", "B, %s, is better in %s over %s", d.Rankings[1].name(), name, queries)
	}
	v.fact(Headline, "A − B of "+name, "%s", typeset(difference(valueNumber(c.Difference), c.ci())))
	if c.Queries == 1 {
		v.fact(Headline, "test", "none: no test over queries says anything of one list")
		return
	}
	v.fact(Headline, "test", "p = %s by sign flips%s", pText(p), of)
}
