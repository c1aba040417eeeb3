package stream_test

import (
	"context"
	"fmt"
	"strconv"

	"pairrank/data"
	"pairrank/stream"
)

// Rows that are made, or read, one query after the other are summed and dropped. A part may be read on another
// machine, and its statistics merged.
func ExampleSum() {
	queries := func(from, to int) stream.Part {
		return stream.Part{Name: fmt.Sprintf("queries %d to %d", from, to),
			Each: func(ctx context.Context, add func(data.Query) error) error {
				for q := from; q < to; q++ {
					x := data.NewDense(3, 2, []float64{1, float64(q % 3), 0, 1, 2, float64(q % 5)})
					if err := add(data.Query{ID: strconv.Itoa(q), X: x,
						Y: []float64{1, float64(q % 2), 2}}); err != nil {
						return err
					}
				}
				return ctx.Err()
			}}
	}
	ctx := context.Background()
	sums, err := stream.Sum(ctx, []stream.Part{queries(0, 500), queries(500, 1000)}, stream.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := sums.Train(ctx, stream.TrainOptions{Lambdas: []float64{0.1, 1, 1e4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sums.Rows(), "rows,", sums.Queries(), "queries of", len(sums.Sources()), "parts")
	fmt.Printf("λ = %g, %s %.4f by %s\n", result.Choice.Lambda, result.Choice.Measure,
		result.Choice.Error, result.Choice.Method)
	fmt.Printf("scores %.3f of (1, 2)\n", result.Model.ScoreRow([]float64{1, 2}))
	// Output:
	// 3000 rows, 1000 queries of 2 parts
	// λ = 1, relative-squared-error 0.1539 by kfold:10
	// scores 0.814 of (1, 2)
}
