package ostat

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"pairrank/internal/parallel"
)

// WeightedPairs is Pairs of rows with weights: a pair {i,j} counts w_i w_j.
type WeightedPairs struct{ Concordant, Discordant, TiedScore, TiedLabel, TiedBoth float64 }

// Weighted are the same counts, each pair once.
func (p Pairs) Weighted() WeightedPairs {
	return WeightedPairs{float64(p.Concordant), float64(p.Discordant), float64(p.TiedScore), float64(p.TiedLabel),
		float64(p.TiedBoth)}
}

// Comparable is the weight of the pairs with different labels.
func (p WeightedPairs) Comparable() float64 { return p.Concordant + p.Discordant + p.TiedScore }

// rowShift is where the row of a tag begins, for few levels: the level is below it.
const rowShift = 3

// SetWeights gives the rows of SetLabels weights, none negative or NaN, which are copied; they stay until the next
// SetLabels. It panics where there are not as many as labels. Cost O(m).
func (c *Counter) SetWeights(w []float64) {
	if len(w) != c.m {
		panic("ostat: SetWeights: as many weights as labels are needed")
	}
	c.weights, c.byLabel.tied, c.byLabel.comparable = grown(c.weights, c.m), 0, 0
	c.sameSums = grown(c.sameSums, c.m+1)
	clear(c.sameSums)
	few := c.levels <= maxLevels
	for i, t := range c.tags {
		at := uint32(i)
		if few {
			t &= maxLevels - 1
			c.tags[i] = t | uint64(i)<<rowShift
		} else {
			at, t = uint32(t), t>>32
		}
		c.weights[at] = w[i]
		c.byLabel.tied += w[i] * c.sameSums[t]
		c.sameSums[t] += w[i]
	}
	below := 0.0
	for t, sum := range c.sameSums {
		c.byLabel.comparable += sum * below
		below += sum
		c.sameSums[t] = 0
	}
}

// CountWeighted is Count with the weights of SetWeights. Concordant, Discordant and TiedScore are exactly 0 where
// they have no pair of two weights above 0, so that a ranking without a wrong pair has no error; whole weights are
// counted exactly, as far as float64 has all integers. The sums are added in an order that the labels and scores
// decide. Cost as of Count, with O(log r) passes for more than eight levels. It panics without weights.
func (c *Counter) CountWeighted(f []float64) (p WeightedPairs, ok bool) {
	if len(f) != c.m || len(c.weights) != c.m {
		panic("ostat: CountWeighted: as many scores and weights as labels are needed")
	}
	sorted, ok := c.sort.order(f, c.tags)
	if !ok {
		return WeightedPairs{}, false
	}
	c.sorted = sorted
	w := weightedWalk{lowest: math.MaxUint32}
	if c.levels <= maxLevels {
		c.weighLevels(&w, sorted)
	} else {
		c.weighMembers(&w, sorted)
	}
	if w.right {
		w.Concordant = max(0, c.byLabel.comparable-w.Discordant-w.TiedScore)
	}
	w.TiedLabel = max(0, c.byLabel.tied-w.TiedBoth)
	return w.WeightedPairs, true
}

// weightedWalk is what one pass over the rows in ascending score finds; the rest of WeightedPairs follows from the
// labels.
type weightedWalk struct {
	WeightedPairs
	lowest uint32 // label of the rows of lower scores: its level, or the end of its places
	right  bool   // whether a pair is concordant
}

// weighLevels is walkLevels.
func (c *Counter) weighLevels(w *weightedWalk, e []entry) {
	var from [maxLevels + 1]float64 // [l]: the sum of the rows of levels from l on
	for a := 0; a < len(e); {
		b := tieEnd(e, a)
		for _, x := range e[a:b] {
			l, v := x.tag&(maxLevels-1), c.weights[x.tag>>rowShift]
			w.Discordant += v * from[l+1]
			w.right = w.right || v > 0 && uint32(l) > w.lowest
		}
		if b-a > 1 {
			c.tiedWeights(w, e[a:b])
		}
		for _, x := range e[a:b] {
			l, v := x.tag&(maxLevels-1), c.weights[x.tag>>rowShift]
			for k := range l + 1 {
				from[k] += v
			}
			if v > 0 {
				w.lowest = min(w.lowest, uint32(l))
			}
		}
		a = b
	}
}

