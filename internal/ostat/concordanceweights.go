package ostat

import "math"

// Wholes are weights as whole numbers of a unit, a power of two, so that sums of them are exact in any order: their sum
// is below 2⁶¹. Whole weights stay what they are, times the unit.
func Wholes(weights []float64) (whole []int64, unit float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	const bits = 60 // and one for what rounding adds
	_, exponent := math.Frexp(sum)
	whole = make([]int64, len(weights))
	for i, w := range weights {
		whole[i] = int64(math.RoundToEven(math.Ldexp(w, bits-exponent)))
	}
	return whole, math.Ldexp(1, exponent-bits)
}

// SetWeights gives the rows whole weights, which it keeps: PairsTo and CountTo then sum the weights of the other rows
// in place of counting them, in one piece. It panics where there are not as many as labels. Cost O(m).
func (c *Concordance) SetWeights(whole []int64) {
	if len(whole) != len(c.tags) {
		panic("ostat: Concordance.SetWeights: as many weights as labels are needed")
	}
	c.weights = whole
	clear(c.rows)
	total := int64(0)
	for i, t := range c.tags {
		c.rows[t>>32] += whole[i]
		total += whole[i]
	}
	below := int64(0)
	for l, own := range c.rows {
		c.all[l] = below - (total - own - below)
		below += own
	}
	c.total = total
}

// Weight is that of row i, 1 without weights.
func (c *Concordance) Weight(i int) int64 {
	if c.weights == nil {
		return 1
	}
	return c.weights[i]
}

// weighedLevels are seenLevels of weights, with the sum of all.
type weighedLevels struct {
	at, tree []int64
	total    int64
}

func (s *weighedLevels) put(l int, w int64) {
	s.at[l] += w
	s.total += w
	for k := l + 1; k < len(s.tree); k += k & -k {
		s.tree[k] += w
	}
}

func (s *weighedLevels) balance(l int) int64 {
	below := int64(0)
	for k := l; k > 0; k -= k & -k {
		below += s.tree[k]
	}
	return 2*below + s.at[l] - s.total
}

// sweepWeights is sweep with weights, from the first position to the last.
func (c *Concordance) sweepWeights(dst []int64, sorted []entry, seen *weighedLevels) {
	seen.at, seen.tree, seen.total = grown(seen.at, len(c.rows)), grown(seen.tree, len(c.rows)+1), 0
	clear(seen.at)
	clear(seen.tree)
	for lo, end := 0, 0; lo < len(sorted); lo = end {
		end = tieEnd(sorted, lo)
		for _, e := range sorted[lo:end] {
			dst[uint32(e.tag)] = seen.balance(int(e.tag >> 32))
		}
		for _, e := range sorted[lo:end] {
			seen.put(int(e.tag>>32), c.weights[uint32(e.tag)])
		}
		for _, e := range sorted[lo:end] {
			l := e.tag >> 32
			dst[uint32(e.tag)] += seen.balance(int(l)) - c.all[l]
		}
	}
}
