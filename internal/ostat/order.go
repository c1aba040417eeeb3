package ostat

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// sortable is a sort key, never NaN, with its payload.
type sortable[K uint64 | float64, T any] struct {
	key K
	tag T
}

// entry is a number to sort, as its orderKey.
type entry = sortable[uint64, uint64]

// sorter sorts numbers with tags. Memory is kept between calls.
type sorter struct {
	a, b   []entry
	bucket []int32
	start  []int32

	// Memory for long lists.
	ends      []extremes // of the pieces
	counts    []int32    // of each digit in each piece, then where its numbers go
	bounds    []int      // of the high digits
	spreaders []*spreader
}

const (
	// bucketRows is the longest list sorted by buckets, whose random writes
	// then stay in the second-level cache.
	bucketRows = 16384

	// moveBudget, times m, is the number of moves after which insertion gives
	// up: evenly spread numbers need less than one move a row.
	moveBudget = 8

	radixBits   = 11
	radixPasses = 3
	radixWindow = radixBits * radixPasses
	radixMask   = 1<<radixBits - 1
)

// order returns the numbers v in ascending order with their tags; equal ones
// are in no particular order. The result is valid until the next call. It is
// not ok when a number is NaN.
//
// A short list is scattered into m buckets of equal width, which an insertion
// sort finishes: O(m) for evenly spread numbers. Where the spread is so uneven
// that insertion passes its budget, or the range is not finite, a comparison
// sort takes over, so the worst case is O(m log m). orderLong has long lists.
func (s *sorter) order(v []float64, tags []uint64) (sorted []entry, ok bool) {
	m := len(v)
	s.a = grown(s.a, m)
	if m == 0 {
		return s.a, true
	}
	if m > bucketRows {
		return s.orderLong(v, tags)
	}
	lo, hi, ok := extent(v)
	if !ok {
		return nil, false
	}
	if scale, ok := scaleOf(m, lo, hi); ok {
		s.scatter(v, tags, lo, scale)
		if !insertion(s.a, moveBudget*m) {
			slices.SortFunc(s.a, byKey)
		}
		return s.a, true
	}
	for i, x := range v {
		s.a[i] = entry{orderKey(x), tags[i]}
	}
	slices.SortFunc(s.a, byKey)
	return s.a, true
}

// scaleOf is the number of buckets, of m, that a difference of 1 goes across; not
// ok where there are no such buckets.
func scaleOf(m int, lo, hi float64) (scale float64, ok bool) {
	scale = float64(m-1) / (hi - lo)
	return scale, scale > 0 && scale <= math.MaxFloat64
}

// extent is the least and the greatest number; not ok if one is NaN.
func extent(v []float64) (lo, hi float64, ok bool) {
	lo, hi = v[0], v[0]
	for _, x := range v {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
		if x != x {
			return 0, 0, false
		}
	}
	return lo, hi, true
}

func byKey[K uint64 | float64, T any](x, y sortable[K, T]) int { return cmp.Compare(x.key, y.key) }

// scatter puts number x into bucket ⌊(x − lo)·scale⌋ of m. Subtraction, product
// and truncation are monotone under rounding, so no number lands in a bucket
// before that of a lesser one.
func (s *sorter) scatter(v []float64, tags []uint64, lo, scale float64) {
	m := len(v)
	s.bucket = grown(s.bucket, m)
	s.start = grown(s.start, m+1)
	bucket, start, out := s.bucket, s.start, s.a
	clear(start)
	for i, x := range v {
		b := int32((x - lo) * scale)
		bucket[i] = b
		start[b+1]++
	}
	accumulate(start)
	for i, x := range v {
		at := &start[bucket[i]]
		out[*at] = entry{orderKey(x), tags[i]}
		*at++
	}
}

// accumulate turns counts, each in the place after that of its bucket, into where the
// numbers of each bucket begin.
func accumulate(start []int32) {
	sum := int32(0)
	for b, n := range start {
		sum += n
		start[b] = sum
	}
}

// insertion sorts by at most budget moves; past them it gives up, not ok, with
// the entries in some order.
func insertion[K uint64 | float64, T any](e []sortable[K, T], budget int) (ok bool) {
	for i := 1; i < len(e); i++ {
		x := e[i]
		j := i
		for ; j > 0 && e[j-1].key > x.key; j-- {
			e[j] = e[j-1]
		}
		e[j] = x
		if budget -= i - j; budget < 0 {
			return false
		}
	}
	return true
}

// radix sorts a by the 33 highest bits in which the keys differ, in three stable passes through b,
// and then the runs that are equal in those bits. The result is in one of the two.
func (s *spreader) radix(a, b []entry) (sorted []entry) {
	differ := uint64(0)
	for _, x := range a {
		differ |= x.key ^ a[0].key
	}
	shift := max(0, 64-bits.LeadingZeros64(differ)-radixWindow)
	clear(s.digits[:])
	for _, x := range a {
		for q := range radixPasses {
			s.digits[q][x.key>>(shift+q*radixBits)&radixMask]++
		}
	}
	for q := range radixPasses {
		next := &s.digits[q]
		sh := shift + q*radixBits
		if int(next[a[0].key>>sh&radixMask]) == len(a) {
			continue
		}
		sum := int32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, x := range a {
			d := x.key >> sh & radixMask
			b[next[d]] = x
			next[d]++
		}
		a, b = b, a
	}
	repair(a, shift)
	return a
}

// repair sorts entries that are sorted by key>>shift.
func repair(a []entry, shift int) {
	for i := 1; i < len(a); i++ {
		if a[i].key >= a[i-1].key {
			continue
		}
		high := a[i].key >> shift
		lo, hi := i-1, i+1
		for lo > 0 && a[lo-1].key>>shift == high {
			lo--
		}
		for hi < len(a) && a[hi].key>>shift == high {
			hi++
		}
		slices.SortFunc(a[lo:hi], byKey)
		i = hi - 1
	}
}
