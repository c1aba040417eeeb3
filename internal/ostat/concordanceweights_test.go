package ostat

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
)

// TestConcordanceWeights compares the sums of whole weights with the definition, over ties of labels and scores.
func TestConcordanceWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var memory ConcordanceMemory
	for range 200 {
		m := 1 + r.IntN(40)
		y, f, w := make([]float64, m), make([]float64, m), make([]float64, m)
		for i := range m {
			y[i], f[i], w[i] = float64(r.IntN(5)), float64(r.IntN(7)), r.ExpFloat64()
			if m%2 == 0 {
				w[i] = float64(1 + r.IntN(9))
			}
		}
		whole, unit := Wholes(w)
		c := NewConcordance(y)
		c.SetWeights(whole)
		signed, pairs := make([]int64, m), make([]int64, m)
		c.PairsTo(pairs)
		if _, _, ok := c.CountTo(signed, f, &memory); !ok {
			t.Fatal("no order")
		}
		for i := range m {
			sum, all := int64(0), int64(0)
			for j := range m {
				sum += int64(cmp.Compare(y[i], y[j])*cmp.Compare(f[i], f[j])) * whole[j]
				if y[i] != y[j] {
					all += whole[j]
				}
			}
			if signed[i] != sum || pairs[i] != all || c.Weight(i) != whole[i] {
				t.Fatalf("row %d of %d: %d of %d, want %d of %d", i, m, signed[i], pairs[i], sum, all)
			}
			if got := unit * float64(whole[i]); got != w[i] && (m%2 == 0 || math.Abs(got-w[i]) > unit/2) {
				t.Fatalf("weight %v became %v", w[i], got)
			}
		}
	}
}
