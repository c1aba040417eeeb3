package main

import (
	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/pref"
)

// Names of what the papers say of a learner.
const (
	disagreement = "2009, table 2"
	tau          = "2007, table 8"
)

// The values of λ of the papers, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, over some 2^8 pairs.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-23, 7, 1)

// learners are the rows of the tables. Pairs of equally good parses are left out.
var learners = []study.Learner{
	ranking("RankRLS (20)", 0.225, 0, pref.Unit, false),
	ranking("RankRLS (20), all pairs", 0.234, 0, pref.Unit, true),
	ranking("RankRLS (21)", 0.222, 0.500, pref.Magnitude, false),
	ranking("RankRLS (21), all pairs", 0.247, 0, pref.Magnitude, true),
	ranking("RankRLS (22)", 0.216, 0, pref.Relative, false),
	ranking("RankRLS (22), all pairs", 0.228, 0, pref.Relative, true),
	{Name: "RankSVM", Theirs: said(0.214, 0),
		Options: []pairrank.Options{{Lambdas: means, Learner: pairrank.RankSVM{}}}},
	{Name: "RLS regressor", Theirs: said(0.252, 0.444), Prepare: study.Centre,
		Options: []pairrank.Options{{Lambdas: sums, Learner: pairrank.LeastSquares{Regression: true}}}},
}

// ranking is RankRLS with a cost, of the pairs of a sentence or of all.
func ranking(name string, error2009, tau2007 float64, cost pref.Cost, all bool) study.Learner {
	squares := pairrank.LeastSquares{Pairs: pref.Options{Cost: cost, Ties: pref.ExcludeTies}}
	return study.Learner{Name: name, Theirs: said(error2009, tau2007),
		Options: []pairrank.Options{{Lambdas: sums, AllPairs: all, Learner: squares}}}
}

func said(error2009, tau2007 float64) map[string]float64 {
	return map[string]float64{disagreement: error2009, tau: tau2007}
}

// split trains on some parses and scores others. λ is chosen by ten folds of the sentences, or fewer where there are
// fewer.
func (s *sentences) split(train, test []int, seed uint64) study.Split {
	known := s.set(train, train)
	split := study.Split{Test: s.set(test, train)}
	split.Kernel = known.X.(*data.Dense)
	known.X = nil
	split.Set = known
	split.Options = func(o *pairrank.Options) {
		o.Method = &cv.Method{Kind: cv.KFold, Folds: min(10, known.Queries.Len())}
		o.Metric, o.Seed = &metric.Disagreement, seed
	}
	return split
}
