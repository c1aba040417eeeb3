package ostat

// stopPairs is how many pairs Direct visits between two questions whether to
// stop: some tens of microseconds.
const stopPairs = 1 << 16

// stops reports whether a sweep of Direct has to end, after so many more pairs. left
// counts down to the next question.
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

// ask asks Stop, until it has said so once.
func (g *Margins) ask() bool {
	if !g.stopped.Load() && g.Stop() {
		g.stopped.Store(true)
	}
	return g.stopped.Load()
}
