package pairrank

import (
	"pairrank/internal/rows"
	"pairrank/pref"
)

// RankBoost minimises the mean over pairs y_i > y_j of exp(f_j − f_i), where f is a sum of decision stumps, one
// a round (Freund, Iyer, Schapire and Singer 2003, An efficient boosting algorithm for combining preferences).
type RankBoost struct {
	// Rounds are the numbers of rounds to choose from, ascending; none is 300.
	Rounds []int
	// Weight is the total weight of the pairs of a query; "" is pref.Pairs.
	Weight pref.Weight
}

// Name returns rankboost.
func (RankBoost) Name() string { return "rankboost" }

func (r RankBoost) rows() rows.Learner { return rows.RankBoost{Rounds: r.Rounds, Weight: r.Weight} }
