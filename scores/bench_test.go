package scores

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkRank(b *testing.B) {
	for _, size := range [][2]int{{181, 41}, {100, 100000}} {
		for _, missing := range []float64{0, .2} {
			p := drawn(rand.New(rand.NewPCG(1, 1)), size[0], size[1], 1, missing)
			b.Run(fmt.Sprintf("systems=%d/items=%d/missing=%v", size[0], size[1], missing), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if _, err := Rank(b.Context(), *p, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
