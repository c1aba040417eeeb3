package main

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/papers/experiment"
)

// measures are those of the paper's tables.
func measures() []metric.Metric {
	all, err := metric.ParseList("map")
	for k := 1; k <= 10; k++ {
		all = append(all, metric.NDCGAt(k))
	}
	for k := 1; k <= 10; k++ {
		all = append(all, metric.PrecisionAt(k))
	}
	if err != nil {
		panic(err) // map is a metric
	}
	return all
}

// measured is one measure of one learner: the mean over the folds of their means, as
// the tables of LETOR have it, the folds, and the standard error of the mean over all
// queries, with their number.
type measured struct {
	mean    float64
	folds   []float64
	stderr  float64
	queries int
}

// map2007 is tables 1 to 3 of 2007.
func map2007(ctx context.Context, s settings) (found experiment.Result, err error) {
	parts, err := ohsumed2.load(ctx, s.dir, nil)
	if err != nil {
		return found, err
	}
	published, err := baselines(s.dir)
	if err != nil {
		return found, err
	}
	folds := rotations(parts)
	var byLabel [3][numColumns][]measured // at the least label that is relevant
	var chosen [numColumns]string
	for _, relevant := range []int{1, 2} {
		for k, l := range learners2007(s) {
			if byLabel[relevant][k], chosen[k], err = l.rotate(ctx, folds, float64(relevant)); err != nil {
				return found, fmt.Errorf("%s: %w", l.name, err)
			}
		}
		if relevant == 1 {
			chosenTable(&found, s, chosen)
		}
	}
	for _, name := range []string{"map", "ndcg", "p"} {
		tableOf2007(&found, name, byLabel, published)
	}
	return found, besidePaper(&found, byLabel[1], published)
}

// learners2007 are the columns of the tables.
func learners2007(s settings) []learner {
	return []learner{
		{"RankRLS", options(tied, untied)}, {"RLS", options(rls)}, {"RankSVM", options(svm)}, {"RankBoost", options(boost(s.rounds))},
	}
}

// rotate is what a learner reaches over the folds where labels from relevant on are
// relevant, chosen by MAP, and what was chosen.
func (l learner) rotate(ctx context.Context, folds []rotation, relevant float64) (result []measured, chosen string, err error) {
	metrics := measures()
	means := make([][]float64, len(metrics))
	values := make([][]float64, len(metrics))
	for _, r := range folds {
		r.valid = relabelled(r.valid, relevant)
		scores, option, choice, err := l.choose(ctx, r, metrics[0])
		if err != nil {
			return nil, "", err
		}
		switch {
		case choice.Rounds > 0:
			chosen += fmt.Sprintf(" %d", choice.Rounds)
		case len(l.options) > 1 && option == 0:
			chosen += fmt.Sprintf(" %.0f tied", math.Log2(choice.Lambda))
		default:
			chosen += fmt.Sprintf(" %.0f", math.Log2(choice.Lambda))
		}
		if err := evaluate(r.test, scores, relevant, metrics, means, values); err != nil {
			return nil, "", err
		}
	}
	for k := range metrics {
		stderr := experiment.StdErr(values[k])
		result = append(result, measured{experiment.Mean(means[k]), means[k], stderr, len(values[k])})
	}
	return result, chosen[1:], nil
}

// relabelled has labels 1 where they are relevant, else 0, so that MAP is of them.
func relabelled(s *data.Set, relevant float64) *data.Set {
	if relevant == 1 {
		return s
	}
	copied := *s
	copied.Y = append([]float64(nil), s.Y...)
	data.Binarize(copied.Y, relevant)
	return &copied
}

// evaluate adds the means of a test part to means and its queries' values to values, by
// the conventions of LETOR's script. NDCG has the grades as they are.
func evaluate(
	test *data.Set, scores []float64, relevant float64, metrics []metric.Metric, means, values [][]float64,
) error {
	report := func(labels []float64) (*metric.Report, error) {
		return metric.Evaluate(metric.Input{Labels: labels, Scores: scores, Queries: test.Queries}, metrics, metric.Options{Style: metric.LETOR3})
	}
	graded, err := report(test.Y)
	if err != nil {
		return err
	}
	binary, err := report(relabelled(test, relevant).Y)
	if err != nil {
		return err
	}
	for k, m := range metrics {
		r := binary
		if !m.CountsRelevant() {
			r = graded
		}
		means[k] = append(means[k], r.Results[k].Mean.Value)
		for _, q := range r.PerQuery {
			if q.Values[k].Defined {
				values[k] = append(values[k], q.Values[k].Value)
			}
		}
	}
	return nil
}
