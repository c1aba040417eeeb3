package main

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
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
	metrics := measures()
	folds, err := rotations(ctx, study.OHSUMED2, s.dir, metrics[0], nil)
	if err != nil {
		return found, err
	}
	published, err := baselines(s.dir)
	if err != nil {
		return found, err
	}
	var byLabel [3][numColumns][]measured // at the least label that is relevant
	var chosen [numColumns]string
	for _, relevant := range []float64{1, 2} {
		for k := range folds {
			folds[k].Valid = relabelled(folds[k].Valid, relevant)
		}
		var reached [numColumns]sums2007
		err := study.Run(ctx, learners2007(s), folds, func(l, k int, t *study.Trained) error {
			if relevant == 1 {
				chosen[l] += describe(t, l == rankRLS)
			}
			return reached[l].add(folds[k].Test, t.Scores, relevant, metrics)
		})
		if err != nil {
			return found, err
		}
		for l := range reached {
			byLabel[int(relevant)][l] = reached[l].measured()
		}
	}
	chosenTable(&found, s, chosen)
	for _, name := range []string{"map", "ndcg", "p"} {
		tableOf2007(&found, name, byLabel, published)
	}
	return found, besidePaper(&found, byLabel[1], published)
}

// describe is the number of rounds or log₂ λ that was chosen, and of a learner that may leave tied pairs out whether it
// has them.
func describe(t *study.Trained, mayTie bool) string {
	switch {
	case t.Choice.Rounds > 0:
		return fmt.Sprintf(" %d", t.Choice.Rounds)
	case mayTie && t.Option == 0:
		return fmt.Sprintf(" %.0f tied", math.Log2(t.Choice.Lambda))
	}
	return fmt.Sprintf(" %.0f", math.Log2(t.Choice.Lambda))
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

// sums2007 are the values of a learner so far: the mean of each fold and the values of its queries, by metric.
type sums2007 struct{ means, queries [][]float64 }

// add takes the scores of a test part, by the conventions of LETOR's script. NDCG has the grades as they are.
func (s *sums2007) add(test *data.Set, scores []float64, relevant float64, metrics []metric.Metric) error {
	letor := metric.Options{Style: metric.LETOR3}
	means, queries, err := study.Values(relabelled(test, relevant), scores, metrics, letor)
	if err != nil {
		return err
	}
	graded, ofGraded, err := study.Values(test, scores, metrics, letor)
	if err != nil {
		return err
	}
	if s.means == nil {
		s.means, s.queries = make([][]float64, len(metrics)), make([][]float64, len(metrics))
	}
	for k, m := range metrics {
		if !m.CountsRelevant() {
			means[k], queries[k] = graded[k], ofGraded[k]
		}
		s.means[k], s.queries[k] = append(s.means[k], means[k]), append(s.queries[k], queries[k]...)
	}
	return nil
}

// measured is what the values of all folds come to.
func (s *sums2007) measured() (all []measured) {
	for k, folds := range s.means {
		all = append(all, measured{experiment.Mean(folds), folds, experiment.StdErr(s.queries[k]), len(s.queries[k])})
	}
	return all
}
