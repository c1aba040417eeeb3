package holdout

import (
	"testing"

	"pairrank/data"
)

// Pairs with different labels are counted within the queries.
func TestCountPairs(t *testing.T) {
	y, of := []float64{1, 2, 2, 3, 5, 5, 1}, []int32{0, 0, 0, 0, 1, 1, 1}
	if got := CountPairs(y, nil, data.NewPartition(of, 2)); got != 5+2 {
		t.Errorf("%d pairs", got)
	}
}
