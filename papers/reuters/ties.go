package main

import (
	"context"

	"pairrank/papers/experiment"
	"pairrank/papers/study"
)

// ties compares RankRLS with and without the pairs of equal labels.
func ties(ctx context.Context, s settings) (found experiment.Result, err error) {
	t, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	table := experiment.NewTable("a word in a document", "%s", "all pairs: mean AUC", "%.4f", "±", "%.4f",
		"tied pairs left out", "%.4f", "±", "%.4f",
		"difference", "%+.4f", "±", "%.4f", "topics better with all", "%.0f", "alike", "%.0f", "better without", "%.0f",
		"p", "%.2g")
	for _, f := range []form{binary, tfidf} {
		st, err := t.study(ctx, s, f, rankRLS, untied)
		if err != nil {
			return found, err
		}
		all, without := st.mean(0), st.mean(1)
		diff := study.Less(all, without)
		mean, sd := experiment.Moments(all)
		otherMean, otherSD := experiment.Moments(without)
		gain, spread := experiment.Moments(diff)
		d := fight(st.averages(0), st.averages(1))
		table.Row(f.name, mean, sd, otherMean, otherSD, gain, spread, d.better, d.alike, d.worse, d.p)
		found.Find(experiment.Finding{Paper: "2009", Place: "section 5.4, tied pairs",
			What: "mean AUC of RankRLS with them less without, " + f.name, Format: "%+.4f", Says: "“negligible”",
			Ours: gain, Within: apart(spread, len(diff)), Of: ofApart(len(diff)), Margin: meanMargin()})
	}
	found.Add(table)
	return found, nil
}
