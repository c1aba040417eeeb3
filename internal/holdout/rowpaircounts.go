package holdout

import (
	"cmp"
	"slices"
	"sync"

	"pairrank/eval/cv"
)

// RowPairCounts counts held-out pairs by row. Its methods may be called from several goroutines.
type RowPairCounts struct {
	labels Labels
	query  []int32
	mu     sync.Mutex
	pairs  []int64
	wrong  []int64 // halves
}

// NewRowPairCounts counts pairs of rows with labels of one output, within queries.
func NewRowPairCounts(labels Labels) *RowPairCounts {
	labels = labels.resolved()
	m := labels.rows()
	return &RowPairCounts{labels: labels, query: labels.Queries.Of(), pairs: make([]int64, m), wrong: make([]int64, m)}
}

// Add takes the scores fi of row i and fj of the rows after it, each pair scored without both rows, as
// rls.Path.LeavePairOut gives them. The cost is O(len(fi)).
func (c *RowPairCounts) Add(i int, fi, fj []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for b, f := range fi {
		j := i + 1 + b
		above := c.labels.order(int32(i), int32(j), 0)
		if c.query[i] != c.query[j] || above == 0 {
			continue
		}
		lost := 1 - above*sign(f, fj[b])
		c.pairs[i]++
		c.pairs[j]++
		c.wrong[i] += lost
		c.wrong[j] += lost
	}
}

// Worst returns the rows with a pair, by falling share of wrong pairs, then in their order, in O(m log m).
func (c *RowPairCounts) Worst() []cv.RowPairs {
	rows := []cv.RowPairs{}
	for i, n := range c.pairs {
		if n > 0 {
			rows = append(rows, cv.RowPairs{Row: i, Pairs: n, Wrong: float64(c.wrong[i]) / 2})
		}
	}
	slices.SortStableFunc(rows, func(a, b cv.RowPairs) int { return cmp.Compare(share(b), share(a)) })
	return rows
}
