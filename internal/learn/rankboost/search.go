package rankboost

import (
	"math"
	"slices"

	"pairrank/internal/parallel"
)

// equal is the difference up to which two |r| count as equal, and |r| as 0. r lies between −1 and
// 1, and the rounding of a sum of a million potentials stays below this. Equal stumps are common,
// since features repeat each other; the order of a sum must not decide between them.
const equal = 0x1p-40

// split is a stump as a cut of a sorted column: places up to at, from the
// outside, against all others.
type split struct {
	column *column
	below  bool // whether at counts in column.below, where the stump is 0, or in column.above, where it is 1
	at     int
}

// best returns the stump with the largest |r|, r = Σ π_i h_i; among equals that of the lowest
// feature, then of the lowest threshold. mass is the sum of D. It costs O(1) for each value that is
// not zero. found is false where |r| is 0 for all stumps.
func (c *columns) best(pi []float64, mass float64) (s split, found bool) {
	parallel.Chunks(len(c.list), c.piece, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			col := &c.list[k]
			c.peak[k] = max(peak(col.above, pi), peak(col.below, pi))
		}
	})
	top := 0.0
	for _, r := range c.peak {
		top = max(top, r)
	}
	if !(top > equal*mass) {
		return split{}, false
	}
	target := top - equal*mass
	first := slices.IndexFunc(c.peak, func(r float64) bool { return r >= target })
	return c.list[first].lowest(pi, target), true
}

// peak is the largest |r| over the thresholds of one side of a column. The
// potentials add up to 0, so that the sum from the outside to a threshold is r
// on the side above zero and −r on that below.
func peak(side []int32, pi []float64) float64 {
	sum, top := 0.0, 0.0
	for _, p := range side {
		if p >= 0 {
			sum += pi[p]
			continue
		}
		sum += pi[^p]
		if r := math.Abs(sum); r > top {
			top = r
		}
	}
	return top
}

// lowest is the lowest threshold of the column whose |r| reaches the target, which
// is at most the column's peak.
func (c *column) lowest(pi []float64, target float64) split {
	sum := 0.0
	for k, p := range c.below { // ascending: the first one is the lowest
		if p >= 0 {
			sum += pi[p]
			continue
		}
		sum += pi[^p]
		if math.Abs(sum) >= target {
			return split{c, true, k}
		}
	}
	s := split{column: c}
	sum = 0
	for k, p := range c.above { // descending: the last one is the lowest
		if p >= 0 {
			sum += pi[p]
			continue
		}
		sum += pi[^p]
		if math.Abs(sum) >= target {
			s.at = k
		}
	}
	return s
}

// markTo sets in to 1 at the places where the stump is 1, and else to 0.
func (s split) markTo(in []float64) {
	side, inside, outside := s.column.above, 0.0, 1.0
	if s.below {
		side, inside, outside = s.column.below, 1.0, 0.0
	}
	for i := range in {
		in[i] = inside
	}
	for _, p := range side[:s.at+1] {
		if p < 0 {
			p = ^p
		}
		in[p] = outside
	}
}

// threshold lies between the values on the two sides of the split.
func (c *columns) threshold(s split) float64 {
	col, side := s.column, s.column.above
	if s.below {
		side = col.below
	}
	outer, inner := c.value(side[s.at], col.feature), 0.0
	switch {
	case s.at+1 < len(side):
		inner = c.value(side[s.at+1], col.feature)
	case len(col.above)+len(col.below) == len(c.rows): // no zeros between the sides
		inner = c.value(col.below[len(col.below)-1], col.feature)
	}
	return between(min(outer, inner), max(outer, inner))
}
