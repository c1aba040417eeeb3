package krylov

import (
	"math"
	"testing"
)

// A share goes from the farthest distance to none, never falls, and is told also where the distance is no number.
func TestShareOfAnIteration(t *testing.T) {
	var s Share
	for k, c := range []struct{ distance, want float64 }{
		{math.NaN(), 0.01}, {4, 0.02}, {8, 0.03}, {6, 0.25}, {7, 0.25}, {math.Inf(1), 0.25}, {2, 0.75}, {-1, 1}, {3, 1},
	} {
		if got := s.After(k+1, 100, c.distance); got != c.want {
			t.Errorf("after %d iterations, at %v: %v, want %v", k+1, c.distance, got, c.want)
		}
	}
}
