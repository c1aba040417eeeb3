package pairrank

import (
	"fmt"
	"runtime"
	"testing"

	"pairrank/internal/synth"
	"pairrank/kernel"
)

// BenchmarkSplines trains splines of four knots beside straight lines, with λ by leave-query-out over 31 values, on
// queries of some hundred rows.
func BenchmarkSplines(b *testing.B) {
	for _, m := range []int{20000, 100000, 1000000} {
		set, err := synth.LETOR{Rows: m, Features: 46}.Set()
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Spline{Knots: 4, Bends: 1}} {
			b.Run(fmt.Sprintf("m=%d/n=46/%s", m, k), func(b *testing.B) {
				runtime.GC()
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Train(b.Context(), Problem{Set: set}, Options{Kernels: []kernel.Kernel{k}}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
