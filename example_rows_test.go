package pairrank_test

import (
	"context"
	"fmt"
	"os"

	"pairrank"
)

func Example_rows() {
	x := [][]float64{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {1, 3}, {3, 1}, {2, 2}}
	y := []float64{2, 1, 2, 3, 1, 2, 3, 1}
	queries := []string{"a", "a", "a", "b", "b", "c", "c", "c"}
	set, err := pairrank.Rows(x, y, queries)
	check(err)
	result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, pairrank.Options{})
	check(err)
	fmt.Println(result.Choice.Lambda, result.Choice.Error)
	check(result.Model.WriteFile(os.TempDir() + "/model.txt"))
	fmt.Printf("%.3f\n", result.Model.ScoreRow([]float64{1, 2}))
	// Output:
	// 256 0.16666666666666666
	// -0.025
}
