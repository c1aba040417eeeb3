package pairrank

import (
	"fmt"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
)

// All features are left out at once, or one after the other with λ chosen again. For comparison: an estimate of
// the matrix without one column, the cost of each feature from scratch.
func BenchmarkImportance(b *testing.B) {
	for _, size := range []struct{ m, n, queries int }{{2000, 46, 20}, {20000, 136, 200}} {
		set := importanceSet(size.m, size.n, size.queries, 1)
		estimate := func(b *testing.B, set *data.Set, o EstimateOptions) *Estimated {
			o.Intervals, o.Importance, o.Normalize = cv.IntervalsNone, true, data.NormalizeZScore
			e, err := Estimate(b.Context(), Problem{Set: set}, o)
			if err != nil {
				b.Fatal(err)
			}
			return e
		}
		one := EstimateOptions{Options: Options{Lambdas: []float64{1000}}}
		name := func(what string) string { return fmt.Sprintf("m=%d/n=%d/%s", size.m, size.n, what) }
		leave := func(e *Estimated, features int) func(b *testing.B) {
			return func(b *testing.B) {
				for b.Loop() {
					if _, err := e.Importance(b.Context(), features); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.Run(name("all"), leave(estimate(b, set, one), cv.ImportanceAll))
		b.Run(name("four,again"), leave(estimate(b, set, EstimateOptions{}), 4))
		b.Run(name("estimate"), func(b *testing.B) {
			fewer := without(set, 0)
			for b.Loop() {
				estimate(b, fewer, one)
			}
		})
	}
}
