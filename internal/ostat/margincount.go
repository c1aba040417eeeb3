package ostat

import "pairrank/internal/parallel"

// Count finds c and d for the scores of the last Sort.
func (g *Margins) Count() {
	g.eachChunk(func(w *marginWorker, lo, hi int) {
		for l := lo; l < hi; l++ {
			switch s := g.side(l); {
			case g.amounts != nil:
				s.weigh(w, g.amounts)
			case s.way == Fenwick && len(s.key) > shortRows:
				s.countByRanks(w)
			case len(s.key) < largeList:
				s.countWorse(&w.up)
				s.countBetter(&w.dn)
			default:
				countAtOnce(w, s)
			}
		}
	})
}

// side is one list of a Margins while it is swept.
type side struct {
	way           Counting
	levels        int
	row, key      []int32 // by position, as all below
	least, past   []int32
	score         []float64
	upTo, from    []int32
	worse, better []int32
	stop          func() bool // or nil

	own, heavier, lighter []float64 // nil without weights
}

func (g *Margins) side(l int) side {
	lo, hi := g.bounds[l], g.bounds[l+1]
	var stop func() bool
	if g.Stop != nil && g.ways[l] == Direct {
		stop = g.ask
	}
	of := side{
		stop: stop,
		way:  g.ways[l], levels: int(g.levels[l]), row: g.row[lo:hi], key: g.key[lo:hi], least: g.least[lo:hi],
		past:  g.past[lo:hi],
		score: g.score[lo:hi], upTo: g.upTo[lo:hi], from: g.from[lo:hi], worse: g.worse[lo:hi], better: g.better[lo:hi],
	}
	if g.amounts != nil {
		of.own, of.heavier, of.lighter = g.own[lo:hi], g.heavier[lo:hi], g.lighter[lo:hi]
	}
	return of
}

// countAtOnce sweeps the two sides of a large list at the same time.
func countAtOnce(w *marginWorker, s side) {
	parallel.For(2, func(_, k int) {
		if k == 0 {
			s.countWorse(&w.up)
		} else {
			s.countBetter(&w.dn)
		}
	})
}

// countWorse sweeps upwards: when it counts for position a, the keys of all positions with f − f_a
// < 1 are in (Algorithm 3 of the paper, lines 5 to 13).
func (s *side) countWorse(w *sideMemory) {
	switch {
	case s.way == Direct:
		s.worseDirect()
	case s.way == Tree:
		s.worseByTree(&w.tree)
	case s.way == Levels:
		s.worseByLevels()
	default:
		s.worseShort()
	}
}

func (s *side) worseDirect() {
	j, left := 0, 0
	for a, k := range s.key {
		if j = s.admitUp(a, j); s.stops(&left, j) {
			return
		}
		c := int32(0)
		for _, q := range s.key[:j] {
			if q > k {
				c++
			}
		}
		s.worse[a] = c
	}
}

func (s *side) worseByTree(t *rankTree) {
	t.reset(s.levels)
	j := 0
	for a, k := range s.key {
		for next := s.admitUp(a, j); j < next; j++ {
			t.put(s.key[j], 0)
		}
		s.worse[a], _ = t.larger(k)
	}
}

func (s *side) worseByLevels() {
	var t above
	j := 0
	for a, k := range s.key {
		for v := s.score[a]; j < len(s.score) && s.score[j]-v < 1; j++ {
			t.put(uint64(s.key[j]))
		}
		s.upTo[a], s.worse[a] = int32(j), int32(t.of(uint64(k)))
	}
}

func (s *side) worseShort() {
	var t shortMembers
	j := 0
	for a, v := range s.score {
		for ; j < len(s.score) && s.score[j]-v < 1; j++ {
			t.put(uint32(s.key[j]))
		}
		s.upTo[a], s.worse[a] = int32(j), int32(j)-int32(t.below(uint32(s.past[a])))
	}
}

// admitUp is upTo[a], which it sets, from that of the position before.
func (s *side) admitUp(a, j int) int {
	for v := s.score[a]; j < len(s.score) && s.score[j]-v < 1; {
		j++
	}
	s.upTo[a] = int32(j)
	return j
}

// countBetter sweeps downwards: when it counts for position a, the keys of the positions with f_a −
// f < 1 are in (the same, lines 14 to 22).
func (s *side) countBetter(w *sideMemory) {
	switch {
	case s.way == Direct:
		s.betterDirect()
	case s.way == Tree:
		s.betterByTree(&w.tree)
	case s.way == Levels:
		s.betterByLevels()
	default:
		s.betterShort()
	}
}

func (s *side) betterDirect() {
	n, left := len(s.key), 0
	j := n
	for a := n - 1; a >= 0; a-- {
		if j = s.admitDown(a, j); s.stops(&left, n-j) {
			return
		}
		d := int32(0)
		for _, q := range s.key[j:] {
			if q < s.key[a] {
				d++
			}
		}
		s.better[a] = d
	}
}

func (s *side) betterByTree(t *rankTree) {
	t.reset(s.levels)
	j := len(s.key)
	for a := len(s.key) - 1; a >= 0; a-- {
		for next := s.admitDown(a, j); j > next; {
			j--
			t.put(s.key[j], 0)
		}
		s.better[a], _ = t.smaller(s.key[a])
	}
}

func (s *side) betterByLevels() {
	var t above // of the levels counted from the highest
	top, j := int32(s.levels-1), len(s.key)
	for a := len(s.key) - 1; a >= 0; a-- {
		for v := s.score[a]; j > 0 && v-s.score[j-1] < 1; {
			j--
			t.put(uint64(top - s.key[j]))
		}
		s.from[a], s.better[a] = int32(j), int32(t.of(uint64(top-s.key[a])))
	}
}

func (s *side) betterShort() {
	var t shortMembers
	j := len(s.key)
	for a := len(s.key) - 1; a >= 0; a-- {
		for v := s.score[a]; j > 0 && v-s.score[j-1] < 1; {
			j--
			t.put(uint32(s.key[j]))
		}
		s.from[a], s.better[a] = int32(j), int32(t.below(uint32(s.least[a])))
	}
}

// admitDown is from[a], which it sets, from that of the position after. The
// difference is that of admitUp, so that a pair is joined for both of its rows or
// for none.
func (s *side) admitDown(a, j int) int {
	for v := s.score[a]; j > 0 && v-s.score[j-1] < 1; {
		j--
	}
	s.from[a] = int32(j)
	return j
}
