package ostat

import "math"

// Censored counts the comparable pairs of a list of times, some of which are censored, that scores order as the times:
// for one list of times and many vectors of scores. Rows i, j are comparable when t_i < t_j and i had the event, or
// t_i = t_j and only i had it; i is then the shorter. G is the Kaplan–Meier estimate of the time until censoring, in
// which the events of a time leave before its censored rows. Memory is kept between calls; the zero value is ready to
// use. It is not safe for concurrent use.
type Censored struct {
	times  []float64
	order  []int32   // rows by time, events before censored rows
	level  []int32   // by place in order: one past the last row of the same time and kind
	event  []bool    // by row
	weight []float64 // by row, 1/G(t−)²
	events int

	amounts []float64 // of SetWeights, by row; empty without
	from    []float64 // by place in order, the sum of the amounts from it on; as amounts

	sort    Argsorter
	sorted  []int32
	rank    []int32   // of the score of a row, from 1
	right   []float64 // of a row with the event: the pairs in order of which it is the shorter
	counted bool      // right is of these scores
	counts  []uint32
	sums    []float64
	highest int32 // the largest rank
}

// Timing says which pairs of times count, those whose shorter time is at most Until, and what they weigh.
type Timing struct {
	Weighing
	Until float64
}

// Weighing is what a pair weighs by its shorter row i.
type Weighing uint8

const (
	// Alike pairs weigh 1.
	Alike Weighing = 1 + iota
	// Squared is 1/G(t_i−)² as Uno, Cai, Pencina, D'Agostino and Wei (2011, On the C-statistics for evaluating overall
	// adequacy of risk prediction procedures with censored survival data).
	Squared
	// Dynamic is 1/G(t_i−), and the longer time is beyond Until: the pairs are of events until then and of rows that are
	// still without (Hung and Chiang 2010, Estimation methods for time-dependent AUC models with survival data).
	Dynamic
)

// TimedPairs are some comparable pairs, and those that are in the order of the times with half of those of equal
// scores, by weight.
type TimedPairs struct{ Pairs, Right float64 }

// SetTimes takes m times and which of them are censored, in O(m log m). It panics unless there is a mark of every time.
// No time is NaN.
func (c *Censored) SetTimes(times []float64, censored []bool) {
	if len(times) != len(censored) {
		panic("ostat: SetTimes: as many marks as times are needed")
	}
	m := len(times)
	c.order, c.level, c.event = grown(c.order, m), grown(c.level, m), grown(c.event, m)
	c.times, c.weight, c.events = append(c.times[:0], times...), grown(c.weight, m), 0
	c.amounts, c.from = c.amounts[:0], c.from[:0]
	for i := range c.event {
		if c.event[i] = !censored[i]; c.event[i] {
			c.events++
		}
	}
	if !c.sort.ArgsortTo(c.order, times) {
		panic("ostat: SetTimes: a time is NaN")
	}
	c.eventsFirst(times)
	for a := 0; a < m; {
		first, b := c.order[a], a+1
		for b < m && times[c.order[b]] == times[first] && c.event[c.order[b]] == c.event[first] {
			b++
		}
		for q := a; q < b; q++ {
			c.level[q] = int32(b)
		}
		a = b
	}
	c.setFree()
}

// setFree sets weight.
func (c *Censored) setFree() {
	free := 1.0 // G just before the time
	for a := 0; a < len(c.order); {
		b := int(c.level[a])
		for _, i := range c.order[a:b] {
			c.weight[i] = 1 / (free * free)
		}
		if !c.event[c.order[a]] && c.later(b) > 0 { // else none is left to weigh
			free *= c.later(b) / c.later(a)
		}
		a = b
	}
}

// eventsFirst moves the events of equal times before the censored rows.
func (c *Censored) eventsFirst(times []float64) {
	for a, b := 0, 0; a < len(c.order); a = b {
		for b = a + 1; b < len(c.order) && times[c.order[b]] == times[c.order[a]]; {
			b++
		}
		for lo, hi := a, b-1; lo < hi; {
			switch {
			case c.event[c.order[lo]]:
				lo++
			case !c.event[c.order[hi]]:
				hi--
			default:
				c.order[lo], c.order[hi] = c.order[hi], c.order[lo]
			}
		}
	}
}

// Events is the number of rows that had the event.
func (c *Censored) Events() int { return c.events }

// Order returns the rows by time, events before censored rows, and for each place one past the last one of its time and
// kind. The caller must not change them; they are valid until the next SetTimes.
func (c *Censored) Order() (rows, level []int32) { return c.order, c.level }

// Weights returns 1/G(t−)² of each row, as Order returns its numbers.
func (c *Censored) Weights() []float64 { return c.weight }

// Reweigh sets the weights 1/G² to those of the rows of a larger list, whose numbers are given.
func (c *Censored) Reweigh(of *Censored, rows []int32) {
	for k, i := range rows {
		c.weight[k] = of.weight[i]
	}
}

// Place takes the scores f of the m rows, in O(m log m). It is not ok when a score is NaN. It panics unless there is a
// score of every row.
func (c *Censored) Place(f []float64) (ok bool) {
	if len(f) != len(c.order) {
		panic("ostat: Place: as many scores as times are needed")
	}
	c.sorted, c.rank, c.counted = grown(c.sorted, len(f)), grown(c.rank, len(f)), false
	if !c.sort.ArgsortTo(c.sorted, f) {
		return false
	}
	c.highest = 0
	for k, i := range c.sorted {
		if k == 0 || f[i] != f[c.sorted[k-1]] {
			c.highest++
		}
		c.rank[i] = c.highest
	}
	return true
}

