package ostat

import (
	"math/rand/v2"
	"testing"
)

// TestBlockSums compares sums below places with one addition after another: of whole numbers, so that both are exact.
func TestBlockSums(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var s blockSums
	for _, n := range []int{1, 2, 15, 16, 17, 127, 128, 129, 3000, sumLeaf*manyLeaves - 1, sumLeaf * manyLeaves, 40, 0} {
		s.reset(n)
		values := make([]float64, n)
		for range 3 {
			for range min(n/3, 500) {
				if k := r.IntN(n); values[k] == 0 {
					values[k] = float64(r.IntN(100) - 50)
					s.put(uint32(k), values[k])
				}
			}
			sums := make([]float64, n+1)
			for k, v := range values {
				sums[k+1] = sums[k] + v
			}
			for _, k := range append(r.Perm(n + 1)[:min(n, 2000)], 0, n) {
				if got := s.below(uint32(k)); got != sums[k] {
					t.Fatalf("n=%d: %v below %d, added up %v", n, got, k, sums[k])
				}
			}
		}
	}
}
