package ostat

import "math/bits"

// Bits of a block of members: one cache line.
const (
	blockShift = 9
	blockWords = 1 << (blockShift - 6)
)

// members is a set of places in [0,m): one bit each, and a Fenwick tree over
// the number of members of each block of 512. The bits of 10^6 places take 122
// kB and the tree 8 kB, where a tree over single places would take 4 MB and
// miss the cache.
type members struct {
	words []uint64
	tree  []int32 // tree[1:], Fenwick (1994); sums over blocks
}

// reset empties the set and makes room for m places.
func (s *members) reset(m int) {
	blocks := m>>blockShift + 1 // place m itself may be asked for
	s.words = grown(s.words, blocks*blockWords)
	s.tree = grown(s.tree, blocks)
	clear(s.words)
	clear(s.tree)
}

// put adds place k, which is not a member yet.
func (s *members) put(k uint32) {
	s.words[k>>6] |= 1 << (k & 63)
	for x := int(k>>blockShift) + 1; x < len(s.tree); x += x & -x {
		s.tree[x]++
	}
}

// below is the number of members less than k ≤ m.
func (s *members) below(k uint32) int64 {
	n := 0
	for x := k >> blockShift; x > 0; x &= x - 1 {
		n += int(s.tree[x])
	}
	last := k >> 6
	for _, w := range s.words[last&^(blockWords-1) : last] {
		n += bits.OnesCount64(w)
	}
	return int64(n + bits.OnesCount64(s.words[last]&(1<<(k&63)-1)))
}

// walkMembers walks rows in ascending score, tag as placeLabels gives it for
// many levels: place low, end of its tie group high. Both sets take the same
// steps, written twice as a call through an interface would cost more than they.
func (c *Counter) walkMembers(e []entry) walk {
	if c.m <= shortRows {
		return c.walkShort(e)
	}
	return c.walkLong(e)
}

func (c *Counter) walkLong(e []entry) (w walk) {
	s := &c.members
	s.reset(c.m)
	for a := 0; a < len(e); {
		b := a + 1
		if b < len(e) && e[b].key == e[a].key {
			b = c.tieGroup(&w, e, a)
		}
		for _, x := range e[a:b] {
			w.discordant += int64(a) - s.below(uint32(x.tag>>32))
		}
		for _, x := range e[a:b] {
			s.put(uint32(x.tag))
		}
		a = b
	}
	return w
}

func (c *Counter) walkShort(e []entry) (w walk) {
	var s shortMembers
	for a := 0; a < len(e); {
		if a+1 == len(e) || e[a+1].key != e[a].key { // the usual case, a fifth faster without loops
			w.discordant += int64(a) - s.below(uint32(e[a].tag>>32))
			s.put(uint32(e[a].tag))
			a++
			continue
		}
		b := c.tieGroup(&w, e, a)
		for _, x := range e[a:b] {
			w.discordant += int64(a) - s.below(uint32(x.tag>>32))
		}
		for _, x := range e[a:b] {
			s.put(uint32(x.tag))
		}
		a = b
	}
	return w
}

// tieGroup counts the pairs inside the group of tied scores that starts at a,
// and returns its end.
func (c *Counter) tieGroup(w *walk, e []entry, a int) (end int) {
	end = tieEnd(e, a)
	w.tied += choose2(end - a)
	w.tiedBoth += c.tiedLabels(e[a:end])
	return end
}

// tiedLabels counts the pairs of equal label among rows of one score.
func (c *Counter) tiedLabels(e []entry) (pairs int64) {
	if len(c.same) < c.m+1 {
		c.same = make([]int32, c.m+1)
	}
	for _, x := range e {
		n := &c.same[x.tag>>32]
		pairs += int64(*n)
		*n++
	}
	for _, x := range e {
		c.same[x.tag>>32] = 0
	}
	return pairs
}
