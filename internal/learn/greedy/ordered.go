package greedy

import (
	"slices"
)

// levelsOf are the places of labels among their different values, from 0, and the number of pairs with different
// labels; nil if there are none.
func levelsOf(y []float64) (levels []int32, pairs int64) {
	values := slices.Compact(slices.Sorted(slices.Values(y)))
	if len(values) < 2 {
		return nil, 0
	}
	levels, count := make([]int32, len(y)), make([]int64, len(values))
	for a, v := range y {
		k, _ := slices.BinarySearch(values, v)
		levels[a] = int32(k)
		count[k]++
	}
	before := int64(0)
	for _, c := range count {
		pairs, before = pairs+before*c, before+c
	}
	return levels, pairs
}

// counter counts the pairs of a list in the wrong order. Its memory is kept between calls.
type counter struct {
	order []int32
	tree  []int32 // a Fenwick tree over levels, of the rows with smaller scores
	tied  []int32 // the rows of each level among tied ones
	// The sums of weights in the place of tree, of the levels from the last, and of tied.
	above, level []float64
}

// halves is twice the number of pairs of different levels whose scores f are in the wrong order, tied ones once.
// Scores are tied with the first of ascending scores that is within the sum of their bounds. It takes O(h log h) for
// h rows.
func (c *counter) halves(f, bound []float64, levels []int32) (halves int64) {
	c.sort(f)
	n := int(slices.Max(levels)) + 1
	c.tree, c.tied = grown(c.tree, n+1), grown(c.tied, n)
	clear(c.tree)
	clear(c.tied)
	for lo := 0; lo < len(c.order); {
		first, hi := c.order[lo], lo+1
		for hi < len(c.order) && f[c.order[hi]]-f[first] <= bound[c.order[hi]]+bound[first] {
			hi++
		}
		for a, i := range c.order[lo:hi] { // against rows with smaller scores, and once for each tied pair
			halves += 2*int64(int32(lo)-c.upTo(levels[i])) + int64(int32(a)-c.tied[levels[i]])
			c.tied[levels[i]]++
		}
		for _, i := range c.order[lo:hi] {
			c.put(levels[i])
			c.tied[levels[i]] = 0
		}
		lo = hi
	}
	return halves
}

// weighed is halves of rows with weights: a pair counts their product. The weights of the levels above are added, so
// that no pair in the wrong order is 0.
func (c *counter) weighed(f, bound []float64, levels []int32, mass []float64) (halves float64) {
	c.sort(f)
	n := int(slices.Max(levels)) + 1
	c.above, c.level = grown(c.above, n+1), grown(c.level, n)
	clear(c.above)
	clear(c.level)
	for lo := 0; lo < len(c.order); {
		first, hi, tied := c.order[lo], lo+1, 0.0
		for hi < len(c.order) && f[c.order[hi]]-f[first] <= bound[c.order[hi]]+bound[first] {
			hi++
		}
		for _, i := range c.order[lo:hi] {
			for x := n - 1 - int(levels[i]); x > 0; x -= x & -x {
				halves += 2 * mass[i] * c.above[x]
			}
			halves += mass[i] * (tied - c.level[levels[i]])
			tied += mass[i]
			c.level[levels[i]] += mass[i]
		}
		for _, i := range c.order[lo:hi] {
			for x := n - int(levels[i]); x < len(c.above); x += x & -x {
				c.above[x] += mass[i]
			}
			c.level[levels[i]] = 0
		}
		lo = hi
	}
	return halves
}

// upTo counts the rows of levels up to one.
func (c *counter) upTo(level int32) (sum int32) {
	for x := level + 1; x > 0; x -= x & -x {
		sum += c.tree[x]
	}
	return sum
}

func (c *counter) put(level int32) {
	for x := int(level) + 1; x < len(c.tree); x += x & -x {
		c.tree[x]++
	}
}

// sort sorts the rows by their scores, short lists by insertion.
func (c *counter) sort(f []float64) {
	const short = 24
	c.order = grown(c.order, len(f))
	for a := range c.order {
		c.order[a] = int32(a)
	}
	if len(f) > short {
		slices.SortFunc(c.order, func(a, b int32) int {
			switch {
			case f[a] < f[b]:
				return -1
			case f[a] > f[b]:
				return 1
			}
			return int(a - b)
		})
		return
	}
	for a := 1; a < len(f); a++ {
		row, b := c.order[a], a
		for ; b > 0 && f[c.order[b-1]] > f[row]; b-- {
			c.order[b] = c.order[b-1]
		}
		c.order[b] = row
	}
}

// grown is s with n elements.
func grown[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
