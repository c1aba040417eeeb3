package main

import (
	"fmt"
	"math"
	"pairrank/cmd/pairrank/internal/cli"
)

// finiteScores is a numerical error that names the first score that is NaN or
// infinite; name is of what has the i-th score.
func finiteScores(scores []float64, name func(i int) string) error {
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return cli.WithHint(cli.AsNumerical(fmt.Errorf("the score of %s overflows double precision: it is %v", name(i), s)),
				"bring the features to a usual size, in training too: train --normalize zscore does it for both")
		}
	}
	return nil
}

// rowOf names the row of the i-th of v scores a row.
func rowOf(v int) func(i int) string {
	return func(i int) string { return fmt.Sprintf("row %d", i/v+1) }
}

// pairOf names a pair of nodes.
func pairOf(rows, cols []string, row, col []int32) func(i int) string {
	return func(i int) string { return fmt.Sprintf("row %q with column %q", rows[row[i]], cols[col[i]]) }
}
