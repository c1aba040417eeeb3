package pairrank_test

import (
	"context"
	"fmt"

	"pairrank"
	"pairrank/comparison"
	"pairrank/data"
)

// Items with features are compared: counts of wins and ties, by two annotators. The error is of pairs of items that
// training has not seen compared; the model scores any item.
func ExampleProblem_comparisons() {
	set, err := pairrank.Rows([][]float64{{3}, {2}, {1}, {0}}, make([]float64, 4), nil)
	check(err)
	votes := &comparison.Problem{Annotators: []string{"ann", "ben"}, Lines: []comparison.Line{
		{Left: 0, Right: 1, Wins: 3, Losses: 1, Annotator: 0, Stratum: -1},
		{Left: 1, Right: 2, Wins: 2, Ties: 1, Annotator: 1, Stratum: -1},
		{Left: 2, Right: 3, Wins: 1, Losses: 1, Annotator: 0, Stratum: -1},
		{Left: 0, Right: 3, Wins: 4, Annotator: 1, Stratum: -1},
	}}
	problem := pairrank.Problem{Set: set, Comparisons: votes}
	options := pairrank.Options{Lambdas: []float64{1}}
	estimate, err := pairrank.Estimate(context.Background(), problem, pairrank.EstimateOptions{Options: options})
	check(err)
	best := estimate.Choice.BestPoint(0, nil)
	fmt.Printf("%s: %.3f over %d wins\n", estimate.Choice.Method, best.Error, best.Pairs) // two annotators have no ±
	result, err := pairrank.Train(context.Background(), problem, options)
	check(err)
	new, err := result.Model.Score(&data.Set{X: data.NewDense(1, 1, []float64{5}), Y: []float64{0},
		Queries: data.OneList(1)})
	check(err)
	fmt.Printf("an item that nobody compared: %.3f\n", new[0])
	// Output:
	// pair: 0.167 over 12 wins
	// an item that nobody compared: 1.739
}
