package pairrank_test

import (
	"context"
	"fmt"

	"pairrank"
	"pairrank/eval/metric"
)

// Pairs of rows of different queries can turn an order round: the four points of figure
// 2 of Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm
// for learning to rank from preference graphs, section 5.1. In each query the row with
// more of the feature is better, and the query with less of it has the higher labels.
func ExampleOptions_allPairs() {
	x := [][]float64{{4}, {3}, {2}, {1}}
	set, err := pairrank.Rows(x, []float64{2, 1, 4, 3}, []string{"first", "first", "second", "second"})
	check(err)
	for _, all := range []bool{false, true} {
		result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set},
			pairrank.Options{Lambdas: []float64{1}, AllPairs: all})
		check(err)
		scores, err := result.Model.Score(set)
		check(err)
		report, err := metric.Evaluate(metric.Input{Labels: set.Y, Scores: scores, Queries: set.Queries},
			[]metric.Metric{metric.Disagreement}, metric.Options{})
		check(err)
		fmt.Printf("all pairs %-5v  weight %+.3f, error within the queries %g\n",
			all, result.Model.ScoreRow([]float64{1}), report.Results[0].Mean.Value)
	}
	// Output:
	// all pairs false  weight +0.667, error within the queries 0
	// all pairs true   weight -0.571, error within the queries 1
}
