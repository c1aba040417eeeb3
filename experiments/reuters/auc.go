package main

import (
	"context"
	"fmt"

	"pairrank/experiments/internal/experiment"
)

// inPaper are the learners of tables 4 and 5, with the table of each.
var inPaper = []struct {
	learner
	place string
	of    func(quoted) published
}{
	{rankRLS, "tables 4 and 5, Reuters", ofRankRLS},
	{signedRLS, "table 4, Reuters", ofRLS},
	{rankSVM, "table 5, Reuters", ofRankSVM},
}

// reasonForm is why topics differ.
const reasonForm = "The paper does not say what numbers its documents are."

// auc is tables 4 and 5.
func auc(ctx context.Context, s settings) (found experiment.Result, err error) {
	t, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	var learners []learner
	for _, l := range inPaper {
		learners = append(learners, l.learner)
	}
	words, err := t.study(ctx, s, binary, learners...)
	if err != nil {
		return found, err
	}
	weighted, err := t.study(ctx, s, tfidf, learners...)
	if err != nil {
		return found, err
	}
	found.Text("%d draws of %d documents; %d more had a topic with fewer than %d among them. %d documents test.", s.draws, trainingSize, words.refused, leastPositive, t.x.Rows-trainingSize)
	for l := range inPaper {
		t.table(&found, l, words, weighted)
	}
	found.Text("**In how many of the %d topics RankRLS is better**, the documents in words; *alike* is to three digits, p is Wilcoxon's of the differences of the topics.", numTopics)
	found.Add(versus(words, &found))
	found.Text("**The same in tf-idf.**")
	found.Add(versus(weighted, nil))
	return found, nil
}

// table is one learner of tables 4 and 5, in words and in tf-idf.
func (t *tasks) table(found *experiment.Result, l int, words, weighted *study) {
	in := inPaper[l]
	draws := len(words.reached[l])
	table := experiment.NewTable(in.name, "%s", "paper: AUC", "%.3f", "from", "%.3f", "to", "%.3f", "positive to train on", "%.0f",
		"first draw: AUC", "%.3f", "from", "%.3f", "to", "%.3f", "positive", "%.0f",
		fmt.Sprintf("mean of %d draws", draws), "%.3f", "± of a draw", "%.3f", "tf-idf: mean", "%.3f", "±", "%.3f")
	for k, q := range paper {
		p, first := in.of(q), words.reached[l][0][k]
		mean, sd := moments(words.topic(l, k))
		other, otherSD := moments(weighted.topic(l, k))
		table.Row(q.topic, p.auc, p.lo, p.hi, q.train, first.auc, first.interval.Lo, first.interval.Hi, t.totals[k]-first.positives, mean, sd, other, otherSD)
		f := experiment.Finding{Paper: "2009", Place: in.place, What: fmt.Sprintf("%s, %s, AUC", in.name, q.topic), Format: "%.3f", Theirs: p.auc, Ours: mean,
			Within: apart(sd, draws) + (p.hi-p.lo)/2, Of: "two standard deviations of a draw and half the paper's interval"}
		if !f.Agrees() {
			f.Reason = reasonForm
		}
		found.Find(f)
	}
	theirs := quotedMean(in.of)
	mean, sd := moments(words.mean(l))
	other, otherSD := moments(weighted.mean(l))
	table.Row("mean", theirs, nil, nil, nil, words.mean(l)[0], nil, nil, nil, mean, sd, other, otherSD)
	found.Add(table)
	f := meanFinding(in.place, in.name+", mean AUC of the topics", theirs, words.mean(l))
	if !f.Agrees() {
		f.Reason = reasonForm
	}
	found.Find(f)
	f = meanFinding(in.place, in.name+", mean AUC of the topics, documents in tf-idf", theirs, weighted.mean(l))
	if !f.Agrees() {
		f.Reason = reasonForm
	}
	found.Find(f)
}
