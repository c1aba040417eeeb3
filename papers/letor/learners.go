package main

import (
	"context"
	"math"

	"pairrank"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/papers/experiment"
	"pairrank/pref"
)

// learner is a column of a table: one of several options, which are chosen with λ.
type learner struct {
	name    string
	options []pairrank.Options
}

// The values of λ of the papers, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, so that it has as many octaves lower down.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-25, 5, 1)

// tied and untied are RankRLS with tied pairs, whose target is 0, and without.
var (
	tied   = pairrank.Options{Lambdas: sums}
	untied = pairrank.Options{Lambdas: sums, Learner: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}}
	all    = pairrank.Options{Lambdas: sums, AllPairs: true}
	rls    = pairrank.Options{Lambdas: sums, Learner: pairrank.LeastSquares{Regression: true}}
	svm    = pairrank.Options{Lambdas: means, Learner: pairrank.RankSVM{}}
)

// boost is RankBoost; the number of rounds is chosen, too.
func boost(most int) pairrank.Options {
	var rounds []int
	for n := most; n > 4; n /= 2 {
		rounds = append([]int{n}, rounds...)
	}
	return pairrank.Options{Learner: pairrank.RankBoost{Rounds: rounds}}
}

// choose trains on the first rows of a rotation with all options, and returns the
// scores of the test rows by what is best on the validation rows, and what that is.
func (l learner) choose(ctx context.Context, r rotation,
	m metric.Metric) (scores []float64, option int, chosen cv.Choice, err error) {
	best := math.Inf(1)
	for k, o := range l.options {
		o.Metric = &m
		trained, err := pairrank.Train(ctx, pairrank.Problem{Set: r.train, Valid: r.valid}, o)
		if err != nil {
			return nil, 0, chosen, err
		}
		if c := trained.Choice.Chosen().Criterion(&m); c < best {
			best, option, chosen = c, k, trained.Choice
			if scores, err = trained.Model.Score(r.test); err != nil {
				return nil, 0, chosen, err
			}
		}
	}
	return scores, option, chosen, nil
}
