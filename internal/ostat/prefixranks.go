package ostat

import "math/bits"

// prefixRanks counts the places below k among the first p of a list of different places in [0,n).
// The positions are cut into blocks, and these into smaller ones, down to blocks of 64. Each size
// of block has a layer: the places before the block and those within it, as bits with counts. The
// first count the places below k before the block. The second give the rank of k within the block;
// the next layer works on these ranks, which are at most the length of the block. The layer of
// blocks of 64 ends with one word for each rank. Unlike a tree into which every place is inserted,
// a layer is written in one pass through memory for a whole block, and the queries of a block do
// not wait for each other.
//
// Blocks are entered in ascending order. It takes O(log n) for each of n places, and n/2 bytes for
// the first layer; the other layers fit the first-level cache.
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

// reset makes room for places in [0,n). The places in the sets before count as lying before the
// first block.
func (t *prefixRanks) reset(n int, before []prefixRanks) {
	above := max(0, bits.Len(uint(max(n, 1)-1))-leafBits)
	count := max(1, (above+layerBits-1)/layerBits)
	t.layers = grown(t.layers, count)
	places := n
	for i := range t.layers {
		l := &t.layers[i]
		l.shift = uint(leafBits + above*(count-1-i)/count)
		words := places>>6 + 1 // below may be called for place n
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

// enter moves to the block of 64 positions from at on, a multiple of 64; keys holds the places by
// position.
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

// enter moves to the block of size positions that begins at position at of the block of the layer
// before.
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
