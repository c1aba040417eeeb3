package ostat

import (
	"math/bits"
	"sort"

	"pairrank/internal/parallel"
)

// prefixRanks counts, of a list of different places in [0,n), those below k among
// the first p. The positions are cut into blocks, and these into smaller ones, down
// to blocks of 64. A layer has, of one size of block, the places before the block
// and those within it, as bits with counts: the first say how many places below k
// lie before the block, the second which rank k has within, and of these ranks, no
// more than the block is long, the next layer is made. That of blocks of 64 ends
// with one word for each rank. Unlike a tree that every place is put in, a layer is
// written in one run through memory for a whole block, and the questions of a block
// do not wait for each other.
//
// Blocks are entered in ascending order. Of n places it takes O(log n) each, and
// memory of n/2 bytes for the first layer; the others fit the first-level cache.
type prefixRanks struct {
	layers []rankLayer
	masks  [2 * leafRows]uint64 // masks[r]: the positions of the last block with a rank below r
	seen   []uint64             // the places of a piece of the list
}

// rankLayer is one size of block.
type rankLayer struct {
	shift uint     // log2 of the positions of a block
	keys  []uint32 // the ranks within the block, by position
	words []rankWord
	next  []uint64 // the places of the block that is being entered; else 0
}

// rankWord is 64 places: bits of those before and within the block, and the number
// of such places in the words before this one.
type rankWord struct {
	before, within       uint64
	beforeSum, withinSum uint32
}

const (
	leafBits = 6
	leafRows = 1 << leafBits
	// layerBits is log2 of the blocks at most in a block of the layer before: a
	// layer is written once for each of them.
	layerBits = 6
)

// reset makes room for places in [0,n), and takes those that are in one of the sets
// of bits before as lying before the first block.
func (t *prefixRanks) reset(n int, before []prefixRanks) {
	above := max(0, bits.Len(uint(max(n, 1)-1))-leafBits)
	count := max(1, (above+layerBits-1)/layerBits)
	t.layers = grown(t.layers, count)
	places := n
	for i := range t.layers {
		l := &t.layers[i]
		l.shift = uint(leafBits + above*(count-1-i)/count)
		words := places>>6 + 1 // place n itself may be asked for
		l.words, l.next = grown(l.words, words), grown(l.next, words)
		places = 1 << l.shift
	}
	first := t.layers[0].words
	clear(first)
	for b := range before {
		for w, v := range before[b].seen {
			first[w].within |= v // which the first block moves
		}
	}
}

// enter goes on to the block of 64 positions at, of those that keys has the places
// of; at is a multiple of 64.
func (t *prefixRanks) enter(keys []int32, at int) {
	first := &t.layers[0]
	if size := 1 << first.shift; at&(size-1) == 0 {
		block := keys[at:min(at+size, len(keys))]
		for _, k := range block {
			first.next[k>>6] |= 1 << (k & 63)
		}
		first.count(len(first.words))
		first.keys = grown(first.keys, size)[:len(block)]
		for a, k := range block {
			first.keys[a] = first.within(uint32(k))
		}
	}
	outer := first
	for i := range t.layers[1:] {
		l := &t.layers[i+1]
		if size := 1 << l.shift; at&(size-1) == 0 {
			l.enter(outer, at&(1<<outer.shift-1), size)
		}
		outer = l
	}
	var place [leafRows]uint64
	for a, k := range outer.keys {
		place[k&(leafRows-1)] = 1 << a
	}
	mask := uint64(0)
	for r := range outer.keys {
		t.masks[r] = mask
		mask |= place[r&(leafRows-1)]
	}
	t.masks[len(outer.keys)] = mask
}

// enter goes on to the block of size positions that begins at position at of the
// block of the layer before.
func (l *rankLayer) enter(outer *rankLayer, at, size int) {
	words := len(outer.keys)>>6 + 1
	if at == 0 {
		clear(l.words[:words])
	}
	block := outer.keys[at:min(at+size, len(outer.keys))]
	for _, k := range block {
		l.next[k>>6] |= 1 << (k & 63)
	}
	l.count(words)
	l.keys = grown(l.keys, size)[:len(block)]
	for a, k := range block {
		l.keys[a] = l.within(k)
	}
}

// count moves the places within the block to those before it, and those of next
// into the block, and counts both.
func (l *rankLayer) count(words int) {
	next := l.next[:words]
	before, within := uint32(0), uint32(0)
	for w := range l.words[:words] {
		x := &l.words[w]
		x.before |= x.within
		x.within = next[w]
		x.beforeSum, x.withinSum = before, within
		before += uint32(bits.OnesCount64(x.before))
		within += uint32(bits.OnesCount64(next[w]))
		next[w] = 0
	}
}

