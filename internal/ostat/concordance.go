package ostat

import "slices"

// Concordance counts, for each row of a list, the rows that labels and scores order alike
// less those that they order oppositely. It keeps memory between calls, and is for one
// goroutine.
type Concordance struct {
	sorter Argsorter
	order  []int32
	level  []int32 // of the label of each row, 0 for the least
	levels int
	tree   []int32 // Fenwick tree over the levels
}

// SetLabels takes the labels of m rows, none NaN, in O(m log m).
func (c *Concordance) SetLabels(y []float64) {
	distinct := slices.Compact(slices.Sorted(slices.Values(y)))
	c.level, c.levels = grown(c.level, len(y)), len(distinct)
	for i, v := range y {
		at, _ := slices.BinarySearch(distinct, v)
		c.level[i] = int32(at)
	}
	c.tree = grown(c.tree, c.levels+1)
}

// PairsTo sets dst[i] to the number of rows with another label than row i, in O(m + r) for
// r labels. It panics unless dst is as long as the labels.
func (c *Concordance) PairsTo(dst []int64) {
	of := make([]int64, c.levels)
	for _, l := range c.level {
		of[l]++
	}
	for i, l := range c.level[:len(dst)] {
		dst[i] = int64(len(c.level)) - of[l]
	}
}

// CountTo sets dst[i] to Σ_j sgn(y_i − y_j) sgn(f_i − f_j), in O(m log m), and returns the
// order of the scores f, ascending, which the next call changes. It returns false where a
// score is NaN. It panics unless dst and f are as long as the labels.
func (c *Concordance) CountTo(dst []int64, f []float64) (order []int32, ok bool) {
	m := len(c.level)
	c.order = grown(c.order, m)
	if len(dst) != m || !c.sorter.ArgsortTo(c.order, f) {
		return nil, false
	}
	clear(dst)
	c.sweep(dst, f, 1)
	slices.Reverse(c.order)
	c.sweep(dst, f, -1)
	slices.Reverse(c.order)
	return c.order, true
}

// sweep adds for each row what the rows before it in the order say, which have a smaller
// score where sign is 1, and a larger where it is −1.
func (c *Concordance) sweep(dst []int64, f []float64, sign int64) {
	clear(c.tree)
	for lo := 0; lo < len(c.order); {
		hi := lo
		for hi < len(c.order) && f[c.order[hi]] == f[c.order[lo]] {
			i := c.order[hi]
			below, most := c.below(c.level[i]), c.below(c.level[i]+1)
			dst[i] += sign * int64(below-(int32(lo)-most))
			hi++
		}
		for _, i := range c.order[lo:hi] {
			for at := int(c.level[i]) + 1; at <= c.levels; at += at & -at {
				c.tree[at]++
			}
		}
		lo = hi
	}
}

// below is how many rows in the tree have a level below l.
func (c *Concordance) below(l int32) (n int32) {
	for at := int(l); at > 0; at -= at & -at {
		n += c.tree[at]
	}
	return n
}
