package ranksvm_test

import (
	"context"
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
)

// Two queries of three rows, whose first feature says what is better.
func Example() {
	x := data.NewDense(6, 2, []float64{3, 1, 2, 0, 1, 1, 9, 0, 8, 1, 7, 0})
	y := []float64{2, 1, 0, 2, 1, 0}
	queries := pref.NewPartition([]int32{0, 0, 0, 1, 1, 1}, 2)
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

// Two processes, here goroutines, or processes on several machines by package pairrank/mpi, with a
// query each: both find the weights of all rows.
func ExampleNewInProcess() {
	rows := [][]float64{{3, 1, 2, 0, 1, 1}, {9, 0, 8, 1, 7, 0}}
	fits := make([]*ranksvm.Fit, len(rows))
	var all sync.WaitGroup
	for process, member := range ranksvm.NewInProcess(len(rows)) {
		all.Go(func() {
			defer member.Leave(nil) // so that no process waits for one that has failed
			x := data.NewDense(3, 2, rows[process])
			solver, err := ranksvm.New(x, []float64{2, 1, 0}, pref.OneList(3),
				ranksvm.Options{Epsilon: 1e-6, Processes: member})
			if err == nil {
				fits[process], err = solver.Train(context.Background(), 0.1)
			}
			if err != nil {
				fmt.Println(err)
			}
		})
	}
	all.Wait()
	for process, fit := range fits {
		fmt.Printf("process %d: w = (%.2f, %.2f), J = %.3f, %v pairs\n", process, fit.Weights[0], fit.Weights[1],
			fit.Objective, fit.Pairs)
	}
	// Output:
	// process 0: w = (1.00, 0.00), J = 0.100, 6 pairs
	// process 1: w = (1.00, 0.00), J = 0.100, 6 pairs
}
