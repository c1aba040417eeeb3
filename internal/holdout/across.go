package holdout

import (
	"cmp"
	"slices"

	"pairrank/internal/pick"
)

// Across are units that cross queries, as the columns of edges whose queries are the rows. A pair of rows counts for
// the units of both.
type Across struct {
	Of    []int32 // the unit of each row; nil for queries alone
	N     int     // units
	Alone bool    // the standard error is over these units, not over queries
}

// addAcross adds the pairs of a list of one λ to the units of its rows.
func (c *collector) addAcross(l int, rows []int32, y, scores []float64) {
	wrong, pairs := eachOfPairs(y, scores)
	c.mu.Lock()
	defer c.mu.Unlock()
	for a, i := range rows { // sums of halves are exact in any order
		unit := &c.across[l][c.o.Across.Of[i]]
		unit.Num, unit.Den = unit.Num+wrong[a], unit.Den+pairs[a]
	}
}

// eachOfPairs counts for each row the pairs with another label, and those in the wrong order, tied scores ½, in
// O(n log n).
func eachOfPairs(y, scores []float64) (wrong, pairs []float64) {
	n := len(y)
	levels := slices.Compact(slices.Sorted(slices.Values(y)))
	level, order := make([]int, n), pick.All[int](n)
	tree, of := make([]float64, len(levels)+1), make([]float64, len(levels)+1)
	for i, v := range y {
		level[i], _ = slices.BinarySearch(levels, v)
		of[level[i]+1]++
	}
	for k := range levels { // labels below each level
		of[k+1] += of[k]
	}
	below := func(k int) (sum float64) { // rows in the tree with a level below k
		for ; k > 0; k &= k - 1 {
			sum += tree[k]
		}
		return sum
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scores[i], scores[j]) })
	wrong, pairs = make([]float64, n), make([]float64, n)
	before := make([][2]float64, n)
	for lo, hi := 0, 0; lo < n; lo = hi {
		for hi = lo; hi < n && scores[order[hi]] == scores[order[lo]]; hi++ {
			i := order[hi]
			k := level[i]
			before[i] = [2]float64{below(k), below(k + 1)} // rows of smaller scores
			pairs[i] = float64(n) - (of[k+1] - of[k])
			wrong[i] = float64(lo) - before[i][1] + of[k] - before[i][0]
		}
		for _, i := range order[lo:hi] {
			for k := level[i] + 1; k < len(tree); k += k & -k {
				tree[k]++
			}
		}
		for _, i := range order[lo:hi] { // tied rows of smaller labels were counted, those of greater ones not
			less, upTo := below(level[i])-before[i][0], below(level[i]+1)-before[i][1]
			wrong[i] += (float64(hi-lo) - upTo - less) / 2
		}
	}
	return wrong, pairs
}
