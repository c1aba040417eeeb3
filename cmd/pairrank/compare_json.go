package main

import (
	"pairrank/eval/compare"
	"pairrank/eval/metric"
)

// comparisonDocument is what compare --json prints.
type comparisonDocument struct {
	Style       metric.Style    `json:"style"`
	Rankings    [2]rankingEntry `json:"rankings"` // A and B
	Resamples   int             `json:"resamples"`
	Seed        uint64          `json:"seed"`
	Zeros       string          `json:"zeros"`
	Interval    string          `json:"interval"` // the kind of ci95
	Comparisons []comparison    `json:"comparisons"`
	Warnings    []string        `json:"warnings,omitempty"`
}

type rankingEntry struct {
	Kind string `json:"kind"` // scores or model
	File string `json:"file"`
}

// comparison is one metric.
type comparison struct {
	Metric           metric.Metric    `json:"metric"`
	A                metric.Value     `json:"a"`
	B                metric.Value     `json:"b"`
	Difference       metric.Value     `json:"difference"`
	CI95             *[2]metric.Value `json:"ci95"` // null for fewer than two queries
	Wins             int              `json:"wins"`
	Ties             int              `json:"ties"`
	Losses           int              `json:"losses"`
	Queries          int              `json:"queries"`
	Undefined        int              `json:"undefined"`
	RankSums         [2]float64       `json:"rank_sums"` // of A − B > 0 and < 0
	PWilcoxon        float64          `json:"p_wilcoxon"`
	PHolmWilcoxon    float64          `json:"p_holm_wilcoxon"`
	ExactWilcoxon    bool             `json:"exact_wilcoxon"`
	PPermutation     float64          `json:"p_permutation"`
	PHolmPermutation float64          `json:"p_holm_permutation"`
	ExactPermutation bool             `json:"exact_permutation"`
}

func comparisonJSON(r *compare.Report, style metric.Style, f *compareFlags) comparisonDocument {
	d := comparisonDocument{Style: style, Resamples: f.resamples, Seed: f.seed, Zeros: f.zeros, Interval: compare.IntervalKind, Comparisons: []comparison{}, Warnings: r.Warnings}
	for k, from := range f.rankings {
		d.Rankings[k] = rankingEntry{from.kind, from.path}
	}
	for _, res := range r.Results {
		c := comparison{
			Metric: res.Metric, A: res.A, B: res.B, Difference: res.Difference,
			Wins: res.Wins, Ties: res.Ties, Losses: res.Losses, Queries: res.Queries, Undefined: res.Undefined,
			RankSums:  [2]float64{res.Wilcoxon.Plus, res.Wilcoxon.Minus},
			PWilcoxon: res.Wilcoxon.P, PHolmWilcoxon: res.WilcoxonHolm, ExactWilcoxon: res.Wilcoxon.Exact,
			PPermutation: res.Flips.P, PHolmPermutation: res.FlipsHolm, ExactPermutation: res.Flips.Exact,
		}
		if res.Lo.Defined {
			c.CI95 = &[2]metric.Value{res.Lo, res.Hi}
		}
		d.Comparisons = append(d.Comparisons, c)
	}
	return d
}
