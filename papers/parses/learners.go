package main

import (
	"context"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/papers/experiment"
	"pairrank/pref"
)

// learner is a row of the tables, with what the papers say; 0 is not in the paper.
type learner struct {
	name         string
	disagreement float64 // 2009, table 2
	tau          float64 // 2007, table 8
	options      pairrank.Options
}

// The values of λ of the papers, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, over some 2^8 pairs.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-23, 7, 1)

// learners are the rows. Pairs of equally good parses are left out.
var learners = []learner{
	{"RankRLS (20)", 0.225, 0, squares(pref.Unit, false)},
	{"RankRLS (20), all pairs", 0.234, 0, squares(pref.Unit, true)},
	{"RankRLS (21)", 0.222, 0.500, squares(pref.Magnitude, false)},
	{"RankRLS (21), all pairs", 0.247, 0, squares(pref.Magnitude, true)},
	{"RankRLS (22)", 0.216, 0, squares(pref.Relative, false)},
	{"RankRLS (22), all pairs", 0.228, 0, squares(pref.Relative, true)},
	{"RankSVM", 0.214, 0, pairrank.Options{Lambdas: means, Learner: pairrank.RankSVM{}}},
	{"RLS regressor", 0.252, 0.444, pairrank.Options{Lambdas: sums, Learner: pairrank.LeastSquares{Regression: true}}},
}

// squares is RankRLS with a cost, of the pairs of a sentence or of all.
func squares(cost pref.Cost, all bool) pairrank.Options {
	return pairrank.Options{Lambdas: sums, AllPairs: all, Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: cost, Ties: pref.ExcludeTies}}}
}

// predict chooses λ by ten folds of the other sentences, or fewer where there are fewer, trains on these, and scores the
// parses of rows.
func (l learner) predict(ctx context.Context, s *sentences, others, rows []int,
	seed uint64) (scores []float64, chosen cv.Choice, err error) {
	train := s.set(others, others)
	k := train.X.(*data.Dense)
	train.X = nil
	if least, ok := l.options.Learner.(pairrank.LeastSquares); ok && least.Regression {
		centre(train.Y)
	}
	o := l.options
	o.Method, o.Metric, o.Seed = &cv.Method{Kind: cv.KFold, Folds: min(10, train.Queries.Len())}, &metric.Disagreement, seed
	trained, err := pairrank.Train(ctx, pairrank.Problem{Set: train, Kernel: k}, o)
	if err != nil {
		return nil, chosen, err
	}
	scores, err = trained.Model.Score(s.set(rows, others))
	return scores, trained.Choice, err
}

// centre takes the mean off: regression has no intercept.
func centre(y []float64) {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i := range y {
		y[i] -= mean
	}
}
