package main

import (
	"fmt"
	"strings"

	"pairrank"

	"pairrank/experiments/internal/experiment"
)

// options are those of one learner.
func options(o ...pairrank.Options) []pairrank.Options { return o }

// chosenTable says what the validation parts chose.
func chosenTable(found *experiment.Result, s settings, chosen [numColumns]string) {
	t := experiment.NewTable("learner", "%s", "chosen in folds 1 … 5: log₂ λ, or rounds", "%s")
	for k, l := range learners2007(s) {
		t.Row(l.name, chosen[k])
	}
	found.Add(t)
}

// tableOf2007 is one of the three tables: the paper's number, and ours with labels
// from 1 on relevant, and with 2 alone.
func tableOf2007(found *experiment.Result, name string, byLabel [3][numColumns][]measured, published map[string]map[string]float64) {
	titles := map[string]string{"map": "Table 1", "ndcg": "Table 2", "p": "Table 3"}
	found.Text("**%s of 2007, OHSUMED.** *paper* is what the table says, *published* what the collection says of its own baselines; ≥ 1 and = 2 are here, with "+
		"labels from 1 on relevant, and with 2 alone. ± is the standard error over queries.", titles[name])
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
			find2007(found, titles[name], measure, column, paper, ours)
		}
		t.Row(append(row, published["RankSVM"][measure], published["RankBoost"][measure])...)
	}
	found.Add(t)
}

// columns2007 are the names of the columns.
var columns2007 = [numColumns]string{"RankRLS", "RLS", "RankSVM", "RankBoost"}

// find2007 puts MAP, and NDCG and P at 1, 5 and 10, beside the paper.
func find2007(found *experiment.Result, table, measure string, column int, paper float64, ours measured) {
	if head, position, _ := strings.Cut(measure, "@"); head != "map" && position != "1" && position != "5" && position != "10" {
		return
	}
	f := experiment.Finding{Paper: "2007", Place: strings.ToLower(table) + ", OHSUMED", What: fmt.Sprintf("%s, %s", columns2007[column], measure),
		Format: "%.3f", Theirs: paper, Ours: ours.mean, Within: 2 * ours.stderr, Of: "two standard errors over 106 queries"}
	found.Find(f)
}
