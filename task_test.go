package pairrank

import (
	"testing"

	"pairrank/data"
)

// TestIdleQueries counts the queries that compare nothing.
func TestIdleQueries(t *testing.T) {
	queries := data.NewQueries([]int32{0, 0, 1, 2, 2, 2}, []string{"a", "b", "c"})
	if single, alike := idleQueries([]float64{1, 2, 1, 3, 3, 3}, queries); single != 1 || alike != 1 {
		t.Errorf("%d of one row and %d of one label", single, alike)
	}
}