// weighMembers finds the weight of the pairs with the greater label before the lesser one in the order of the scores,
// with tied ones by label, by halving the labels again and again: O(log r) passes through memory, in order, where a
// tree of sums would read and write at random.
func (c *Counter) weighMembers(w *weightedWalk, e []entry) {
	c.weighed = grown(c.weighed, 2*c.m)
	rows, spare := c.weighed[:c.m], c.weighed[c.m:]
	for a := 0; a < len(e); {
		b := tieEnd(e, a)
		for q, x := range e[a:b] {
			v := c.weights[uint32(x.tag)]
			rows[a+q] = weighedRow{v, uint32(x.tag >> 32)}
			w.right = w.right || v > 0 && uint32(x.tag) >= w.lowest
		}
		for _, x := range rows[a:b] {
			if x.weight > 0 {
				w.lowest = min(w.lowest, x.end)
			}
		}
		if b-a > 1 {
			c.tiedWeights(w, e[a:b])
			slices.SortStableFunc(rows[a:b], func(x, y weighedRow) int { return cmp.Compare(x.end, y.end) })
		}
		a = b
	}
	w.Discordant = inverted(rows, spare, bits.Len(uint(c.m)))
}

// weighedRow is the weight of a row and the end of the places of its label.
type weighedRow struct {
	weight float64
	end    uint32
}

// fewWeighed is the longest list whose pairs are visited.
const fewWeighed = 16

// inverted is Σ w_i w_j over the pairs of rows of which the first has the greater end; the ends agree in all bits from
// the given number on. It leaves the rows in another order.
func inverted(rows, spare []weighedRow, digits int) (sum float64) {
	if len(rows) <= fewWeighed {
		for a, x := range rows {
			above := 0.0
			for _, y := range rows[:a] { // without a branch, which nobody foresees
				greater := uint64((int64(x.end) - int64(y.end)) >> 63)
				above += math.Float64frombits(math.Float64bits(y.weight) & greater)
			}
			sum += x.weight * above
		}
		return sum
	}
	if digits == 0 {
		return 0
	}
	digits--
	zeros := 0
	for _, x := range rows {
		zeros += int(^x.end >> digits & 1)
	}
	at, above := [2]int{0, zeros}, 0.0
	for _, x := range rows {
		bit := x.end >> digits & 1
		weight := math.Float64bits(x.weight)
		sum += math.Float64frombits(weight&(uint64(bit)-1)) * above
		above += math.Float64frombits(weight & -uint64(bit))
		spare[at[bit]] = x
		at[bit]++
	}
	halves := [2]float64{}
	half := func(_, k int) {
		if k == 0 {
			halves[k] = inverted(spare[:zeros], rows[:zeros], digits)
		} else {
			halves[k] = inverted(spare[zeros:], rows[zeros:], digits)
		}
	}
	if len(rows) < largeList {
		half(0, 0)
		half(0, 1)
	} else {
		parallel.For(2, half)
	}
	return sum + halves[0] + halves[1]
}

// tiedWeights counts the pairs of one score.
func (c *Counter) tiedWeights(w *weightedWalk, e []entry) {
	all, few := 0.0, c.levels <= maxLevels
	label := func(tag uint64) (label, at uint64) {
		if few {
			return tag & (maxLevels - 1), tag >> rowShift
		}
		return tag >> 32, uint64(uint32(tag))
	}
	for _, x := range e {
		l, at := label(x.tag)
		v, same := c.weights[at], c.sameSums[l]
		w.TiedScore += v * (all - same)
		w.TiedBoth += v * same
		c.sameSums[l] += v
		all += v
	}
	for _, x := range e {
		l, _ := label(x.tag)
		c.sameSums[l] = 0
	}
}
