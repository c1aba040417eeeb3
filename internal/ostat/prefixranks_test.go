package ostat

import (
	"math/rand/v2"
	"testing"
)

// TestPrefixRanks compares ranks among the first positions with the definition, for
// one, two and three layers, and where the first positions are known beforehand.
func TestPrefixRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, n := range []int{1, 2, leafRows - 1, leafRows, leafRows + 1, 500, 1 << 12, 1<<12 + 1, 70_000, 300_000} {
		keys := make([]int32, n)
		for a, k := range r.Perm(n) {
			keys[a] = int32(k)
		}
		for _, from := range []int{0, n / 3} {
			var first, ranks prefixRanks
			first.mark(keys[:from], n)
			ranks.reset(n, []prefixRanks{first})
			for at := from; at < n; at += leafRows {
				ranks.enter(keys[from:], at-from)
				if n > 1000 && r.IntN(n/1000) > 0 {
					continue
				}
				p, k := r.IntN(min(leafRows, n-at)), r.IntN(n+1)
				want := uint32(0)
				for _, q := range keys[:at+p] {
					if int(q) < k {
						want++
					}
				}
				if got := ranks.below(uint32(p), uint32(k)); got != want {
					t.Fatalf("n=%d, %d known before: %d places below %d among the first %d, want %d",
						n, from, got, k, at+p, want)
				}
			}
		}
	}
}
