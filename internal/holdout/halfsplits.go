package holdout

import (
	"math/rand/v2"
	"slices"

	"pairrank/data"
)

// SplitRows returns a function that draws two halves of the m rows with labels y. Rows of
// a label that at least four rows have are dealt evenly to both halves; the others are
// shuffled together. The halves differ by one row at most. A draw costs a sort of m rows.
func SplitRows(y []float64) func(r *rand.Rand) [2][]int {
	count := map[float64]int{}
	for _, v := range y {
		count[v]++
	}
	const enough = 4
	class := func(i int) (float64, bool) { return y[i], count[y[i]] >= enough }
	return func(r *rand.Rand) [2][]int {
		order := r.Perm(len(y))
		slices.SortStableFunc(order, func(i, j int) int {
			a, many := class(i)
			b, others := class(j)
			switch {
			case many != others:
				if many {
					return -1
				}
				return 1
			case !many || a == b:
				return 0
			case a < b:
				return -1
			}
			return 1
		})
		return dealt(order, r)
	}
}

// SplitQueries draws halves of n queries.
func SplitQueries(n int) func(r *rand.Rand) [2][]int {
	return func(r *rand.Rand) [2][]int { return dealt(r.Perm(n), r) }
}

// dealt gives every second unit to each half, in ascending order. It draws which half comes first.
func dealt(order []int, r *rand.Rand) (halves [2][]int) {
	first := r.IntN(2)
	for place, i := range order {
		h := (place + first) % 2
		halves[h] = append(halves[h], i)
	}
	slices.Sort(halves[0])
	slices.Sort(halves[1])
	return halves
}

// RowsOfQueries returns the rows of some queries, ascending, in O(h log h) for h of them.
// It panics when a query is out of range.
func RowsOfQueries(queries *data.Partition, some []int) []int {
	var rows []int
	for _, q := range some {
		for _, i := range queries.Part(q) {
			rows = append(rows, int(i))
		}
	}
	slices.Sort(rows)
	return rows
}
