package doubt

import (
	"math"
	"slices"

	"pairrank/data"
)

// rowNumbers returns the features of x, m×n, that look like row numbers, which some programs write
// into a table: their values are whole numbers, 0 or more, and ascend from each row to the next.
// With fewer than five rows it returns none, since few values may ascend by chance. It costs O(n),
// and O(log n) for each row of a feature up to the first that does not ascend.
func rowNumbers(x data.Matrix) []int {
	const few = 5
	m, _ := x.Dims()
	if m < few {
		return nil
	}
	var found []int
	data.Each(x, 1, func(j int, _ float64) { // a value that is not stored is 0, and does not ascend
		last := -1.0
		for i := range m {
			v := entry(x, i, j)
			if v <= last || v != math.Trunc(v) {
				return
			}
			last = v
		}
		found = append(found, j)
	})
	return found
}

// entry is the value in row i and column j.
func entry(x data.Matrix, i, j int) float64 {
	switch x := x.(type) {
	case *data.Dense:
		return x.Row(i)[j]
	case *data.CSR:
		cols, vals := x.Row(i)
		if k, stored := slices.BinarySearch(cols, int32(j)); stored {
			return vals[k]
		}
	}
	return 0
}
