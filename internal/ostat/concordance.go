package ostat

import "slices"

// Concordance counts, for each row of a list, the rows that labels and scores order alike
// less those that they order oppositely, for one set of labels. It is safe for concurrent
// use.
type Concordance struct {
	level []int32 // of the label of each row, 0 for the least
	rows  []int64 // of each level
	all   []int64 // Σ_j sgn(y_i − y_j) of a row i of each level
}

// NewConcordance takes the labels of m rows, none NaN, in O(m log m).
func NewConcordance(y []float64) *Concordance {
	distinct := slices.Compact(slices.Sorted(slices.Values(y)))
	c := &Concordance{make([]int32, len(y)), make([]int64, len(distinct)), make([]int64, len(distinct))}
	for i, v := range y {
		at, _ := slices.BinarySearch(distinct, v)
		c.level[i] = int32(at)
		c.rows[at]++
	}
	below := int64(0)
	for l, n := range c.rows {
		c.all[l] = below - (int64(len(y)) - below - n)
		below += n
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

// ConcordanceMemory is what CountTo keeps between calls. The zero value is ready to use. It
// is not safe for concurrent use.
type ConcordanceMemory struct {
	order  []int32
	sorter Argsorter
	seen   seenLevels
}

// CountTo sets dst[i] to Σ_j sgn(y_i − y_j) sgn(f_i − f_j), in O(m log m), and returns the
// order of the scores f, ascending, which is valid until the next call with this memory. It
// returns false where a score is NaN. It panics unless dst and f are as long as the labels.
//
// One sweep over the order sums over the rows with smaller scores. What those with larger
// scores add is what all rows do, by their labels alone, less the others.
func (c *Concordance) CountTo(dst []int64, f []float64, memory *ConcordanceMemory) (order []int32, ok bool) {
	m := len(c.level)
	if len(dst) != m || len(f) != m {
		panic("ostat: CountTo: dst and f are not as long as the labels")
	}
	order = grown(memory.order, m)
	memory.order = order
	if !memory.sorter.ArgsortTo(order, f) {
		return nil, false
	}
	seen := &memory.seen
	seen.reset(len(c.rows))
	for lo, hi := 0, 0; lo < m; lo = hi {
		for hi = lo + 1; hi < m && f[order[hi]] == f[order[lo]]; hi++ {
		}
		tied := order[lo:hi]
		for _, i := range tied {
			dst[i] = seen.balance(c.level[i], lo)
		}
		for _, i := range tied {
			seen.put(c.level[i])
		}
		for _, i := range tied {
			withTied := dst[i]
			if len(tied) > 1 {
				withTied = seen.balance(c.level[i], hi)
			}
			dst[i] += withTied - c.all[c.level[i]]
		}
	}
	return order, true
}

// seenLevels is how many rows have a level, for each, and for runs of them as a Fenwick tree.
type seenLevels struct{ at, tree []int32 }

func (s *seenLevels) reset(levels int) {
	s.at, s.tree = grown(s.at, levels), grown(s.tree, levels+1)
	clear(s.at)
	clear(s.tree)
}

func (s *seenLevels) put(l int32) {
	s.at[l]++
	for at := int(l) + 1; at < len(s.tree); at += at & -at {
		s.tree[at]++
	}
}

// balance is how many of the n rows put in have a level below l, less those above.
func (s *seenLevels) balance(l int32, n int) int64 {
	below := int32(0)
	for at := int(l); at > 0; at -= at & -at {
		below += s.tree[at]
	}
	return 2*int64(below) + int64(s.at[l]) - int64(n)
}
