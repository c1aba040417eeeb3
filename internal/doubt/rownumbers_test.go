package doubt

import (
	"slices"
	"testing"

	"pairrank/data"
)

func TestRowNumbers(t *testing.T) {
	// 0, 3 and 6 are whole and ascend; the others have equal values, fractions, one below 0, or descend.
	rows := [][]float64{
		{1, 1, 1, 0, 0.5, -1, 1, 9},
		{2, 2, 2, 1, 1, 0, 2, 8},
		{3, 2, 2.5, 2, 2, 1, 3, 7},
		{5, 3, 3, 3, 3, 2, 4, 6},
		{9, 4, 4, 4, 4, 3, 70, 5},
	}
	x := data.NewDense(5, 8, slices.Concat(rows...))
	want := []int{0, 3, 6}
	for name, x := range map[string]data.Matrix{"dense": x, "sparse": storedOf(x)} {
		if got := rowNumbers(x); !slices.Equal(got, want) {
			t.Errorf("%s: features %v, want %v", name, got, want)
		}
		if got := rowNumbers(data.Select(x, []int{0, 1, 2, 3})); got != nil {
			t.Errorf("%s: features %v of four rows", name, got)
		}
		if got := rowNumbers(data.Select(x, []int{1, 0, 2, 3, 4})); got != nil {
			t.Errorf("%s: features %v of rows in another order", name, got)
		}
	}
}
