package student

import (
	"math"
	"testing"
)

// The test of signs is that of the definition: twice the tail.
func TestSignTest(t *testing.T) {
	choose := func(n, k int) float64 {
		c := 1.0
		for j := range k {
			c = c * float64(n-j) / float64(j+1)
		}
		return c
	}
	for n := range 40 {
		for wins := range n + 1 {
			tail := 0.0
			for k := max(wins, n-wins); k <= n; k++ {
				tail += choose(n, k) * math.Pow(0.5, float64(n))
			}
			if got := SignTest(float64(wins), float64(n-wins)); math.Abs(got-min(1, 2*tail)) > 1e-8*math.Abs(got) {
				t.Errorf("%d of %d: %v, not %v", wins, n, got, min(1, 2*tail))
			}
		}
	}
}
