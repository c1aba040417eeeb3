package ostat

import (
	"slices"

	"pairrank/internal/parallel"
)

const (
	// binBits is log2 of the bins that orderLong spreads a list over, in two digits
	// of digitBits. Evenly spread, of 10^6 numbers one in eight then is out of order.
	digitBits = 11
	binBits   = 2 * digitBits
	digitMask = 1<<digitBits - 1
	// mostPieces bounds the pieces of a list that are spread at once.
	mostPieces = 16
)

// spreader is the memory of one goroutine of orderLong.
type spreader struct {
	digits [radixPasses][1 << radixBits]int32
}

// extremes are the least and the greatest number of a piece; not ok where one is NaN.
type extremes struct {
	lo, hi float64
	ok     bool
}

// orderLong is order for a long list. A radix sort by the two digits of a bin spreads its numbers
// over 2^22 bins of equal width, and insertion sorts within a bin: O(m) for evenly spread numbers,
// in two passes through memory where the keys would take three, each by several threads. Equal
// digits keep their order, in pieces as in one run, so that equal numbers are in the same order for
// any number of threads. Where insertion passes its budget, and for a list without a finite range,
// the keys are sorted by radix.
func (s *sorter) orderLong(v []float64, tags []uint64) (sorted []entry, ok bool) {
	m := len(v)
	for len(s.spreaders) < parallel.Workers() {
		s.spreaders = append(s.spreaders, &spreader{})
	}
	s.b = grown(s.b, m)
	lo, hi, ok := s.extentLong(v)
	if !ok {
		return nil, false
	}
	scale, ok := scaleOf(1<<binBits, lo, hi)
	if !ok {
		for i, x := range v {
			s.a[i] = entry{orderKey(x), tags[i]}
		}
		return s.spreaders[0].radix(s.a, s.b), true
	}
	s.spread(v, tags, grid{lo: lo, scale: scale})
	parallel.For(1<<digitBits, func(worker, d int) {
		from, to := s.bounds[d], s.bounds[d+1]
		s.spreaders[worker].finish(s.b[from:to], s.a[from:to])
	})
	return s.b, true
}

// pieces is the number of pieces of a list of m numbers.
func pieces(m int) int { return min(mostPieces, 1+m/bucketRows) }

// extentLong is extent, of all pieces.
func (s *sorter) extentLong(v []float64) (lo, hi float64, ok bool) {
	m, parts := len(v), pieces(len(v))
	s.ends = grown(s.ends, parts)
	parallel.For(parts, func(_, p int) {
		e := &s.ends[p]
		e.lo, e.hi, e.ok = extent(v[p*m/parts : (p+1)*m/parts])
	})
	return extentOf(s.ends)
}

// extentOf is the extent of all pieces from those of each.
func extentOf(ends []extremes) (lo, hi float64, ok bool) {
	lo, hi, ok = ends[0].lo, ends[0].hi, true
	for _, e := range ends {
		lo, hi, ok = min(lo, e.lo), max(hi, e.hi), ok && e.ok
	}
	return lo, hi, ok
}

// grid is where numbers go: x into bin ⌊(x − lo)·scale⌋. As in scatter that is
// monotone.
type grid struct{ lo, scale float64 }

func (g grid) bin(x float64) int { return int(g.place(x)) }

// place is where x is in units of bins, from the least number on, rounded alike on every
// machine.
func (g grid) place(x float64) float64 { return float64((x - g.lo) * g.scale) }

// spread puts the numbers into s.b, in the order of their bins, and sets s.bounds to
// where those of each high digit begin.
func (s *sorter) spread(v []float64, tags []uint64, g grid) {
	m, parts := len(v), pieces(len(v))
	s.counts, s.bounds = grown(s.counts, parts<<digitBits), grown(s.bounds, 1<<digitBits+1)
	digits := func(p int) []int32 { return s.counts[p<<digitBits : (p+1)<<digitBits] }
	parallel.For(parts, func(_, p int) {
		count := digits(p)
		clear(count)
		for _, x := range v[p*m/parts : (p+1)*m/parts] {
			count[g.bin(x)&digitMask]++
		}
	})
	countsToPlaces(s.bounds, s.counts)
	parallel.For(parts, func(_, p int) {
		lo, hi := p*m/parts, (p+1)*m/parts
		next, tags, out := digits(p), tags[lo:hi], s.a
		for i, x := range v[lo:hi] {
			to := &next[g.bin(x)&digitMask]
			out[*to] = entry{orderKey(x), tags[i]}
			*to++
		}
	})
	parallel.For(parts, func(_, p int) {
		count := digits(p)
		clear(count)
		for _, x := range s.a[p*m/parts : (p+1)*m/parts] {
			count[g.bin(keyed(x.key))>>digitBits&digitMask]++
		}
	})
	countsToPlaces(s.bounds, s.counts)
	parallel.For(parts, func(_, p int) {
		next, out := digits(p), s.b
		for _, x := range s.a[p*m/parts : (p+1)*m/parts] {
			to := &next[g.bin(keyed(x.key))>>digitBits&digitMask]
			out[*to] = x
			*to++
		}
	})
}

// countsToPlaces turns the counts of each digit in each piece, piece by piece, into the
// places of the first of them, and sets bounds, of one more than there are digits, to
// those of the digits.
func countsToPlaces(bounds []int, counts []int32) {
	digits, at := len(bounds)-1, int32(0)
	for d := range digits {
		bounds[d] = int(at)
		for k := d; k < len(counts); k += digits {
			counts[k], at = at, at+counts[k]
		}
	}
	bounds[digits] = int(at)
}

// finish sorts entries that are sorted by bin; free is memory of their length.
func (s *spreader) finish(e, free []entry) {
	switch {
	case insertion(e, moveBudget*len(e)):
	case len(e) <= bucketRows:
		slices.SortFunc(e, byKey)
	default:
		copy(e, s.radix(e, free))
	}
}
