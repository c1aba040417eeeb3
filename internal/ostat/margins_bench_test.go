package ostat

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkMargins times the parts of one evaluation of a pairwise hinge loss on
// one list: sorting alone, a sort and a count, and a Laplacian product. The
// metric rows/s is that of the list.
func BenchmarkMargins(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{30, 1000, 20_000, 100_000, 1_000_000} {
		y, f, out := make([]float64, m), make([]float64, m), make([]float64, m)
		rows := make([]int32, m)
		for _, levels := range []int{0, 1000, 5} {
			for i := range y {
				rows[i] = int32(i)
				y[i], f[i] = r.NormFloat64(), 2*r.NormFloat64()
				if levels > 0 {
					y[i] = float64(r.IntN(levels))
				}
			}
			for _, way := range []Counting{Auto, Tree, Direct} {
				if way == Direct && m > 1000 {
					continue
				}
				g, err := NewMargins(y, rows, []int{0, m}, way)
				if err != nil {
					b.Fatal(err)
				}
				name := fmt.Sprintf("m=%d/labels=%d/%s/", m, levels, way)
				run := func(part string, work func()) {
					b.Run(name+part, func(b *testing.B) {
						work()
						b.ReportAllocs()
						for b.Loop() {
							work()
						}
						b.ReportMetric(float64(m)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
					})
				}
				var s Argsorter
				order := make([]int32, m)
				if way == Auto {
					run("argsort", func() { s.ArgsortTo(order, f) })
				}
				run("pass", func() { g.Sort(f); g.Count(); g.HingeTo(out, []float64{1}) })
				run("laplacian", func() { g.LaplacianMulTo(out, f, []float64{1}) })
			}
		}
	}
}
