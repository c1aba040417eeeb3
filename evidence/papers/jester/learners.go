package main

import (
	"slices"

	"pairrank"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/pref"
)

// The values of λ of the paper, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, over some 2^9 pairs of a user: the lowest octaves,
// where a training takes longest, are left out.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-15, 5, 1)

// learners are the rows of table 6, with the paper's numbers by band; then what its text tells of, that pairs with
// equal ratings change nothing, and (22) with weights 1/y instead of 1/y².
var learners = []study.Learner{
	squares("RankRLS (20)", pref.Options{Cost: pref.Unit}, 0.413, 0.400, 0.378, 0.371),
	squares("RankRLS (21)", pref.Options{Ties: pref.ExcludeTies}, 0.413, 0.400, 0.379, 0.371),
	squares("RankRLS (22)", pref.Options{Cost: pref.Relative}, 0.445, 0.426, 0.388, 0.379),
	{Name: rankSVM, Theirs: said(0.413, 0.400, 0.378, 0.371),
		Options: []pairrank.Options{{Lambdas: means, Learner: pairrank.RankSVM{}}}},
	{Name: "RLS regressor", Theirs: said(0.414, 0.401, 0.378, 0.371), Prepare: study.Centre,
		Options: []pairrank.Options{{Lambdas: sums, Learner: pairrank.LeastSquares{Regression: true}}}},
	squares("RankRLS (21), tied pairs, too", pref.Options{}),
	{Name: "RankRLS (22), weights 1/y", Prepare: inverse, Options: []pairrank.Options{{Lambdas: sums}}},
}

// rankSVM is the name of the one that does not learn by least squares.
const rankSVM = "RankSVM"

// leastSquares are the learners without RankSVM.
func leastSquares() []study.Learner {
	return slices.DeleteFunc(slices.Clone(learners), func(l study.Learner) bool { return l.Name == rankSVM })
}

// squares is RankRLS.
func squares(name string, o pref.Options, theirs ...float64) study.Learner {
	return study.Learner{Name: name, Theirs: said(theirs...),
		Options: []pairrank.Options{{Lambdas: sums, Learner: pairrank.LeastSquares{Pairs: o}}}}
}

// said is what the paper says of the bands.
func said(theirs ...float64) map[string]float64 {
	by := map[string]float64{}
	for c, v := range theirs {
		by[bands[c].name] = v
	}
	return by
}

// inverse makes the ratings' differences y the targets of preferences, which weigh 1/y.
func inverse(p *pairrank.Problem) {
	y := p.Set.Y
	for i := range y {
		for j := range y {
			if d := y[i] - y[j]; d > 0 {
				p.Preferences = append(p.Preferences, pref.Edge{I: i, J: j, Magnitude: d, Weight: 1 / d})
			}
		}
	}
}
