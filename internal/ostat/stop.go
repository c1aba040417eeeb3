package ostat

import "sync/atomic"

// halt is how a Margins ends early.
type halt struct {
	// Stop, when it is not nil, is called from time to time while Direct visits all pairs, from
	// several goroutines. Once it returns true, counts and sums end at once; see Stopped.
	Stop    func() bool
	stopped atomic.Bool
}

// stopPairs is the number of pairs that Direct visits between two calls of Stop: some tens of
// microseconds.
const stopPairs = 1 << 16

// stops reports whether a sweep of Direct must end, after so many more pairs. left counts down to
// the next call of Stop.
func (s *side) stops(left *int, pairs int) bool {
	if *left -= pairs; *left > 0 || s.stop == nil {
		return false
	}
	*left = stopPairs
	return s.stop()
}

// Stopped reports whether Stop has returned true. The values that later calls have computed are
// undefined.
func (g *Margins) Stopped() bool { return g.stopped.Load() }

// ask calls Stop, until it has returned true once.
func (g *Margins) ask() bool {
	if !g.stopped.Load() && g.Stop() {
		g.stopped.Store(true)
	}
	return g.stopped.Load()
}
