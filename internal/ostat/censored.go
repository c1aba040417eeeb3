package ostat

// Censored counts the comparable pairs of a list of times, some of which are censored, that scores order as the times:
// for one list of times and many vectors of scores. Rows i, j are comparable when t_i < t_j and i had the event, or
// t_i = t_j and only i had it; i is then the shorter. A pair weighs 1, and 1/G(t_i−)² as Uno, Cai, Pencina, D'Agostino
// and Wei (2011, On the C-statistics for evaluating overall adequacy of risk prediction procedures with censored
// survival data), with G the Kaplan–Meier estimate of the time until censoring, in which the events of a time leave
// before its censored rows. Memory is kept between calls; the zero value is ready to use. It is not safe for concurrent
// use.
type Censored struct {
	order  []int32 // rows by time, events before censored rows
	level  []int32 // by place in order: one past the last row of the same time and kind
	event  []bool  // by row
	weight []float64
	events int

	sort    Argsorter
	sorted  []int32
	rank    []int32 // of the score of a row, from 1
	counts  []uint32
	sums    []float64
	highest int32 // the largest rank
}

// TimedPairs are the comparable pairs, and those that are in the order of the times with half of those of equal scores:
// by number and by weight.
type TimedPairs struct{ Pairs, Right, WeightedPairs, WeightedRight float64 }

// SetTimes takes m times and which of them are censored, in O(m log m). It panics unless there is a mark of every time.
// No time is NaN.
func (c *Censored) SetTimes(times []float64, censored []bool) {
	if len(times) != len(censored) {
		panic("ostat: SetTimes: as many marks as times are needed")
	}
	m := len(times)
	c.order, c.level, c.event = grown(c.order, m), grown(c.level, m), grown(c.event, m)
	c.weight, c.events = grown(c.weight, m), 0
	for i := range c.event {
		if c.event[i] = !censored[i]; c.event[i] {
			c.events++
		}
	}
	if !c.sort.ArgsortTo(c.order, times) {
		panic("ostat: SetTimes: a time is NaN")
	}
	c.eventsFirst(times)
	free := 1.0 // G just before the time
	for a := 0; a < m; {
		first, b := c.order[a], a+1
		for b < m && times[c.order[b]] == times[first] && c.event[c.order[b]] == c.event[first] {
			b++
		}
		for q := a; q < b; q++ {
			c.level[q], c.weight[c.order[q]] = int32(b), 1/(free*free)
		}
		if !c.event[first] {
			free *= float64(m-b) / float64(m-a)
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

// Count counts the pairs under the scores f of the m rows, in O(m log m). It is not ok when a score is NaN. It panics
// unless there is a score of every row.
func (c *Censored) Count(f []float64) (p TimedPairs, ok bool) {
	if !c.place(f) {
		return p, false
	}
	c.fromLast(func(i int32, pairs, right float64) {
		w := c.weight[i]
		p.Pairs, p.Right = p.Pairs+pairs, p.Right+right
		p.WeightedPairs, p.WeightedRight = p.WeightedPairs+w*pairs, p.WeightedRight+w*right
	})
	return p, true
}

// EachTo is Count of the pairs of each row with others, so that a pair is in two of them. It costs O(m log m).
func (c *Censored) EachTo(dst []TimedPairs, f []float64) (ok bool) {
	if len(dst) != len(f) {
		panic("ostat: EachTo: dst and f differ in length")
	}
	if !c.place(f) {
		return false
	}
	clear(dst)
	c.fromLast(func(i int32, pairs, right float64) {
		w := c.weight[i]
		dst[i] = TimedPairs{pairs, right, w * pairs, w * right}
	})
	n := int(c.highest) + 1
	c.counts, c.sums = grown(c.counts, n), grown(c.sums, n)
	clear(c.counts)
	clear(c.sums)
	pairs, weighted := 0.0, 0.0
	for a := 0; a < len(c.order); {
		b := int(c.level[a])
		for _, i := range c.order[a:b] {
			r := c.rank[i]
			d := &dst[i]
			d.Pairs, d.Right = d.Pairs+pairs, d.Right+float64(below(c.counts, r, c.unique()))/2
			d.WeightedPairs = d.WeightedPairs + weighted
			d.WeightedRight = d.WeightedRight + below(c.sums, r, c.unique())/2
		}
		if c.event[c.order[a]] {
			for _, i := range c.order[a:b] {
				insert(c.counts, c.rank[i], 1)
				insert(c.sums, c.rank[i], c.weight[i])
				pairs, weighted = pairs+1, weighted+c.weight[i]
			}
		}
		a = b
	}
	return true
}

// fromLast calls tell for each row with the event, by descending times, with its pairs in which it is the shorter, and
// those of them in order.
func (c *Censored) fromLast(tell func(i int32, pairs, right float64)) {
	m := len(c.order)
	c.counts = grown(c.counts, int(c.highest)+1)
	clear(c.counts)
	for b := m; b > 0; {
		a := b - 1
		for a > 0 && c.level[a-1] == c.level[b-1] {
			a--
		}
		for _, i := range c.order[a:b] {
			if later := m - b; c.event[i] {
				r := c.rank[i]
				tell(i, float64(later), float64(later)-float64(below(c.counts, r, c.unique()))/2)
			}
		}
		for _, i := range c.order[a:b] {
			insert(c.counts, c.rank[i], 1)
		}
		b = a
	}
}

// Closer reports whether two scores f of the last Count that are not equal differ by at most the given number, in O(m).
func (c *Censored) Closer(f []float64, than float64) bool {
	for k, i := range c.sorted {
		if last := f[c.sorted[max(0, k-1)]]; f[i] != last && f[i]-last <= than {
			return true
		}
	}
	return false
}

// place ranks the scores, equal ones alike; not ok for NaN.
func (c *Censored) place(f []float64) (ok bool) {
	if len(f) != len(c.order) {
		panic("ostat: Censored: as many scores as times are needed")
	}
	c.sorted, c.rank = grown(c.sorted, len(f)), grown(c.rank, len(f))
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
