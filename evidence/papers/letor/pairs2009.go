package main

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
)

// paperErrors are the errors of the paper.
func paperErrors(learners []study.Learner) (all []float64) {
	for _, l := range learners {
		if v := l.Theirs[inTable3]; v != 0 {
			all = append(all, v)
		}
	}
	return all
}

// pairs2009 is table 3 of 2009: mean disagreement over queries.
func pairs2009(ctx context.Context, s settings) (found experiment.Result, err error) {
	binarise := func(y []float64) { data.Binarize(y, 2) }
	for _, c := range []struct {
		study.Collection
		prepare func([]float64)
	}{{study.OHSUMED2, binarise}, {study.OHSUMED3, binarise}, {study.MQ2008, nil}} {
		folds, err := rotations(ctx, c.Collection, s.dir, metric.Disagreement, c.prepare)
		if err != nil {
			return found, err
		}
		if err := compareAll(ctx, &found, c.Collection, folds, learners2009(s)); err != nil {
			return found, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return found, nil
}

// compareAll is the table of one collection, with the tests between its learners.
func compareAll(ctx context.Context, found *experiment.Result, c study.Collection, folds []study.Split,
	learners []study.Learner) error {
	means, queries := make([][]float64, len(learners)), make([][]float64, len(learners)) // by fold, and by query
	err := study.Run(ctx, learners, folds, func(l, k int, t *study.Trained) error {
		mean, values, err := study.Values(folds[k].Test, t.Scores, []metric.Metric{metric.Disagreement},
			metric.Options{})
		if err == nil {
			means[l], queries[l] = append(means[l], mean[0]), append(queries[l], values[0]...)
		}
		return err
	})
	if err != nil {
		return err
	}
	t := experiment.NewTable(c.Name, "%s", "fold 1", "%.4f", "2", "%.4f", "3", "%.4f", "4", "%.4f", "5", "%.4f",
		"mean", "%.4f", "± over queries", "%.4f", "paper", "%.3f")
	for l, learner := range learners {
		row := []any{learner.Name}
		for _, v := range means[l] {
			row = append(row, v)
		}
		mean, stderr := experiment.Mean(means[l]), experiment.StdErr(queries[l])
		paper := learner.Theirs[inTable3]
		if c != study.OHSUMED2 || paper == 0 {
			t.Row(append(row, mean, stderr, nil)...)
			continue
		}
		t.Row(append(row, mean, stderr, paper)...)
		f := experiment.Finding{Paper: "2009", Place: "table 3, OHSUMED", What: learner.Name + ", mean disagreement",
			Format: "%.3f", Theirs: paper, Ours: mean, Margin: experiment.HalfRange(paperErrors(learners)...)}
		f.Within, f.Of = sameQueries(stderr, paper, len(queries[l]))
		found.Find(f)
	}
	found.Add(t)
	tests(found, learners, queries)
	return nil
}

// tests compares every two learners by Wilcoxon's signed ranks of the queries, as the
// paper does, with Holm's correction for all comparisons of the table.
func tests(found *experiment.Result, learners []study.Learner, queries [][]float64) {
	var raw []float64
	for i := range learners {
		for j := range i {
			raw = append(raw, study.Wilcoxon(study.Less(queries[i], queries[j])))
		}
	}
	adjusted := compare.Holm(raw)
	heads := []string{"p, Wilcoxon over queries (Holm)", "%s"}
	for _, l := range learners[:len(learners)-1] {
		heads = append(heads, l.Name, "%s")
	}
	t := experiment.NewTable(heads...)
	k := 0
	for i := range learners {
		if i == 0 {
			continue
		}
		row := []any{learners[i].Name}
		for range i {
			row = append(row, fmt.Sprintf("%.2g (%.2g)", raw[k], adjusted[k]))
			k++
		}
		for len(row) < len(learners) {
			row = append(row, nil)
		}
		t.Row(row...)
	}
	found.Add(t)
}
