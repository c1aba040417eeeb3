package pairrank_test

import (
	"context"
	"fmt"
	"log"

	"pairrank"
	"pairrank/eval/cv"
)

// Two of four features are selected. The rounds select anew without each pair, so that the error is not biased by the
// selection.
func ExampleGreedy() {
	x := [][]float64{
		{1, 0, 2, 3}, {2, 1, 0, 1}, {3, 0, 1, 2}, {1, 1, 3, 0}, {4, 0, 1, 1},
		{0, 3, 1, 2}, {1, 4, 0, 3}, {0, 2, 2, 1}, {2, 3, 3, 2}, {1, 5, 1, 0},
	}
	y := []float64{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}
	set, err := pairrank.Rows(x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	var o pairrank.EstimateOptions
	o.Learner, o.Lambdas, o.Intervals = pairrank.Greedy{Features: 2}, []float64{8}, cv.IntervalsNone
	e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
	if err != nil {
		log.Fatal(err)
	}
	selected, err := e.Selection(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: error %.2f over %d pairs\n", e.Choice.Method, e.Choice.Error, e.Choice.Pairs)
	for _, f := range selected.Features {
		fmt.Printf("feature %d in %d of %d rounds\n", f.Feature+1, f.Rounds, selected.Rounds)
	}
	// Output:
	// lpo: error 0.00 over 25 pairs
	// feature 2 in 25 of 25 rounds
	// feature 4 in 16 of 25 rounds
}
