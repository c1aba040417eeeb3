package main

import (
	"context"
	"fmt"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/goals"
)

// inPaper are the learners of tables 4 and 5, with the table of each, and the goal of
// least squares.
var inPaper = []struct {
	learner
	place string
	of    func(quoted) published
	goal  func(t *trial) (*goals.Goal, error)
}{
	{rankRLS, "tables 4 and 5, Reuters", ofRankRLS, compared},
	{signedRLS, "table 4, Reuters", ofRLS, signed},
	{rankSVM, "table 5, Reuters", ofRankSVM, nil},
}

// reasonForm is why means differ.
const reasonForm = "The paper does not say what numbers its documents are; topics are easier to rank in tf-idf than " +
	"in words."

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
	found.Text("%d draws of %d documents; %d more draws were refused, because a topic had fewer than %d positive "+
		"documents. %d documents test.",
		s.draws, trainingSize, words.refused, leastPositive, t.x.Rows-trainingSize)
	t.documents(&found)
	seen := elsewhereTable()
	for l := range inPaper {
		topics := t.table(&found, l, words, weighted)
		if err := t.explain(ctx, s, l, topics, seen, &found); err != nil {
			return found, err
		}
	}
	found.Text("**Topics that differ from the paper's by more than their uncertainty, at other values of λ**: the " +
		"mean AUC of the draws.")
	found.Add(seen)
	found.Text("**In how many of the %d topics RankRLS is better**, the documents in words; *alike* is to three "+
		"digits, p is Wilcoxon's of the differences of the topics.", numTopics)
	versus(words, &found)
	found.Text("**The same in tf-idf.**")
	versus(weighted, &found)
	hindsight, err := t.study(ctx, s, binary, inHindsight(compared), hingeInHindsight)
	if err != nil {
		return found, err
	}
	found.Text("**RankRLS and RankSVM by how λ is chosen**, documents in words.")
	found.Add(chosenTable(words, hindsight))
	findWins(words, hindsight, "in words", &found)
	findWins(weighted, hindsight, "in tf-idf", &found)
	return found, nil
}

// documents compares the number of documents of each topic with the paper.
func (t *tasks) documents(found *experiment.Result) {
	theirs, ours, differ, most := 0, 0, 0, 0
	for k, q := range paper {
		theirs, ours = theirs+q.train+q.test, ours+t.totals[k]
		if d := t.totals[k] - q.train - q.test; d != 0 {
			differ, most = differ+1, max(most, d, -d)
		}
	}
	found.Text("Labels of the %d topics: %d, in the paper %d; topics that differ: %d, by at most %d documents.",
		numTopics, ours, theirs, differ, most)
	found.Find(experiment.Finding{Paper: "2009", Place: "section 5.4, Reuters", What: "documents", Format: "%.0f",
		Theirs: trainingSize + paperTest, Ours: float64(t.x.Rows),
		Reason: "Those of the ModApte split; the paper has five fewer and does not say which."})
}

// table is one learner of tables 4 and 5, in words and in tf-idf. It returns the topics
// that differ from the paper, whose findings have no reason yet.
func (t *tasks) table(found *experiment.Result, l int, words, weighted *comparison) (differ []topicFinding) {
	in := inPaper[l]
	draws := len(words.reached[l])
	table := experiment.NewTable(in.name, "%s", "paper: AUC", "%.3f", "from", "%.3f", "to", "%.3f",
		"positive to train on", "%.0f",
		"first draw: AUC", "%.3f", "from", "%.3f", "to", "%.3f", "positive", "%.0f",
		fmt.Sprintf("mean of %d draws", draws), "%.3f", "± of a draw", "%.3f", "tf-idf: mean", "%.3f", "±", "%.3f")
	for k, q := range paper {
		p, first := in.of(q), words.reached[l][0][k]
		mean, sd := experiment.Moments(words.topic(l, k))
		other, otherSD := experiment.Moments(weighted.topic(l, k))
		table.Row(q.topic, p.auc, p.lo, p.hi, q.train, first.auc, first.interval.Lo, first.interval.Hi,
			t.totals[k]-first.positives, mean, sd, other, otherSD)
		// The documents that test are the same, but for those that train.
		f := experiment.Finding{Paper: "2009", Place: in.place, What: fmt.Sprintf("%s, %s, AUC", in.name, q.topic),
			Format: "%.3f", Theirs: p.auc, Ours: mean, Within: apart(sd, draws), Of: ofApart(draws),
			Margin: experiment.HalfRange(q.rankRLS.auc, q.rls.auc, q.rankSVM.auc)}
		if f.Verdict() == experiment.No {
			differ = append(differ, topicFinding{k, len(found.Findings)})
		}
		found.Find(f)
	}
	theirs := quotedMean(in.of)
	mean, sd := experiment.Moments(words.mean(l))
	other, otherSD := experiment.Moments(weighted.mean(l))
	table.Row("mean", theirs, nil, nil, nil, words.mean(l)[0], nil, nil, nil, mean, sd, other, otherSD)
	found.Add(table)
	f := meanFinding(in.place, in.name+", mean AUC of the topics", theirs, words.mean(l))
	if f.Verdict() == experiment.No {
		f.Reason = reasonForm
	}
	found.Find(f)
	f = meanFinding(in.place, in.name+", mean AUC of the topics, documents in tf-idf", theirs, weighted.mean(l))
	if f.Verdict() == experiment.No {
		f.Reason = reasonForm
	}
	found.Find(f)
	return differ
}

// topicFinding is a topic with the place of its finding.
type topicFinding struct{ topic, at int }
