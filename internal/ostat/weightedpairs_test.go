package ostat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// naiveWeighted is the definition, in O(m²).
func naiveWeighted(y, f, w []float64) (p WeightedPairs) {
	for i := range y {
		for j := range i {
			v := w[i] * w[j]
			switch dy, df := y[i] != y[j], f[i] != f[j]; {
			case !dy && !df:
				p.TiedBoth += v
			case !dy:
				p.TiedLabel += v
			case !df:
				p.TiedScore += v
			case (y[i] > y[j]) == (f[i] > f[j]):
				p.Concordant += v
			default:
				p.Discordant += v
			}
		}
	}
	return p
}

// drawWeights are ones, whole numbers, some of them 0, or any numbers.
func drawWeights(r *rand.Rand, m, kind int) []float64 {
	w := make([]float64, m)
	for i := range w {
		w[i] = []float64{1, float64(r.IntN(4)), r.ExpFloat64()}[kind]
	}
	return w
}

func TestWeightedIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var c Counter
	worst := 0.0
	check := func(m, ky, kf, kw int) {
		y, f, w := draw(r, m, ky), draw(r, m, kf), drawWeights(r, m, kw)
		c.SetLabels(y)
		c.SetWeights(w)
		got, ok := c.CountWeighted(f)
		want := naiveWeighted(y, f, w)
		all := 0.0
		for _, v := range w {
			all += v
		}
		for k, v := range [][2]float64{{got.Concordant, want.Concordant}, {got.Discordant, want.Discordant},
			{got.TiedScore, want.TiedScore}, {got.TiedLabel, want.TiedLabel}, {got.TiedBoth, want.TiedBoth}} {
			off := math.Abs(v[0]-v[1]) / (all*all + 1e-300)
			worst = max(worst, off)
			exact := kw < 2 || k < 3 && v[1] == 0
			if !ok || exact && v[0] != v[1] || off > 1e-14 || v[0] < 0 {
				t.Fatalf("m=%d kinds %d %d %d: %+v, %v; want %+v", m, ky, kf, kw, got, ok, want)
			}
		}
		plain, _ := c.Count(f) // stays as it is beside weights
		if want := naivePairs(y, f); plain != want || kw == 0 && got != want.Weighted() {
			t.Fatalf("m=%d: %+v without weights, %+v with ones, want %+v", m, plain, got, want)
		}
	}
	for range 6000 {
		check(r.IntN(14), r.IntN(kinds), r.IntN(kinds), r.IntN(3))
	}
	for range 300 {
		check(r.IntN(600), r.IntN(kinds), r.IntN(kinds), r.IntN(3))
	}
	t.Logf("largest difference %.2g of all pairs", worst)
	if p, ok := c.CountWeighted(make([]float64, c.m)); !ok || p.Discordant != 0 {
		t.Errorf("%+v, %v", p, ok)
	}
	mustPanic(t, func() { c.SetWeights(make([]float64, c.m+1)) })
	c.SetLabels([]float64{1, 2})
	mustPanic(t, func() { c.CountWeighted([]float64{1, 2}) })
	c.SetWeights([]float64{2, 3})
	if p, ok := c.CountWeighted([]float64{1, math.NaN()}); ok || p != (WeightedPairs{}) {
		t.Errorf("NaN: %+v, %v", p, ok)
	}
}

// BenchmarkWeighted compares counts with and without weights.
func BenchmarkWeighted(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	const m = 1_000_000
	f, w := draw(r, m, 2), drawWeights(r, m, 2)
	for name, y := range map[string][]float64{"3 labels": draw(r, m, 1), "distinct": draw(r, m, 2)} {
		var c Counter
		c.SetLabels(y)
		b.Run(name+"/none", func(b *testing.B) {
			for b.Loop() {
				c.Count(f)
			}
		})
		c.SetWeights(w)
		b.Run(name+"/weights", func(b *testing.B) {
			for b.Loop() {
				c.CountWeighted(f)
			}
		})
	}
}
