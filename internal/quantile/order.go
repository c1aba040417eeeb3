package quantile

import (
	"math"
	"slices"
)

// digit is the number of bits by which points are ordered at a time.
const digit = 8

// ascending orders points by their values, equal ones as they come, by the digits of the values from the last to the
// first. A digit that all values share moves nothing. It returns the points in batch or in spare memory.
func ascending(batch []Point, spare *Spare) []Point {
	const digits = 64 / digit
	var counts [digits][1 << digit]int32
	for _, p := range batch {
		key := ordered(p.Value)
		for d := range digits {
			counts[d][key>>(digit*d)&(1<<digit-1)]++
		}
	}
	spare.sorted = slices.Grow(spare.sorted[:0], len(batch))[:len(batch)]
	from, to := batch, spare.sorted
	for d := range digits {
		count := &counts[d]
		if len(from) == 0 || count[ordered(from[0].Value)>>(digit*d)&(1<<digit-1)] == int32(len(from)) {
			continue
		}
		start := int32(0)
		for k, c := range count {
			count[k], start = start, start+c
		}
		for _, p := range from {
			k := ordered(p.Value) >> (digit * d) & (1<<digit - 1)
			to[count[k]] = p
			count[k]++
		}
		from, to = to, from
	}
	return from
}

// ordered is a number that orders as the value does, of which it may not be NaN. 0 and −0 are one.
func ordered(v float64) uint64 {
	bits := math.Float64bits(v + 0)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}
