package main

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/papers/experiment"
)

// column2009 is a row of table 3 of 2009, with the paper's error on OHSUMED; 0 is not
// in the paper.
type column2009 struct {
	learner
	paper float64
}

func columns2009(s settings) []column2009 {
	return []column2009{
		{learner{"RankRLS, no tied pairs", options(untied)}, 0.340},
		{learner{"RankRLS, tied pairs, too", options(tied)}, 0},
		{learner{"RankRLS, all pairs", options(all)}, 0.346},
		{learner{"RLS", options(rls)}, 0.346},
		{learner{"RankSVM", options(svm)}, 0.336},
		{learner{"RankBoost", options(boost(s.rounds))}, 0.351},
	}
}

// papers are the errors of the paper.
func papers(columns []column2009) (all []float64) {
	for _, l := range columns {
		if l.paper != 0 {
			all = append(all, l.paper)
		}
	}
	return all
}

// pairs2009 is table 3 of 2009: mean disagreement over queries.
func pairs2009(ctx context.Context, s settings) (found experiment.Result, err error) {
	binarise := func(y []float64) { data.Binarize(y, 2) }
	for _, c := range []struct {
		collection
		prepare func([]float64)
	}{{ohsumed2, binarise}, {ohsumed3, binarise}, {mq2008, nil}} {
		parts, err := c.load(ctx, s.dir, c.prepare)
		if err != nil {
			return found, err
		}
		if err := compareAll(ctx, &found, c.collection, rotations(parts), columns2009(s)); err != nil {
			return found, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return found, nil
}

// compareAll is the table of one collection, with the tests between its learners.
func compareAll(ctx context.Context, found *experiment.Result, c collection, folds []rotation, columns []column2009) error {
	t := experiment.NewTable(c.name, "%s", "fold 1", "%.4f", "2", "%.4f", "3", "%.4f", "4", "%.4f", "5", "%.4f",
		"mean", "%.4f", "± over queries", "%.4f", "paper", "%.3f")
	queries := make([][]float64, len(columns)) // disagreement of each query, in the same order
	for k, l := range columns {
		row, sum := []any{l.name}, 0.0
		for _, r := range folds {
			scores, _, _, err := l.choose(ctx, r, metric.Disagreement)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			report, err := metric.Evaluate(metric.Input{Labels: r.test.Y, Scores: scores, Queries: r.test.Queries}, []metric.Metric{metric.Disagreement}, metric.Options{})
			if err != nil {
				return err
			}
			mean := report.Results[0].Mean.Value
			row, sum = append(row, mean), sum+mean
			for _, q := range report.PerQuery {
				if q.Values[0].Defined {
					queries[k] = append(queries[k], q.Values[0].Value)
				}
			}
		}
		mean, stderr := sum/float64(len(folds)), experiment.StdErr(queries[k])
		if c != ohsumed2 || l.paper == 0 {
			t.Row(append(row, mean, stderr, nil)...)
			continue
		}
		t.Row(append(row, mean, stderr, l.paper)...)
		f := experiment.Finding{Paper: "2009", Place: "table 3, OHSUMED", What: l.name + ", mean disagreement",
			Format: "%.3f", Theirs: l.paper, Ours: mean, Margin: experiment.HalfRange(papers(columns)...)}
		f.Within, f.Of = sameQueries(stderr, l.paper, len(queries[k]))
		found.Find(f)
	}
	found.Add(t)
	tests(found, columns, queries)
	return nil
}

// tests compares every two learners by Wilcoxon's signed ranks of the queries, as the
// paper does, with Holm's correction for all comparisons of the table.
func tests(found *experiment.Result, columns []column2009, queries [][]float64) {
	var raw []float64
	for i := range columns {
		for j := range i {
			d := make([]float64, len(queries[i]))
			for q := range d {
				d[q] = queries[i][q] - queries[j][q]
			}
			raw = append(raw, compare.Wilcoxon(compare.FlushRounding(d), compare.DropZeros).P)
		}
	}
	adjusted := compare.Holm(raw)
	heads := []string{"p, Wilcoxon over queries (Holm)", "%s"}
	for _, l := range columns[:len(columns)-1] {
		heads = append(heads, l.name, "%s")
	}
	t := experiment.NewTable(heads...)
	k := 0
	for i := range columns {
		if i == 0 {
			continue
		}
		row := []any{columns[i].name}
		for range i {
			row = append(row, fmt.Sprintf("%.2g (%.2g)", raw[k], adjusted[k]))
			k++
		}
		for len(row) < len(columns) {
			row = append(row, nil)
		}
		t.Row(row...)
	}
	found.Add(t)
}
