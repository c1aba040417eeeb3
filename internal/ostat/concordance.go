package ostat

import (
	"pairrank/internal/parallel"
)

// Concordance counts, for each row of a list, the concordant minus the discordant rows, for one set
// of labels. It is safe for concurrent use.
type Concordance struct {
	tags    []uint64 // rows, and above 32 the level of their labels, 0 for the least
	rows    []int64  // of each level, or their weights
	all     []int64  // Σ_j sgn(y_i − y_j) of a row i of each level
	total   int64    // rows, or their weights
	weights []int64  // nil without
}

// NewConcordance takes the labels of m rows, none NaN, in O(m log m).
func NewConcordance(y []float64) *Concordance {
	c := &Concordance{tags: make([]uint64, len(y)), total: int64(len(y))}
	for i := range c.tags {
		c.tags[i] = uint64(i)
	}
	var sort sorter
	sorted, ok := sort.order(y, c.tags)
	if !ok {
		panic("ostat: NewConcordance: a label is NaN")
	}
	for a := 0; a < len(sorted); {
		b := tieEnd(sorted, a)
		for _, e := range sorted[a:b] {
			c.tags[e.tag] |= uint64(len(c.rows)) << 32
		}
		c.rows, c.all = append(c.rows, int64(b-a)), append(c.all, int64(a-(len(y)-b)))
		a = b
	}
	return c
}

// Level returns the place of the label of row i among all labels, 0 for the least, in O(1).
func (c *Concordance) Level(i int) int32 { return int32(c.tags[i] >> 32) }

// PairsTo sets dst[i] to the number of rows with another label than row i, in O(m). It panics
// where dst is longer than the labels.
func (c *Concordance) PairsTo(dst []int64) {
	for i, t := range c.tags[:len(dst)] {
		dst[i] = c.total - c.rows[t>>32]
	}
}

// ConcordanceMemory is the memory that CountTo reuses between calls. The zero value is ready to
// use. It is not safe for concurrent use.
type ConcordanceMemory struct {
	order   []int32
	sorted  []float64
	sort    sorter
	bounds  []int        // of the pieces of the order
	before  []int32      // for each piece, the rows of each level in the pieces before it
	seen    []seenLevels // of each goroutine
	weighed weighedLevels
}

// CountTo sets dst[i] to Σ_j sgn(y_i − y_j) sgn(f_i − f_j), in O(m log m), and returns the
// order of the scores f, ascending, and the scores in this order, 0 for −0. Both are valid until
// the next call with this memory. It returns false where a score is NaN. It panics unless dst and f
// are as long as the labels.
//
// A sweep over the order sums over the rows with smaller scores. The sum over all rows depends on
// the labels alone, so that the rows with larger scores contribute the difference. A long order is
// swept in pieces; each piece begins with the counts of the levels before it.
func (c *Concordance) CountTo(dst []int64, f []float64, memory *ConcordanceMemory) (order []int32,
	sorted []float64, ok bool) {
	m := len(c.tags)
	if len(dst) != m || len(f) != m {
		panic("ostat: CountTo: dst and f are not as long as the labels")
	}
	entries, ok := memory.sort.order(f, c.tags)
	if !ok {
		return nil, nil, false
	}
	memory.order, memory.sorted = grown(memory.order, m), grown(memory.sorted, m)
	if c.weights != nil {
		for a, e := range entries {
			memory.order[a], memory.sorted[a] = int32(uint32(e.tag)), keyed(e.key)
		}
		c.sweepWeights(dst, entries, &memory.weighed)
		return memory.order, memory.sorted, true
	}
	memory.cut(entries, len(c.rows))
	for len(memory.seen) < parallel.Workers() {
		memory.seen = append(memory.seen, seenLevels{})
	}
	parallel.For(len(memory.bounds)-1, func(worker, p int) {
		seen, levels := &memory.seen[worker], len(c.rows)
		seen.reset(memory.before[p*levels : (p+1)*levels])
		lo, hi := memory.bounds[p], memory.bounds[p+1]
		for a, e := range entries[lo:hi] {
			memory.order[lo+a], memory.sorted[lo+a] = int32(uint32(e.tag)), keyed(e.key)
		}
		c.sweep(dst, entries, lo, hi, seen)
	})
	return memory.order, memory.sorted, true
}

// cut cuts the sorted scores into pieces of whole ties, and counts the rows of each level
// before each of them.
func (memory *ConcordanceMemory) cut(sorted []entry, levels int) {
	m := len(sorted)
	parts := min(mostPieces, 1+m/largeList)
	if levels > 0 {
		parts = max(1, min(parts, 4*m/levels)) // counts of levels take less memory than the order
	}
	memory.bounds = append(memory.bounds[:0], 0)
	for p := 1; p < parts; p++ {
		at := max(p*m/parts, memory.bounds[p-1])
		for at > 0 && at < m && sorted[at].key == sorted[at-1].key {
			at++
		}
		memory.bounds = append(memory.bounds, at)
	}
	memory.bounds = append(memory.bounds, m)
	memory.before = grown(memory.before, parts*levels)
	if parts == 1 {
		clear(memory.before)
		return
	}
	parallel.For(parts, func(_, p int) {
		count := memory.before[p*levels : (p+1)*levels]
		clear(count)
		for _, e := range sorted[memory.bounds[p]:memory.bounds[p+1]] {
			count[e.tag>>32]++
		}
	})
	parallel.Chunks(levels, pieceRows, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			sum := int32(0)
			for at := l; at < len(memory.before); at += levels {
				memory.before[at], sum = sum, sum+memory.before[at]
			}
		}
	})
}

// sweep sets dst of the rows at the positions [lo,hi), those before being seen.
func (c *Concordance) sweep(dst []int64, sorted []entry, lo, hi int, seen *seenLevels) {
	for end := lo; lo < hi; lo = end {
		end = tieEnd(sorted, lo)
		if end == lo+1 { // the usual case
			t := sorted[lo].tag
			l := int32(t >> 32)
			dst[uint32(t)] = 2*seen.balance(l, lo) - c.all[l]
			seen.put(l)
			continue
		}
		tied := sorted[lo:end]
		for _, e := range tied {
			dst[uint32(e.tag)] = seen.balance(int32(e.tag>>32), lo)
		}
		for _, e := range tied {
			seen.put(int32(e.tag >> 32))
		}
		for _, e := range tied {
			l := int32(e.tag >> 32)
			dst[uint32(e.tag)] += seen.balance(l, end) - c.all[l]
		}
	}
}

// seenLevels counts the rows of each level, and of runs of levels as a Fenwick tree.
type seenLevels struct{ at, tree []int32 }

// reset begins with counts of rows of each level.
func (s *seenLevels) reset(counts []int32) {
	s.at, s.tree = grown(s.at, len(counts)), grown(s.tree, len(counts)+1)
	copy(s.at, counts)
	s.tree[0] = 0
	copy(s.tree[1:], counts)
	for at := 1; at < len(s.tree); at++ {
		if up := at + at&-at; up < len(s.tree) {
			s.tree[up] += s.tree[at]
		}
	}
}

func (s *seenLevels) put(l int32) {
	s.at[l]++
	for at := int(l) + 1; at < len(s.tree); at += at & -at {
		s.tree[at]++
	}
}

// balance is the number of rows with a level below l, minus those above, among the n rows put in.
func (s *seenLevels) balance(l int32, n int) int64 {
	below := int32(0)
	for at := int(l); at > 0; at -= at & -at {
		below += s.tree[at]
	}
	return 2*int64(below) + int64(s.at[l]) - int64(n)
}
