package main

import (
	"strings"

	"pairrank/evidence/papers/experiment"
)

// chosenTable says what the validation parts chose.
func chosenTable(found *experiment.Result, s settings, chosen [numColumns]string) {
	t := experiment.NewTable("learner", "%s", "chosen in folds 1 … 5: log₂ λ, or rounds", "%s")
	for k, l := range learners2007(s) {
		t.Row(l.Name, chosen[k][1:])
	}
	found.Add(t)
}

// titles2007 are the tables, by what they measure.
var titles2007 = map[string]string{"map": "Table 1", "ndcg": "Table 2", "p": "Table 3"}

// tableOf2007 is one of the three tables: the paper's number, and ours with labels
// from 1 on relevant, and with 2 alone.
func tableOf2007(
	found *experiment.Result, name string, byLabel [3][numColumns][]measured, published map[string]map[string]*baseline,
) {
	found.Text("**%s of 2007, OHSUMED.** *paper* is the number in the paper's table, *published* that of the "+
		"collection for its own baselines. The columns ≥ 1 and = 2 are computed here, with labels from 1 on relevant, "+
		"and with 2 alone. ± is the standard "+
		"error over queries.", titles2007[name])
	heads := []string{"", "%s"}
	for _, l := range []string{"RankRLS", "RLS", "RankSVM", "RankBoost"} {
		heads = append(heads, l+": paper", "%.3f", "≥ 1", "%.3f", "±", "%.3f")
		if name != "ndcg" {
			heads = append(heads, "= 2", "%.3f")
		}
	}
	heads = append(heads, "published: RankSVM", "%.3f", "RankBoost", "%.3f")
	t := experiment.NewTable(heads...)
	for k, m := range measures() {
		measure := m.String()
		if head, _, _ := strings.Cut(measure, "@"); head != name {
			continue
		}
		row := []any{measure}
		for column, paper := range paper2007[measure] {
			ours := byLabel[1][column][k]
			row = append(row, paper, ours.mean, ours.stderr)
			if name != "ndcg" {
				row = append(row, byLabel[2][column][k].mean)
			}
		}
		t.Row(append(row, published["RankSVM"][measure].average, published["RankBoost"][measure].average)...)
	}
	found.Add(t)
}
