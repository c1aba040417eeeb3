package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/fusion"
	"pairrank/kernel"
	"pairrank/pref"
)

// learner is a row of the table: RankRLS with the best of some kernels, or the mean of scores, each standardised
// within the query, of rows above it.
type learner struct {
	name    string
	kernels func(n int) []kernel.Kernel
	mean    []string
}

func one(k kernel.Kernel) func(int) []kernel.Kernel {
	return func(int) []kernel.Kernel { return []kernel.Kernel{k} }
}

const (
	straight = "linear"
	curves   = "spline, 4 knots"
	trees    = "XGBoost"
)

var learners = []learner{
	{name: straight, kernels: one(kernel.Linear{})},
	{name: curves, kernels: one(spline(4))},
	{name: "spline, 8 knots", kernels: one(spline(8))},
	{name: "auto: linear or 4 knots",
		kernels: func(int) []kernel.Kernel { return []kernel.Kernel{kernel.Linear{}, spline(4)} }},
	{name: "500 random features", kernels: func(n int) []kernel.Kernel { return random(n, 500) }},
	{name: "mean of four maps", mean: []string{straight, curves, "spline, 8 knots", "500 random features"}},
	{name: trees},
	{name: "half XGBoost, half linear", mean: []string{trees, straight}},
	{name: "half XGBoost, half spline", mean: []string{trees, curves}},
}

// collections is the table of both collections: means over queries, and differences query by query.
func collections(ctx context.Context, s settings) (found experiment.Result, err error) {
	for _, c := range []struct {
		study.Collection
		trees string
	}{{study.MQ2008, "mq2008"}, {study.OHSUMED3, "ohsumed"}} {
		parts, err := c.Parts(ctx, s.dir)
		if err != nil {
			return found, err
		}
		all := study.Join(parts...)
		scores := map[string][]float64{}
		if scores[trees], err = s.scored(c.trees, len(all.Y)); err != nil {
			return found, err
		}
		for _, l := range learners {
			if l.kernels != nil {
				if scores[l.name], err = l.rotate(ctx, parts); err != nil {
					return found, fmt.Errorf("%s, %s: %w", c.Name, l.name, err)
				}
			} else if l.mean != nil {
				scores[l.name] = mean(all.Queries, scores, l.mean)
			}
		}
		if err := table(&found, c.Name, all, scores); err != nil {
			return found, err
		}
	}
	return found, nil
}

// rotate scores each part by a training on the four others.
func (l learner) rotate(ctx context.Context, parts []*data.Set) (scores []float64, err error) {
	for k, test := range parts {
		others := slices.Delete(slices.Clone(parts), k, k+1)
		_, n := test.X.Dims()
		values, chosen, err := learnt(ctx, study.Join(others...), test, pairrank.Options{Kernels: l.kernels(n),
			Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Size}}})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "splines: %s, part %d: %s\n", l.name, k+1, chosen)
		scores = append(scores, values...)
	}
	return scores, nil
}

// mean is the mean of scores, each standardised within the query; nil if some are not there.
func mean(queries *data.Partition, scores map[string][]float64, names []string) []float64 {
	var lists [][]float64
	for _, name := range names {
		if scores[name] == nil {
			return nil
		}
		lists = append(lists, scores[name])
	}
	out, _ := fusion.Mean(queries, lists...)
	return out
}

// table is the table of a collection.
func table(found *experiment.Result, name string, all *data.Set, scores map[string][]float64) error {
	metrics, err := metric.ParseList("ndcg@10,map")
	if err != nil {
		return err
	}
	t := experiment.NewTable(name, "%s", "NDCG@10", "%.4f", "±", "%.4f", "MAP", "%.4f", "±", "%.4f",
		"NDCG@10 less linear, 95 %", "%s", "p", "%.3f", "less XGBoost, 95 %", "%s", "p", "%.3f")
	queries := map[string][][]float64{}
	for _, l := range learners {
		if scores[l.name] == nil {
			continue
		}
		if _, queries[l.name], err = study.Values(all, scores[l.name], metrics, metric.Options{}); err != nil {
			return err
		}
	}
	for _, l := range learners {
		q := queries[l.name]
		if q == nil {
			continue
		}
		row := []any{l.name, experiment.Mean(q[0]), experiment.StdErr(q[0]), experiment.Mean(q[1]), experiment.StdErr(q[1])}
		for _, other := range []string{straight, trees} {
			if other == l.name || queries[other] == nil {
				row = append(row, "", nil)
				continue
			}
			d := study.Less(q[0], queries[other][0])
			m, half := experiment.Mean(d), experiment.HalfInterval(experiment.StdErr(d), len(d)-1)
			row = append(row, strings.ReplaceAll(fmt.Sprintf("%+.4f (%+.4f to %+.4f)", m, m-half, m+half), "-", "−"),
				study.Wilcoxon(d))
		}
		t.Row(row...)
	}
	found.Text("**%s**: %d queries with a relevant row, of %d.", name, len(queries[straight][0]), all.Queries.Len())
	found.Add(t)
	return nil
}
