package ostat

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestConcordance compares with the definition, with ties in labels and scores.
func TestConcordance(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var memory ConcordanceMemory
	for trial := range 300 {
		m := 1 + r.IntN(60)
		y, f := make([]float64, m), make([]float64, m)
		for i := range y {
			y[i], f[i] = float64(r.IntN(1+trial%7)), float64(r.IntN(1+trial%31))
			if trial%3 == 0 {
				y[i], f[i] = r.NormFloat64(), r.NormFloat64()
			}
		}
		got, pairs := make([]int64, m), make([]int64, m)
		c := NewConcordance(y)
		c.PairsTo(pairs)
		order, sorted, ok := c.CountTo(got, f, &memory)
		if !ok || !slices.IsSortedFunc(order, func(i, j int32) int { return cmp.Compare(f[i], f[j]) }) {
			t.Fatalf("trial %d: order %v", trial, order)
		}
		for a, i := range order {
			if sorted[a] != f[i] {
				t.Fatalf("trial %d: score %v at place %d of row %d, want %v", trial, sorted[a], a, i, f[i])
			}
		}
		for i := range y {
			want, compared := int64(0), int64(0)
			for j := range y {
				want += int64(cmp.Compare(y[i], y[j]) * cmp.Compare(f[i], f[j]))
				if y[i] != y[j] {
					compared++
				}
			}
			if got[i] != want || pairs[i] != compared {
				t.Fatalf("trial %d, row %d: %d of %d, want %d of %d", trial, i, got[i], pairs[i], want, compared)
			}
		}
	}
	if _, _, ok := NewConcordance([]float64{1, 2}).CountTo(make([]int64, 2), []float64{math.NaN(), 1},
		&ConcordanceMemory{}); ok {
		t.Error("NaN is ordered")
	}
}

// TestConcordanceOfLongLists compares lists that are swept in pieces with the sums of a sweep
// in one, for few and many levels, and ties across the bounds of pieces.
func TestConcordanceOfLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 9))
	var memory ConcordanceMemory
	for _, m := range []int{largeList - 1, largeList, 3*largeList + 5, 20 * largeList} {
		for _, kind := range []struct{ labels, scores int }{{2, 0}, {50, 7}, {m, 0}, {0, 3 * m}, {1, 1}, {0, 0}} {
			y, f := make([]float64, m), make([]float64, m)
			value := func(n int) float64 {
				if n == 0 {
					return r.NormFloat64()
				}
				return float64(r.IntN(n))
			}
			for i := range y {
				y[i], f[i] = value(kind.labels), value(kind.scores)
			}
			c, got, want := NewConcordance(y), make([]int64, m), make([]int64, m)
			order, _, ok := c.CountTo(got, f, &memory)
			if !ok || !slices.IsSortedFunc(order, func(i, j int32) int { return cmp.Compare(f[i], f[j]) }) {
				t.Fatalf("%d rows, %+v: not in order", m, kind)
			}
			sorted, _ := (&sorter{}).order(f, c.tags)
			var seen seenLevels
			seen.reset(make([]int32, len(c.rows)))
			c.sweep(want, sorted, 0, m, &seen)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows, %+v: other counts in pieces", m, kind)
			}
			sum := int64(0)
			for _, v := range got {
				sum += v
			}
			var counter Counter
			counter.SetLabels(y)
			if p, _ := counter.Count(f); sum != 2*(p.Concordant-p.Discordant) {
				t.Errorf("%d rows, %+v: the sum is %d, want twice %d", m, kind, sum, p.Concordant-p.Discordant)
			}
		}
	}
}
