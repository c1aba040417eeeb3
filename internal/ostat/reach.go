package ostat

import (
	"sort"

	"pairrank/internal/parallel"
)

// countByRanks counts both sides of a long list. Row a is joined to the positions below upTo[a]
// with places past its label, and to the positions from from[a] on with places before it. Both
// counts follow from numbers of places below k among the first p positions.
//
// The second count is of lower keys. Where those are others, it takes a second walk.
func (s *side) countByRanks(w *marginWorker) {
	if n := len(s.key); n >= largeList && parallel.Workers() > 1 {
		s.countInPieces(w, min(parallel.Workers(), n/pieceRows))
		return
	}
	w.ranks = grown(w.ranks, 1)
	s.reach(0, len(s.key))
	for _, of := range s.walks() {
		w.ranks[0].reset(len(s.key), nil)
		s.countPiece(&w.ranks[0], 0, len(s.key), of)
	}
}

// rankWalk is a walk along the list that counts keys of one kind.
type rankWalk struct {
	keys          []int32
	worse, better bool // what it counts
}

func (s *side) walks() []rankWalk {
	if &s.low[0] == &s.key[0] {
		return []rankWalk{{s.key, true, true}}
	}
	return []rankWalk{{s.key, true, false}, {s.low, false, true}}
}

// countInPieces cuts the list into as many pieces as there are threads, since counts
// do not depend on the cut.
func (s side) countInPieces(w *marginWorker, pieces int) {
	n := len(s.key)
	w.ranks = grown(w.ranks, pieces)
	for k, of := range s.walks() {
		parallel.For(pieces, func(_, p int) {
			lo, hi := p*n/pieces, (p+1)*n/pieces
			if k == 0 {
				s.reach(lo, hi)
			}
			if p < pieces-1 {
				w.ranks[p].mark(of.keys[lo:hi], n)
			}
		})
		parallel.For(pieces, func(_, p int) {
			w.ranks[p].reset(n, w.ranks[:p])
			s.countPiece(&w.ranks[p], p*n/pieces, (p+1)*n/pieces, of)
		})
	}
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
func (s *side) countPiece(t *prefixRanks, lo, hi int, of rankWalk) {
	n := len(s.key)
	c, d, last := n, 0, 0
	if of.worse {
		c = sort.Search(n, func(a int) bool { return int(s.upTo[a]) >= lo })
	}
	if of.better {
		d, last = s.turn(lo, hi)
	}
	for at := lo; at < hi; at += leafRows {
		t.enter(of.keys[lo:hi], at-lo)
		end := int32(min(at+leafRows, hi))
		for ; c < n && s.upTo[c] < end; c++ {
			s.worse[c] = s.upTo[c] - int32(t.below(uint32(int(s.upTo[c])-at), uint32(s.past[c])))
		}
		for ; d < last && s.from[d] < end; d++ {
			s.better[d] = s.least[d] - int32(t.below(uint32(int(s.from[d])-at), uint32(s.least[d])))
		}
	}
	if hi < n {
		return
	}
	for ; c < n; c++ { // all places are in: k of them are below place k
		s.worse[c] = int32(n) - s.past[c]
	}
	clear(s.better[d:last])
}

// reach sets upTo of the positions [lo,hi), in two interleaved runs; each waits for its own loads
// alone.
func (s *side) reach(lo, hi int) {
	score, n := s.score, len(s.score)
	half := (hi - lo) / 2
	j, k := s.reachOf(lo, 0), s.reachOf(lo+half, 0)
	low, high := score[lo:lo+half], score[lo+half:lo+2*half]
	upLow, upHigh := s.upTo[lo:lo+half], s.upTo[lo+half:lo+2*half]
	for a, v := range low {
		u := high[a]
		for c := 4; c == 4 && j+4 <= n; j += c {
			next := score[j : j+4 : j+4]
			c = one(next[0]-v < 1) + one(next[1]-v < 1) + one(next[2]-v < 1) + one(next[3]-v < 1)
		}
		for c := 4; c == 4 && k+4 <= n; k += c {
			next := score[k : k+4 : k+4]
			c = one(next[0]-u < 1) + one(next[1]-u < 1) + one(next[2]-u < 1) + one(next[3]-u < 1)
		}
		for j < n && score[j]-v < 1 {
			j++
		}
		for k < n && score[k]-u < 1 {
			k++
		}
		upLow[a], upHigh[a] = int32(j), int32(k)
	}
	if a := lo + 2*half; a < hi {
		s.upTo[a] = int32(s.reachOf(a, k))
	}
}

// reachOf is upTo of position a, which is at least least.
func (s *side) reachOf(a, least int) int {
	if a == len(s.score) {
		return a
	}
	return least + sort.Search(len(s.score)-least, func(j int) bool { return !(s.score[least+j]-s.score[a] < 1) })
}

// turn sets from of the positions [first,last), those where it is in [lo,hi), from
// upTo of the positions [lo,hi). Positions i ≤ a are joined by their scores where upTo[i]
// is past a, so that from[a] is how many have an upTo of at most a.
func (s *side) turn(lo, hi int) (first, last int) {
	n := len(s.upTo)
	if last = n; hi < n {
		last = int(s.upTo[hi-1])
	}
	if first = 0; lo > 0 {
		first = int(s.upTo[lo-1])
	}
	count := s.from[first:last]
	clear(count)
	for _, u := range s.upTo[lo:hi] {
		if int(u) < last {
			count[int(u)-first]++
		}
	}
	sum := int32(lo)
	for a, c := range count {
		sum += c
		count[a] = sum
	}
	return first, last
}

// one is 1 where b, else 0, without a branch.
func one(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}
