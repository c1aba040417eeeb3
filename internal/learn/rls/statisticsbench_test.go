package rls_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/learn/rls"
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

// benchStatistics are statistics of a few queries of 250 rows.
func benchStatistics(b *testing.B, features, folds int) *rls.Statistics {
	m := newStatistics(b, rls.StatisticsOptions{Folds: folds})
	xs, y := benchQueries(4*folds, 250, features)
	for q, x := range xs {
		add(b, m, x, y, q%folds)
	}
	return m
}

func BenchmarkStatisticsMerge(b *testing.B) {
	for _, features := range []int{46, 700} {
		b.Run(fmt.Sprintf("n=%d/folds=10", features), func(b *testing.B) {
			m, o := benchStatistics(b, features, 10), benchStatistics(b, features, 10)
			for b.Loop() {
				if err := m.Merge(o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "merges/s")
		})
	}
}

func BenchmarkStatisticsMarshal(b *testing.B) {
	for _, features := range []int{46, 700} {
		m := benchStatistics(b, features, 10)
		var written []byte
		b.Run(fmt.Sprintf("append/n=%d/folds=10", features), func(b *testing.B) {
			for b.Loop() {
				var err error
				if written, err = m.AppendBinary(written[:0]); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(written)))
		})
		b.Run(fmt.Sprintf("unmarshal/n=%d/folds=10", features), func(b *testing.B) {
			for b.Loop() {
				var read rls.Statistics
				if err := read.UnmarshalBinary(written); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(written)))
		})
	}
}

func BenchmarkStatisticsHeldOut(b *testing.B) {
	for _, features := range []int{46, 700} {
		b.Run(fmt.Sprintf("n=%d/folds=10/lambdas=31", features), func(b *testing.B) {
			m := benchStatistics(b, features, 10)
			for b.Loop() {
				if _, err := m.HeldOut(ctx, grid()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStatisticsAdd(b *testing.B) {
	for _, size := range []struct{ rows, features, folds int }{{250, 46, 10}, {25, 46, 10}, {120, 136, 10},
		{1, 700, 10}, {24, 700, 10}, {48, 700, 10}, {216, 700, 10}} {
		b.Run(fmt.Sprintf("m=%d/n=%d/folds=%d", size.rows, size.features, size.folds), func(b *testing.B) {
			xs, y := benchQueries(64, size.rows, size.features)
			m, n := newStatistics(b, rls.StatisticsOptions{Folds: size.folds}), 0
			for b.Loop() {
				add(b, m, xs[n%len(xs)], y, n*7%size.folds)
				n++
			}
			b.ReportMetric(float64(n*size.rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