// Sum counts the pairs under the scores that were placed: in O(m log m) the first time, then in O(m).
func (c *Censored) Sum(by Timing) (p TimedPairs) {
	c.shorter(by, func(i int32, w, pairs, right float64) {
		p.Pairs, p.Right = p.Pairs+w*pairs, p.Right+w*right
	})
	return p
}

// EachTo is Sum of the pairs of each row with others, so that a pair is in two of them. It costs O(m log m).
func (c *Censored) EachTo(dst []TimedPairs, by Timing) {
	if len(dst) != len(c.order) {
		panic("ostat: EachTo: one of each row is needed")
	}
	clear(dst)
	c.shorter(by, func(i int32, w, pairs, right float64) { dst[i] = TimedPairs{w * pairs, w * right} })
	c.sums = grown(c.sums, int(c.highest)+1)
	clear(c.sums)
	weight := 0.0
	for a := 0; a < len(c.order); {
		b := int(c.level[a])
		first := c.order[a]
		if by.Weighing != Dynamic || c.times[first] > by.Until {
			for _, i := range c.order[a:b] {
				d := &dst[i]
				own := c.amount(i)
				d.Pairs, d.Right = d.Pairs+own*weight, d.Right+own*(below(c.sums, c.rank[i], c.unique())/2)
			}
		}
		if c.event[first] && c.times[first] <= by.Until {
			w := by.weight(c.weight[first])
			for _, i := range c.order[a:b] {
				own := w * c.amount(i)
				insert(c.sums, c.rank[i], own)
				weight += own
			}
		}
		a = b
	}
}

// weight is that of a pair by 1/G².
func (w Weighing) weight(squared float64) float64 {
	switch w {
	case Squared:
		return squared
	case Dynamic:
		return math.Sqrt(squared)
	}
	return 1
}

// shorter calls tell for each row that is the shorter of pairs that count, by descending times, with what each of them
// weighs, their number and that of those in order.
func (c *Censored) shorter(by Timing, tell func(i int32, w, pairs, right float64)) {
	m := len(c.order)
	last := m // one past the last row within the horizon
	for last > 0 && c.times[c.order[last-1]] > by.Until {
		last--
	}
	weighted := len(c.amounts) > 0
	switch {
	case by.Weighing == Dynamic && weighted:
		beyond(c, &c.sums, last)
	case by.Weighing == Dynamic:
		beyond(c, &c.counts, last)
	case !c.counted && weighted:
		countRight(c, &c.sums)
	case !c.counted:
		countRight(c, &c.counts)
	}
	for q := last - 1; q >= 0; q-- {
		i := c.order[q]
		if !c.event[i] {
			continue
		}
		w := by.weight(c.weight[i]) * c.amount(i)
		if by.Weighing != Dynamic {
			tell(i, w, c.later(int(c.level[q])), c.right[i])
			continue
		}
		r, pairs, lower := c.rank[i], c.later(last), 0.0
		if weighted {
			lower = c.sums[r-1] + c.sums[r]
		} else {
			lower = float64(c.counts[r-1] + c.counts[r])
		}
		tell(i, w, pairs, max(0, pairs-lower/2))
	}
}

// beyond counts the rows of places from first on up to each rank.
func beyond[T uint32 | float64](c *Censored, memory *[]T, first int) {
	counts := grown(*memory, int(c.highest)+1)
	*memory = counts
	clear(counts)
	for _, i := range c.order[first:] {
		counts[c.rank[i]] += T(c.amount(i))
	}
	for r := range counts[1:] {
		counts[r+1] += counts[r]
	}
}

// countRight counts for each row with the event the pairs in order of which it is the shorter.
func countRight[T uint32 | float64](c *Censored, memory *[]T) {
	c.counted, c.right = true, grown(c.right, len(c.order))
	counts := grown(*memory, int(c.highest)+1)
	*memory = counts
	clear(counts)
	for b := len(c.order); b > 0; {
		a := b - 1
		for a > 0 && c.level[a-1] == c.level[b-1] {
			a--
		}
		for _, i := range c.order[a:b] {
			if c.event[i] {
				c.right[i] = max(0, c.later(b)-float64(below(counts, c.rank[i], c.unique()))/2)
			}
		}
		for _, i := range c.order[a:b] {
			insert(counts, c.rank[i], T(c.amount(i)))
		}
		b = a
	}
}

// Closer reports whether two of the scores f that were placed last, not equal, differ by at most the given number, in
// O(m).
func (c *Censored) Closer(f []float64, than float64) bool {
	for k, i := range c.sorted {
		if last := f[c.sorted[max(0, k-1)]]; f[i] != last && f[i]-last <= than {
			return true
		}
	}
	return false
}

// insert adds v at place k ≥ 1 of a Fenwick tree, whose places are those from 1 on.
func insert[T uint32 | float64](tree []T, k int32, v T) {
	for x := int(k); x < len(tree); x += x & -x {
		tree[x] += v
	}
}

// unique reports whether no two scores are equal.
func (c *Censored) unique() bool { return int(c.highest) == len(c.order) }

// below is twice the sum of a tree below place k and once that at it, where nothing is if the places are unique.
func below[T uint32 | float64](tree []T, k int32, unique bool) T {
	sum := prefix(tree, k-1)
	if unique {
		return 2 * sum
	}
	return sum + prefix(tree, k)
}

// prefix is the sum of a Fenwick tree up to place k.
func prefix[T uint32 | float64](tree []T, k int32) (sum T) {
	for x := int(k); x > 0; x -= x & -x {
		sum += tree[x]
	}
	return sum
}
