package rls_test

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// Two queries of three documents with one feature; the labels order the documents of a query.
func sample() (x *data.Dense, y []float64, queries *data.Partition) {
	x = data.NewDense(6, 1, []float64{0, 1, 2, 1, 3, 2})
	return x, []float64{0, 1, 2, 0, 2, 1}, data.NewPartition([]int32{0, 0, 0, 1, 1, 1}, 2)
}

// Factor once; every λ, and every query left out, is then cheap and exact.
func ExampleFactor() {
	ctx := context.Background()
	x, y, queries := sample()
	goal, err := goals.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		panic(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		panic(err)
	}
	for _, lambda := range []float64{1, 12} {
		fit := path.At(lambda)
		held, err := path.PredictHeldOut(ctx, queries, lambda)
		if err != nil {
			panic(err)
		}
		fmt.Printf("λ = %2g: weight %.3f, first query without itself %.3f\n", lambda, fit.Coef.Data[0], held.Data[:3])
	}
	// Output:
	// λ =  1: weight 0.923, first query without itself [0.000 0.857 1.714]
	// λ = 12: weight 0.500, first query without itself [0.000 0.333 0.667]
}

// For one λ, Solve is the fastest way to a model.
func ExampleSolve() {
	x, y, queries := sample()
	goal, err := goals.Scored(y, 1, queries, pref.Options{Ties: "exclude"})
	if err != nil {
		panic(err)
	}
	fit, err := rls.Solve(context.Background(), rls.Primal(x), goal, 12)
	if err != nil {
		panic(err)
	}
	fmt.Printf("weight %.2f, scores %.2f, objective %.2f\n", fit.Coef.Data, fit.Predictions().Data, fit.Objective())
	// Output: weight [0.50], scores [0.00 0.50 1.00 0.50 1.50 1.00], objective 6.00
}

// Sparse rows of many features are trained by products alone; a neighbouring λ
// starts from the last solution.
func ExampleConjugateGradients() {
	x := &data.CSR{Rows: 4, Cols: 1000, Ptr: []int{0, 1, 2, 3, 4}, Col: []int32{7, 7, 7, 7}, Val: []float64{0, 1, 2, 4}}
	goal, err := goals.Scored([]float64{0, 1, 2, 3}, 1, data.OneList(4), pref.Options{})
	if err != nil {
		panic(err)
	}
	var o rls.CGOptions
	for _, lambda := range []float64{10, 1} {
		fit, result, err := rls.ConjugateGradients(context.Background(), x, goal, lambda, o)
		if err != nil {
			panic(err)
		}
		o.Start = fit.Coef
		fmt.Printf("λ = %v: weight %.3f, converged %v\n", lambda, fit.Coef.Data[7], result.Converged)
	}
	// Output:
	// λ = 10: weight 0.578, converged true
	// λ = 1: weight 0.722, converged true
}

// Each pair of rows of a single list, ordered by training on the others.
func ExamplePath_LeavePairOut() {
	ctx := context.Background()
	x := data.NewDense(4, 1, []float64{0, 1, 2, 4})
	goal, err := goals.Scored([]float64{0, 1, 2, 3}, 1, data.OneList(4), pref.Options{})
	if err != nil {
		panic(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		panic(err)
	}
	right := make([]int, 4) // by row, since rows are emitted concurrently
	if err := path.LeavePairOut(ctx, 1, func(_, i, _ int, fi, fj []float64) {
		for b := range fi {
			if fi[b] < fj[b] {
				right[i]++
			}
		}
	}); err != nil {
		panic(err)
	}
	fmt.Println(right)
	// Output: [3 2 1 0]
}

// Where there is no exact shortcut, the error gives the reason.
func ExamplePath_Exact() {
	x, y, queries := sample()
	goal, err := goals.Scored(y, 1, queries, pref.Options{Ties: "exclude"})
	if err != nil {
		panic(err)
	}
	path, err := rls.Factor(context.Background(), rls.Primal(x), goal)
	if err != nil {
		panic(err)
	}
	var reason *rls.NotExactError
	fmt.Println(path.Exact(queries))
	fmt.Println(errors.As(path.Exact(data.Singletons(6)), &reason))
	// Output:
	// <nil>
	// true
}

// Sum the queries of each part of the data, and train from the sums; here there are two parts. Each
// query is in a fold, and HeldOut gives the loss on a fold from the other folds.
func ExampleStatistics() {
	x, y, queries := sample()
	sums, part := must(rls.NewStatistics(rls.StatisticsOptions{Folds: 2})),
		must(rls.NewStatistics(rls.StatisticsOptions{Folds: 2}))
	for q := range queries.Len() {
		rows := queries.Part(q)
		lo, hi := int(rows[0]), int(rows[len(rows)-1])+1
		into := []*rls.Statistics{sums, part}[q%2]
		if err := into.Add(data.Slice(x, lo, hi), y[lo:hi], nil, q%2); err != nil {
			panic(err)
		}
	}
	if err := sums.Merge(part); err != nil {
		panic(err)
	}
	fit := must(sums.Solve(context.Background(), 1))
	losses := must(sums.HeldOut(context.Background(), []float64{1}))
	fmt.Printf("%d rows, %d pairs, weights %.3f\n", sums.Rows(), sums.Pairs(), fit.Coef.Data)
	for _, loss := range losses {
		fmt.Printf("loss %.3f of %.3f\n", loss.Loss[0][0], loss.Zero[0])
	}
	// Output:
	// 6 rows, 6 pairs, weights [0.923]
	// loss 0.122 of 6.000
	// loss 0.122 of 6.000
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
