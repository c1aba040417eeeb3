package rls_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/learn/rls"
)

// benchQueries are queries of so many rows and features.
func benchQueries(count, rows, features int) (xs []*data.Dense, y []float64) {
	r := rand.New(rand.NewPCG(14, 99))
	for range count {
		x := data.NewDense(rows, features, nil)
		for i := range x.Data {
			x.Data[i] = r.Float64()
		}
		xs = append(xs, x)
	}
	for range rows {
		y = append(y, float64(r.IntN(5)))
	}
	return xs, y
}

func BenchmarkMomentsAdd(b *testing.B) {
	for _, size := range []struct{ rows, features, folds int }{{250, 46, 10}, {25, 46, 10}, {120, 136, 10}, {24, 700, 10}, {250, 700, 10}, {250, 700, 1}} {
		b.Run(fmt.Sprintf("m=%d/n=%d/folds=%d", size.rows, size.features, size.folds), func(b *testing.B) {
			xs, y := benchQueries(64, size.rows, size.features)
			m, err := rls.NewMoments(rls.MomentsOptions{Folds: size.folds})
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				if err := m.Add(xs[n%len(xs)], y, n*7%size.folds); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(n*size.rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
