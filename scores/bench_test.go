package scores

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkRank(b *testing.B) {
	for _, size := range [][2]int{{181, 41}, {100, 100000}} {
		for _, kind := range []string{"normal", "missing"} {
			p, _ := simulate(rand.New(rand.NewPCG(1, 1)), kind, size[0], size[1], "spread")
			b.Run(fmt.Sprintf("%s/systems=%d/items=%d", kind, size[0], size[1]), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if _, err := Rank(b.Context(), p, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
