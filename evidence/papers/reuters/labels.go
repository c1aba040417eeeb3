package main

import (
	"context"
	"math"

	"pairrank/evidence/papers/experiment"
)

// ofRankRLS, ofRLS and ofRankSVM are the columns of tables 4 and 5.
func ofRankRLS(q quoted) published { return q.rankRLS }
func ofRLS(q quoted) published     { return q.rls }
func ofRankSVM(q quoted) published { return q.rankSVM }

// labels tells which of what the paper does not say gives its numbers: the form of the
// documents, and the labels of regression.
func labels(ctx context.Context, s settings) (found experiment.Result, err error) {
	t, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	learners := []learner{rankRLS, signedRLS, plainRLS, centredRLS}
	columns := []func(quoted) published{ofRankRLS, ofRLS, ofRLS, ofRLS}
	heads := []string{"a word in a document", "%s"}
	theirs := []any{"the paper"}
	for l, learner := range learners {
		heads = append(heads, learner.name, "%.3f", "±", "%.3f", "topics like the paper's", "%.0f")
		theirs = append(theirs, quotedMean(columns[l]), nil, nil)
	}
	table := experiment.NewTable(heads...)
	for _, f := range forms {
		st, err := t.study(ctx, s, f, learners...)
		if err != nil {
			return found, err
		}
		row := []any{f.name}
		for l := range learners {
			mean, sd := experiment.Moments(st.mean(l))
			row = append(row, mean, sd, st.alike(l, columns[l]))
		}
		table.Row(row...)
	}
	table.Row(theirs...)
	found.Add(table)
	return found, nil
}

// alike is in how many topics the paper's AUC is one that a further draw could have.
func (s *comparison) alike(l int, of func(quoted) published) (n int) {
	for k, q := range paper {
		mean, sd := experiment.Moments(s.topic(l, k))
		if math.Abs(of(q).auc-mean) <= apart(sd, len(s.reached[l])) {
			n++
		}
	}
	return n
}
