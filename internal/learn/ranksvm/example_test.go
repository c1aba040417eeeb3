package ranksvm_test

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/internal/learn/ranksvm"
)

// Two queries of three rows, whose first feature says what is better.
func Example() {
	x := data.NewDense(6, 2, []float64{3, 1, 2, 0, 1, 1, 9, 0, 8, 1, 7, 0})
	y := []float64{2, 1, 0, 2, 1, 0}
	queries := data.NewPartition([]int32{0, 0, 0, 1, 1, 1}, 2)
	solver, err := ranksvm.New(x, y, queries, ranksvm.Options{Epsilon: 1e-6})
	if err != nil {
		panic(err)
	}
	for _, lambda := range []float64{1, 0.1} { // each from where the last ended
		fit, err := solver.Train(context.Background(), lambda)
		if err != nil {
			panic(err)
		}
		fmt.Printf("λ = %g: w = (%.2f, %.2f), J = %.3f\n", lambda, fit.Weights[0], fit.Weights[1], fit.Objective)
	}
	// Output:
	// λ = 1: w = (0.50, 0.00), J = 0.583
	// λ = 0.1: w = (1.00, 0.00), J = 0.100
}
