package ostat

import (
	"math/bits"
	"slices"

	"pairrank/internal/parallel"
)

// resorter sorts a long list by new scores, starting from its last order. Scores change little from
// one evaluation to the next, so that a row mostly goes to a bin near its last one and the writes
// stay in the cache; writes in the order of the rows would not. Each bin is then sorted separately,
// in the first-level cache. The memory is reused between calls.
type resorter struct {
	slots   []slot // in the order of their bins
	ends    []extremes
	counts  []int32 // of each bin in each piece, then where its rows go
	bounds  []int   // of the bins
	workers []*binSorter
}

// slot is a score to sort, with its payload.
type slot = sortable[float64, place]

// place is a row and the key of its label.
type place struct{ key, row int32 }

const (
	// slotsPerBin is about how many rows a bin gets where scores are evenly spread.
	slotsPerBin = 64
	// mostBins bounds the bins, so that one piece's counts of them stay in the cache.
	mostBins = 1 << 12
	// binsPerPiece is the number of bins that a thread sorts at a time.
	binsPerPiece = 32
	// fewSlots is the longest bin that insertion alone sorts.
	fewSlots = 12
)

// resortList is sortList for a large list: O(m) for scores that are evenly spread, O(m log m) for
// any. Equal scores come in an order that the orders before decide. ok is false when a score is
// NaN; the last order then stays.
func (g *Margins) resortList(w *marginWorker, l int, f []float64) (ok bool) {
	lo, hi := g.bounds[l], g.bounds[l+1]
	w.scores = grown(w.scores, hi-lo)
	s, score := &w.again, w.scores
	least, greatest, ok := s.gather(score, f, g.row[lo:hi])
	if !ok {
		return false
	}
	if least == greatest { // as with weights of 0: any order will do
		inPieces(hi-lo, func(_, from, to int) {
			copy(g.score[lo+from:lo+to], score[from:to])
			g.gatherTies(l, lo+from, lo+to)
		})
		return true
	}
	bins := 1 << bits.Len(uint(min((hi-lo)/slotsPerBin, mostBins-1)))
	scale, ok := scaleOf(bins, least, greatest)
	if !ok {
		return g.sortAnew(w, l, f)
	}
	s.spread(score, g.row[lo:hi], g.key[lo:hi], grid{lo: least, scale: scale}, bins)
	for len(s.workers) < parallel.Workers() {
		s.workers = append(s.workers, &binSorter{})
	}
	parallel.Chunks(bins, binsPerPiece, func(worker, from, to int) {
		for b := from; b < to; b++ {
			sorted := s.workers[worker].sort(s.slots[s.bounds[b]:s.bounds[b+1]], grid{lo: least, scale: scale}, b)
			g.takeSlots(lo+s.bounds[b], sorted)
		}
		g.gatherTies(l, lo+s.bounds[from], lo+s.bounds[to])
	})
	return true
}

// resortPieces is the number of pieces that a list of m rows is spread in.
func resortPieces(m int) int { return min(mostPieces, 2*(1+m/largeList)) }

// gather sets score to f by the last order, and returns its extent; not ok if a score
// is NaN.
func (s *resorter) gather(score, f []float64, row []int32) (lo, hi float64, ok bool) {
	m, parts := len(row), resortPieces(len(row))
	s.ends = grown(s.ends, parts)
	parallel.For(parts, func(_, p int) {
		from, to := p*m/parts, (p+1)*m/parts
		gatherTo(score[from:to], f, row[from:to])
		e := &s.ends[p]
		e.lo, e.hi, e.ok = extent(score[from:to])
	})
	return extentOf(s.ends)
}

// spread puts the rows into s.slots, in the order of their bins, and sets s.bounds.
func (s *resorter) spread(score []float64, row, key []int32, g grid, bins int) {
	m, parts := len(score), resortPieces(len(score))
	s.slots, s.counts, s.bounds = grown(s.slots, m), grown(s.counts, parts*bins), grown(s.bounds, bins+1)
	parallel.For(parts, func(_, p int) {
		count := s.counts[p*bins : (p+1)*bins]
		clear(count)
		for _, x := range score[p*m/parts : (p+1)*m/parts] {
			count[g.bin(x)]++
		}
	})
	countsToPlaces(s.bounds, s.counts)
	parallel.For(parts, func(_, p int) {
		from, to := p*m/parts, (p+1)*m/parts
		next, row, key, out := s.counts[p*bins:(p+1)*bins], row[from:to], key[from:to], s.slots
		for a, x := range score[from:to] {
			at := &next[g.bin(x)]
			out[*at] = slot{x, place{key[a], row[a]}}
			*at++
		}
	})
}

// takeSlots puts slots at the positions of all from at on.
func (g *Margins) takeSlots(at int, sorted []slot) {
	end := at + len(sorted)
	row, key, score := g.row[at:end], g.key[at:end], g.score[at:end]
	for a, e := range sorted {
		key[a], row[a], score[a] = e.tag.key, e.tag.row, e.key+0 // −0 + 0 = 0
	}
}

// binSorter is the memory of one goroutine that sorts bins.
type binSorter struct {
	sorted []slot
	bucket []int32 // of each slot
	next   []int32 // where the next slot of a bucket goes
}

// sort returns the slots of bin b of a grid in ascending order of score. They are
// scattered into twice as many buckets of equal width, which insertion finishes; where
// scores are so uneven that it passes its budget, a comparison sort takes over.
func (s *binSorter) sort(slots []slot, g grid, b int) []slot {
	n := len(slots)
	if n <= fewSlots {
		insertion(slots, n*n)
		return slots
	}
	s.sorted, s.bucket, s.next = grown(s.sorted, n), grown(s.bucket, n), grown(s.next, 2*n+1)
	bucket, next, out := s.bucket, s.next, s.sorted
	clear(next)
	for i := range slots {
		k := min(int32(float64(g.place(slots[i].key)-float64(b))*float64(2*n)), int32(2*n-1))
		bucket[i] = k
		next[k+1]++
	}
	accumulate(next)
	for i, k := range bucket {
		at := &next[k]
		out[*at] = slots[i]
		*at++
	}
	if !insertion(out, moveBudget*n) {
		slices.SortFunc(out, byKey)
	}
	return out
}