// within is the rank of place k among those within the block.
func (l *rankLayer) within(k uint32) uint32 {
	w := &l.words[k>>6]
	return w.withinSum + uint32(bits.OnesCount64(w.within&(1<<(k&63)-1)))
}

// below is the number of places below k at the positions before the last block
// entered, and the first p < 64 of it.
func (t *prefixRanks) below(p, k uint32) uint32 {
	sum := uint32(0)
	for i := range t.layers {
		w := &t.layers[i].words[k>>6]
		mask := uint64(1)<<(k&63) - 1
		sum += w.beforeSum + uint32(bits.OnesCount64(w.before&mask))
		k = w.withinSum + uint32(bits.OnesCount64(w.within&mask))
	}
	return sum + uint32(bits.OnesCount64(t.masks[k&(2*leafRows-1)]&(1<<(p&63)-1)))
}

// countByRanks counts both sides of a long list. Row a is joined to the positions
// below upTo[a] whose places are past its label, and to those from from[a] on whose
// places come before it, so that both are known from the places below one among the
// positions before another.
func (s *side) countByRanks(w *marginWorker) {
	n := len(s.key)
	if n >= largeList && parallel.Workers() > 1 {
		s.countInPieces(w, min(parallel.Workers(), n/pieceRows))
		return
	}
	w.ranks = grown(w.ranks, 1)
	s.reach(0, n)
	w.ranks[0].reset(n, nil)
	s.countPiece(&w.ranks[0], 0, n)
}

// countInPieces cuts the list into as many pieces as there are threads, since counts
// do not depend on the cut.
func (s side) countInPieces(w *marginWorker, pieces int) {
	n := len(s.key)
	w.ranks = grown(w.ranks, pieces)
	parallel.For(pieces, func(_, p int) {
		lo, hi := p*n/pieces, (p+1)*n/pieces
		s.reach(lo, hi)
		if p < pieces-1 {
			w.ranks[p].mark(s.key[lo:hi], n)
		}
	})
	parallel.For(pieces, func(_, p int) {
		w.ranks[p].reset(n, w.ranks[:p])
		s.countPiece(&w.ranks[p], p*n/pieces, (p+1)*n/pieces)
	})
}

// mark sets seen to the places of keys, of n.
func (t *prefixRanks) mark(keys []int32, n int) {
	t.seen = grown(t.seen, n>>6+1)
	clear(t.seen)
	for _, k := range keys {
		t.seen[k>>6] |= 1 << (k & 63)
	}
}

// countPiece counts for the rows whose reach ends at a position in [lo,hi), those
// before lo being known to t.
func (s *side) countPiece(t *prefixRanks, lo, hi int) {
	n := len(s.key)
	c := sort.Search(n, func(a int) bool { return int(s.upTo[a]) >= lo })
	d := sort.Search(n, func(a int) bool { return int(s.from[a]) >= lo })
	for at := lo; at < hi; at += leafRows {
		t.enter(s.key[lo:hi], at-lo)
		end := int32(min(at+leafRows, hi))
		for ; c < n && s.upTo[c] < end; c++ {
			s.worse[c] = s.upTo[c] - int32(t.below(uint32(int(s.upTo[c])-at), uint32(s.past[c])))
		}
		for ; d < n && s.from[d] < end; d++ {
			s.better[d] = s.least[d] - int32(t.below(uint32(int(s.from[d])-at), uint32(s.least[d])))
		}
	}
	if hi < n {
		return
	}
	for ; c < n; c++ { // all places are in: k of them are below place k
		s.worse[c] = int32(n) - s.past[c]
	}
	clear(s.better[d:])
}

// reach sets upTo and from of the positions [lo,hi). The difference of two scores is
// the same for both, so that a pair is joined for both of its rows or for none.
func (s *side) reach(lo, hi int) {
	score, n := s.score, len(s.score)
	j := sort.Search(n, func(j int) bool { return !(score[j]-score[lo] < 1) })
	i := sort.Search(n, func(i int) bool { return score[lo]-score[i] < 1 })
	for a := lo; a < hi; a++ {
		v := score[a]
		for c := 4; c == 4 && j+4 <= n; j += c {
			next := score[j : j+4 : j+4]
			c = one(next[0]-v < 1) + one(next[1]-v < 1) + one(next[2]-v < 1) + one(next[3]-v < 1)
		}
		for j < n && score[j]-v < 1 {
			j++
		}
		for c := 4; c == 4 && i+4 <= n; i += c {
			next := score[i : i+4 : i+4]
			c = 4 - one(v-next[0] < 1) - one(v-next[1] < 1) - one(v-next[2] < 1) - one(v-next[3] < 1)
		}
		for i < n && !(v-score[i] < 1) {
			i++
		}
		s.upTo[a], s.from[a] = int32(j), int32(i)
	}
}

// one is 1 where b, else 0, without a branch.
func one(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}
