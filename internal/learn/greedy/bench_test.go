package greedy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// table is rows of normal features in lists of about so many rows; a few features tell the two labels apart a little.
func table(m, n, list int) Problem {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range m {
		y[i], of[i] = float64(r.IntN(2)), int32(i/list)
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
			if j%100 == 7 {
				x.Row(i)[j] += 0.6 * y[i]
			}
		}
	}
	return Problem{X: x, Y: y, Queries: data.NewPartition(of, (m+list-1)/list)}
}

func benchmark(b *testing.B, p Problem, o Options) {
	b.Helper()
	m, n := p.X.Dims()
	b.ResetTimer()
	for range b.N {
		if _, err := Select(context.Background(), p, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(o.Features)/float64(m)/float64(n)*1e9, "ns/step/value")
}

// BenchmarkLeavePairOut is of the shape of the leukaemia data of Golub and others 1999.
func BenchmarkLeavePairOut(b *testing.B) {
	for _, features := range []int{5, 50} {
		b.Run(fmt.Sprintf("m=72/n=7129/features=%d", features), func(b *testing.B) {
			benchmark(b, table(72, 7129, 72), Options{Lambda: 72, Features: features})
		})
	}
}

func BenchmarkLeaveQueryOut(b *testing.B) {
	for _, size := range [][2]int{{1000, 100}, {4000, 100}, {16000, 100}, {4000, 400}} {
		b.Run(fmt.Sprintf("m=%d/n=%d/features=10", size[0], size[1]), func(b *testing.B) {
			benchmark(b, table(size[0], size[1], 20), Options{Lambda: 20, Features: 10})
		})
	}
}
