package ostat

import "slices"

// Concordance counts, for each row of a list, the rows that labels and scores order alike
// less those that they order oppositely, for one set of labels. It is safe for concurrent
// use.
type Concordance struct {
	level []int32 // of the label of each row, 0 for the least
	rows  []int64 // of each level
}

// NewConcordance takes the labels of m rows, none NaN, in O(m log m).
func NewConcordance(y []float64) *Concordance {
	distinct := slices.Compact(slices.Sorted(slices.Values(y)))
	c := &Concordance{make([]int32, len(y)), make([]int64, len(distinct))}
	for i, v := range y {
		at, _ := slices.BinarySearch(distinct, v)
		c.level[i] = int32(at)
		c.rows[at]++
	}
	return c
}

// Level returns the place of the label of row i among all labels, 0 for the least, in O(1).
func (c *Concordance) Level(i int) int32 { return c.level[i] }

// PairsTo sets dst[i] to the number of rows with another label than row i, in O(m). It panics
// where dst is longer than the labels.
func (c *Concordance) PairsTo(dst []int64) {
	for i, l := range c.level[:len(dst)] {
		dst[i] = int64(len(c.level)) - c.rows[l]
	}
}

// CountTo sets dst[i] to Σ_j sgn(y_i − y_j) sgn(f_i − f_j), in O(m log m), and returns the
// order of the scores f, ascending. It returns false where a score is NaN. It panics unless
// dst and f are as long as the labels.
func (c *Concordance) CountTo(dst []int64, f []float64) (order []int32, ok bool) {
	m := len(c.level)
	order = make([]int32, m)
	var sorter Argsorter
	if len(dst) != m || !sorter.ArgsortTo(order, f) {
		return nil, false
	}
	clear(dst)
	tree := make(levelTree, len(c.rows)+1)
	c.sweep(tree, order, dst, f, 1)
	slices.Reverse(order)
	clear(tree)
	c.sweep(tree, order, dst, f, -1)
	slices.Reverse(order)
	return order, true
}

// sweep adds for each row what the rows before it in the order say, which have a smaller
// score where sign is 1, and a larger where it is −1.
func (c *Concordance) sweep(tree levelTree, order []int32, dst []int64, f []float64, sign int64) {
	for lo := 0; lo < len(order); {
		hi := lo
		for hi < len(order) && f[order[hi]] == f[order[lo]] {
			i := order[hi]
			below, most := tree.below(c.level[i]), tree.below(c.level[i]+1)
			dst[i] += sign * int64(below-(int32(lo)-most))
			hi++
		}
		for _, i := range order[lo:hi] {
			tree.put(c.level[i])
		}
		lo = hi
	}
}

// levelTree is how many rows have a level, as a Fenwick tree.
type levelTree []int32

func (t levelTree) put(l int32) {
	for at := int(l) + 1; at < len(t); at += at & -at {
		t[at]++
	}
}

// below is how many rows have a level below l.
func (t levelTree) below(l int32) (n int32) {
	for at := int(l); at > 0; at -= at & -at {
		n += t[at]
	}
	return n
}
