package ostat

import "math/bits"

// members is a set of places in [0,m): one bit each, and over the words of bits
// a ladder of nodes with eight children, each node with the number of members
// before each of its children. A step of the ladder is four additions to put and
// one look to count, without a branch that depends on the data; a Fenwick tree
// takes fewer additions and mispredicts most of them. The bits of 10^6 places
// and the ladder take 200 kB, where a tree over single places would take 4 MB
// and miss the cache.
type members struct {
	words []uint64
	steps [][]fan // from the words up
}

// fan counts the members before each of eight children: child c in the half c&1
// of word c/2.
type fan [4]uint64

// fanBits is log2 of the children of a fan.
const fanBits = 3

// afterChild[c] adds one to the counts of all children after c.
var afterChild = func() (t [1 << fanBits]fan) {
	for c := range t {
		for after := c + 1; after < len(t); after++ {
			t[c][after>>1] |= 1 << (32 * (after & 1))
		}
	}
	return t
}()

// reset empties the set and makes room for m places.
func (s *members) reset(m int) {
	n := m>>6 + 1 // below may be called for place m
	s.words = grown(s.words, n)
	clear(s.words)
	depth := 0
	for n > 1 {
		n = (n + 1<<fanBits - 1) >> fanBits
		if depth == len(s.steps) {
			s.steps = append(s.steps, nil)
		}
		s.steps[depth] = grown(s.steps[depth], n)
		clear(s.steps[depth])
		depth++
	}
	s.steps = s.steps[:depth]
}

// put adds place k, which is not a member yet.
func (s *members) put(k uint32) {
	s.words[k>>6] |= 1 << (k & 63)
	k >>= 6
	for _, step := range s.steps {
		add := &afterChild[k&(1<<fanBits-1)]
		k >>= fanBits
		node := &step[k]
		node[0] += add[0]
		node[1] += add[1]
		node[2] += add[2]
		node[3] += add[3]
	}
}

// below is the number of members less than k ≤ m.
func (s *members) below(k uint32) int64 {
	n := int64(bits.OnesCount64(s.words[k>>6] & (1<<(k&63) - 1)))
	k >>= 6
	for _, step := range s.steps {
		c := k & (1<<fanBits - 1)
		k >>= fanBits
		n += int64(uint32(step[k][c>>1&3] >> (32 * (c & 1))))
	}
	return n
}
