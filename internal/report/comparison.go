package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"pairrank/eval/compare"
	"pairrank/eval/metric"
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

// WriteText writes the document for people.
func (d *Comparison) WriteText(w io.Writer) error {
	style := d.Style
	fmt.Fprintf(w, "style %s\ninterval %s\n", style, d.Interval)
	writeFolds(w, d.Data)
	fmt.Fprintf(w, "A  %s\nB  %s\n\n", d.Rankings[0].name(), d.Rankings[1].name())
	values := [][]string{{"metric", "A", "B", "A - B", "95 % interval", "wins", "ties", "losses", "undefined"}}
	tests := [][]string{{"p-value", "Wilcoxon", "sign flips"}}
	several := len(d.Comparisons) > 1
	if several {
		tests[0] = []string{"p-value", "Wilcoxon", "Holm", "sign flips", "Holm"}
	}
	for _, c := range d.Comparisons {
		name := style.Name(c.Metric)
		difference, interval := c.texts()
		values = append(values, []string{name, showValue(c.A), showValue(c.B), difference, interval,
			strconv.Itoa(c.Wins), strconv.Itoa(c.Ties), strconv.Itoa(c.Losses), strconv.Itoa(c.Undefined)})
		line := []string{name, PText(c.PWilcoxon), PText(c.PPermutation)}
		if several {
			line = []string{name, PText(c.PWilcoxon), PText(c.PHolmWilcoxon), PText(c.PPermutation),
				PText(c.PHolmPermutation)}
		}
		tests = append(tests, line)
	}
	if err := writeColumns(w, values); err != nil {
		return err
	}
	if slices.ContainsFunc(d.Comparisons, func(c Compared) bool { return c.Queries > 1 }) {
		fmt.Fprintln(w)
		if err := writeColumns(w, tests); err != nil {
			return err
		}
	}
	return d.Areas.write(w)
}

// PText is a p-value with four decimals, or two digits when it is small, - for NaN, in O(1).
func PText[P float64 | Number](p P) string {
	switch v := float64(p); {
	case math.IsNaN(v):
		return "-"
	case v > 0 && v < 0.001:
		return fmt.Sprintf("%.1e", v)
	default:
		return fmt.Sprintf("%.4f", v)
	}
}
