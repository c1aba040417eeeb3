package ostat

import "math/bits"

// shortRows is the longest list whose places, and the end of the last, fit
// shortMembers.
const shortRows = shortWords*64 - 1

const shortWords = 16

// shortMembers is a set of places in [0,1024) without a loop or a branch: one
// bit each, and for each word of bits the number of members before it, sixteen
// counters in the lanes of four words.
type shortMembers struct {
	words [shortWords]uint64
	lanes [4]uint64
}

// afterWord[w] adds one to the lanes of all words after w.
var afterWord = func() (t [shortWords][4]uint64) {
	for w := range t {
		for v := w + 1; v < shortWords; v++ {
			t[w][v>>2] |= 1 << (16 * (v & 3))
		}
	}
	return t
}()

func (s *shortMembers) put(k uint32) {
	w := k >> 6 & (shortWords - 1)
	s.words[w] |= 1 << (k & 63)
	t := &afterWord[w]
	s.lanes[0] += t[0]
	s.lanes[1] += t[1]
	s.lanes[2] += t[2]
	s.lanes[3] += t[3]
}

func (s *shortMembers) below(k uint32) int64 {
	w := k >> 6 & (shortWords - 1)
	n := s.lanes[w>>2] >> (16 * (w & 3)) & 0xffff
	return int64(n) + int64(bits.OnesCount64(s.words[w]&(1<<(k&63)-1)))
}
