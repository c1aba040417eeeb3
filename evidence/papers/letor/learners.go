package main

import (
	"context"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/pref"
)

// The values of λ of the papers, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, so that it has as many octaves lower down.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-25, 5, 1)

// tied and untied are RankRLS with tied pairs, whose target is 0, and without.
var (
	tied   = pairrank.Options{Lambdas: sums}
	untied = pairrank.Options{Lambdas: sums,
		Learner: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}}
	all = pairrank.Options{Lambdas: sums, AllPairs: true}
	rls = pairrank.Options{Lambdas: sums, Learner: pairrank.LeastSquares{Regression: true}}
	svm = pairrank.Options{Lambdas: means, Learner: pairrank.RankSVM{}}
)

// boost is RankBoost; the number of rounds is chosen, too.
func boost(most int) pairrank.Options {
	var rounds []int
	for n := most; n > 4; n /= 2 {
		rounds = append([]int{n}, rounds...)
	}
	return pairrank.Options{Learner: pairrank.RankBoost{Rounds: rounds}}
}

// options are those of one learner.
func options(o ...pairrank.Options) []pairrank.Options { return o }

// learners2007 are the columns of tables 1 to 3 of 2007.
func learners2007(s settings) []study.Learner {
	return []study.Learner{
		{Name: "RankRLS", Options: options(tied, untied)}, {Name: "RLS", Options: options(rls)},
		{Name: "RankSVM", Options: options(svm)}, {Name: "RankBoost", Options: options(boost(s.rounds))},
	}
}

// learners2009 are the rows of table 3 of 2009, with the paper's error on OHSUMED.
func learners2009(s settings) []study.Learner {
	return []study.Learner{
		{Name: "RankRLS, no tied pairs", Options: options(untied), Theirs: said(0.340)},
		{Name: "RankRLS, tied pairs, too", Options: options(tied)},
		{Name: "RankRLS, all pairs", Options: options(all), Theirs: said(0.346)},
		{Name: "RLS", Options: options(rls), Theirs: said(0.346)},
		{Name: "RankSVM", Options: options(svm), Theirs: said(0.336)},
		{Name: "RankBoost", Options: options(boost(s.rounds)), Theirs: said(0.351)},
	}
}

// inTable3 is the name of an error on OHSUMED in table 3 of 2009.
const inTable3 = "table 3"

func said(v float64) map[string]float64 { return map[string]float64{inTable3: v} }

// rotations are the folds of a collection, with features scaled to [0,1] within each query and λ chosen by a metric.
// prepare, if it is not nil, changes the labels.
func rotations(ctx context.Context, c study.Collection, dir string, m metric.Metric,
	prepare func(y []float64)) ([]study.Split, error) {
	parts, err := c.Parts(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, set := range parts {
		if prepare != nil {
			prepare(set.Y)
		}
		norm, err := data.FitNormalizer(data.NormalizeQueryMinMax, set)
		if err != nil {
			return nil, err
		}
		if err := norm.Apply(set); err != nil {
			return nil, err
		}
	}
	splits := study.Rotations(parts)
	for k := range splits {
		splits[k].Options = func(o *pairrank.Options) { o.Metric = &m }
	}
	return splits, nil
}
