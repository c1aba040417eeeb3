package ostat

import "math"

// Pairs counts the unordered pairs {i,j}, i≠j, of one list by the orders of labels y and scores f.
// Every pair is in exactly one class, so the five counts sum to m(m−1)/2. They are exact for m <
// 2^32.
type Pairs struct {
	Concordant int64 // y_i > y_j and f_i > f_j
	Discordant int64 // y_i > y_j and f_i < f_j
	TiedScore  int64 // y_i ≠ y_j and f_i = f_j
	TiedLabel  int64 // y_i = y_j and f_i ≠ f_j
	TiedBoth   int64 // y_i = y_j and f_i = f_j
}

// Comparable is the number of pairs with different labels: those that a ranking
// can get right or wrong.
func (p Pairs) Comparable() int64 { return p.Concordant + p.Discordant + p.TiedScore }

// Counter counts the pairs of one labelled list for many score vectors. The
// labels are sorted once, by [Counter.SetLabels]; each [Counter.Count] then
// sorts the scores and walks them. Memory is kept between calls: after the
// first list of a size nothing is allocated. The zero value is ready to use, a
// list without rows. A Counter is not safe for concurrent use.
type Counter struct {
	m       int
	levels  int      // r
	tied    int64    // pairs with equal labels
	tags    []uint64 // a row's place among the labels: see placeLabels
	sort    sorter
	members members
	same    []int32 // rows of one tied score by label, all 0 between groups
	sorted  []entry // of the last Count

	weights  []float64 // of SetWeights, by row for few levels, by place for many; empty without
	weighed  []weighedRow
	sameSums []float64 // as same
	byLabel  struct{ comparable, tied float64 }
}

// SetLabels makes y the labels of the list. Its length m < 2^31 is that of the
// scores to come; y is not kept. A NaN label panics: NaN has no place in an
// order. The cost is that of a sort, O(m log m) at most.
func (c *Counter) SetLabels(y []float64) {
	c.m, c.weights = len(y), c.weights[:0]
	c.tags = grown(c.tags, c.m)
	for i := range c.tags {
		c.tags[i] = uint64(i)
	}
	sorted, ok := c.sort.order(y, c.tags)
	if !ok {
		panic("ostat: SetLabels: a label is NaN")
	}
	c.levels, c.tied = 0, 0
	for a := 0; a < c.m; {
		b := tieEnd(sorted, a)
		c.levels++
		c.tied += choose2(b - a)
		a = b
	}
	c.placeLabels(sorted)
}

// placeLabels turns the sorted labels, whose tags are row numbers, into the
// tags of the rows. With few levels a row's tag is its level, 0 for the least
// label. With many it is its own place in the order of the labels in the low
// half and the end of its tie group, one past its last place, in the high half.
func (c *Counter) placeLabels(sorted []entry) {
	few := c.levels <= maxLevels
	level := uint64(0)
	for a := 0; a < c.m; level++ {
		b := tieEnd(sorted, a)
		for q := a; q < b; q++ {
			if few {
				c.tags[sorted[q].tag] = level
			} else {
				c.tags[sorted[q].tag] = uint64(q) | uint64(b)<<32
			}
		}
		a = b
	}
}

// Levels is r, the number of distinct labels.
func (c *Counter) Levels() int { return c.levels }

// Comparable is the number of pairs with different labels, known before any
// score is.
func (c *Counter) Comparable() int64 { return choose2(c.m) - c.tied }

// Count counts the pairs for scores f. It is not ok, and counts nothing, when a
// score is NaN, as no order holds then; infinities are ordered and equal to
// themselves, −0 equals 0. A length other than that of the labels panics.
//
// The cost is a sort of m numbers and a walk of O(m) steps for r ≤ 8 levels, of
// O(m log m) otherwise.
func (c *Counter) Count(f []float64) (p Pairs, ok bool) {
	if len(f) != c.m {
		panic("ostat: Count: as many scores as labels are needed")
	}
	sorted, ok := c.sort.order(f, c.tags)
	if !ok {
		return Pairs{}, false
	}
	c.sorted = sorted
	var w walk
	if c.levels <= maxLevels {
		w = walkLevels(sorted)
	} else {
		w = c.walkMembers(sorted)
	}
	return Pairs{
		Concordant: choose2(c.m) - c.tied - w.discordant - (w.tied - w.tiedBoth),
		Discordant: w.discordant,
		TiedScore:  w.tied - w.tiedBoth,
		TiedLabel:  c.tied - w.tiedBoth,
		TiedBoth:   w.tiedBoth,
	}, true
}

// Closer reports whether two scores of the last Count that are not equal differ
// by at most the given number, in O(m).
func (c *Counter) Closer(than float64) bool {
	if !(than > 0) || len(c.sorted) == 0 {
		return false
	}
	last := keyed(c.sorted[0].key)
	for _, e := range c.sorted[1:] {
		v := keyed(e.key)
		if v-last <= than && v != last {
			return true
		}
		last = v
	}
	return false
}

// walk is what one pass over the rows in ascending score finds; the rest of
// Pairs follows from the labels alone.
type walk struct {
	discordant int64
	tied       int64 // pairs of equal score, whatever the labels
	tiedBoth   int64
}

// choose2 is the number of pairs of n things.
func choose2(n int) int64 { return int64(n) * int64(n-1) / 2 }

// tieEnd is one past the last entry with the key of entry a.
func tieEnd(e []entry, a int) int {
	k := e[a].key
	b := a + 1
	for b < len(e) && e[b].key == k {
		b++
	}
	return b
}

// orderKey maps a float that is not NaN to an integer of the same order, −0 and
// 0 to the same one.
func orderKey(v float64) uint64 {
	b := math.Float64bits(v + 0) // −0 + 0 = 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// grown is s with length n, of new memory if it must be; the contents are
// arbitrary.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// keyed is the float of an orderKey.
func keyed(key uint64) float64 {
	return math.Float64frombits(key ^ (^uint64(int64(key)>>63) | 1<<63))
}
