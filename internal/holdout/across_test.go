package holdout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEachOfPairs compares the pairs of each row with loops over them.
func TestEachOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	for range 300 {
		n := 1 + r.IntN(9)
		y, f := make([]float64, n), make([]float64, n)
		for i := range y {
			y[i], f[i] = float64(r.IntN(4)), float64(r.IntN(4))
		}
		wrong, pairs := make([]float64, n), make([]float64, n)
		for i := range y {
			for j := range y {
				if y[i] == y[j] {
					continue
				}
				pairs[i]++
				if f[i] == f[j] {
					wrong[i] += 0.5
				} else if (f[i] < f[j]) != (y[i] < y[j]) {
					wrong[i]++
				}
			}
		}
		if w, p := eachOfPairs(y, f); !slices.Equal(w, wrong) || !slices.Equal(p, pairs) {
			t.Fatalf("%v by %v: %v of %v, not %v of %v", y, f, w, p, wrong, pairs)
		}
	}
}
