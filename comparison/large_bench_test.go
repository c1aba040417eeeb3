package comparison

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
)

// many is a board of n items, and ten times as many comparisons of items that a kind draws.
func many(n int, kind string) *Problem {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	p := &Problem{Items: make([]string, n), Lines: make([]Line, 0, 10*n)}
	s := make([]float64, n)
	for i := range s {
		s[i] = r.NormFloat64()
	}
	place := r.Perm(n)
	for len(p.Lines) < 10*n {
		i, j := r.IntN(n), r.IntN(n)
		switch kind {
		case "power-law":
			j = int(float64(n) * math.Pow(r.Float64(), 3)) // of density j^(-2/3)
		case "neighbours":
			j = i + 1 + r.IntN(100)
		}
		if i == j || j >= n {
			continue
		}
		l := Line{Left: place[i], Right: place[j], Annotator: -1, Stratum: -1}
		if s[i]-s[j]+r.NormFloat64() > 0 {
			l.Wins = 1
		} else {
			l.Losses = 1
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

// BenchmarkFitLarge fits large boards. PAIRRANK_LARGE=1 adds those of a million items, which take minutes.
func BenchmarkFitLarge(b *testing.B) {
	sizes := []int{20_000, 100_000}
	if os.Getenv("PAIRRANK_LARGE") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		for _, kind := range []string{"random", "power-law", "neighbours"} {
			for _, o := range []Options{{Loss: Squared}, {Loss: Squared, Lambda: 0.1}, {Loss: Logistic, Lambda: 0.1}} {
				name := fmt.Sprintf("items=%.0e/%s/%s/lambda=%v", float64(n), kind, o.Loss, o.Lambda)
				b.Run(name, func(b *testing.B) {
					p := many(n, kind)
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					for b.Loop() {
						board, err := Fit(context.Background(), p, o)
						if err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(board.Residual*1e9, "residual/1e-9")
					}
					runtime.ReadMemStats(&after)
					b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB/op")
					b.ReportMetric(float64(10*n)*float64(b.N)/b.Elapsed().Seconds(), "comparisons/s")
				})
			}
		}
	}
}
