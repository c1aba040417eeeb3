package krylov

import "math"

// Share estimates which share of an iteration is done, which nobody knows before it ends. Its zero value is the
// beginning.
type Share struct{ farthest, done float64 }

// After returns the share after k iterations of at most most. It never falls, and is the larger of k/most and how far
// distance, the logarithm of how many times the residual is above what ends the iteration, has come from its largest
// value to 0: conjugate gradients lower the residual by about the same factor in each iteration.
func (s *Share) After(k, most int, distance float64) float64 {
	s.done = max(s.done, float64(k)/float64(most))
	switch {
	case distance <= 0:
		s.done = 1
	case distance < math.Inf(1): // not NaN
		s.farthest = max(s.farthest, distance)
		s.done = max(s.done, 1-distance/s.farthest)
	}
	return s.done
}
