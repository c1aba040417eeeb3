package ostat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// naivePairs is the definition, in O(m²).
func naivePairs(y, f []float64) (p Pairs) {
	for i := range y {
		for j := range i {
			switch dy, df := y[i] != y[j], f[i] != f[j]; {
			case !dy && !df:
				p.TiedBoth++
			case !dy:
				p.TiedLabel++
			case !df:
				p.TiedScore++
			case (y[i] > y[j]) == (f[i] > f[j]):
				p.Concordant++
			default:
				p.Discordant++
			}
		}
	}
	return p
}

// draw is m numbers of one of several kinds, most with many ties.
func draw(r *rand.Rand, m, kind int) []float64 {
	v := make([]float64, m)
	for i := range v {
		switch kind {
		case 0:
			v[i] = float64(r.IntN(1 + m/2))
		case 1:
			v[i] = float64(r.IntN(3)) - 1
		case 2:
			v[i] = r.NormFloat64()
		case 3: // uneven: most numbers share a bucket
			v[i] = math.Ldexp(1+float64(r.IntN(8)), r.IntN(2000)-1000)
		case 4: // equal in the upper half of the bits
			v[i] = 1 + float64(r.IntN(40))*0x1p-52
		case 5:
			v[i] = []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 5e-324, math.MaxFloat64, math.Inf(1)}[r.IntN(7)]
		case 6:
			v[i] = float64(r.IntN(12))
		case 7: // the greatest range, too wide for a float
			v[i] = r.NormFloat64() * 1e308
		}
		if math.IsInf(v[i], 0) && kind != 5 {
			v[i] = 0
		}
	}
	return v
}

const kinds = 8

func TestCountIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c Counter
	check := func(m, ky, kf int) {
		y := draw(r, m, ky)
		c.SetLabels(y)
		for range 3 {
			f := draw(r, m, kf)
			got, ok := c.Count(f)
			if want := naivePairs(y, f); !ok || got != want {
				t.Fatalf("m=%d labels %v scores %v: %+v, %v; want %+v", m, y, f, got, ok, want)
			}
			if got.Comparable() != c.Comparable() {
				t.Fatalf("comparable pairs %d by scores, %d by labels", got.Comparable(), c.Comparable())
			}
			all := got.Comparable() + got.TiedLabel + got.TiedBoth
			if want := int64(m) * int64(m-1) / 2; all != want {
				t.Fatalf("m=%d: %d pairs in all, want %d", m, all, want)
			}
		}
	}
	for range 5000 {
		check(r.IntN(14), r.IntN(kinds), r.IntN(kinds))
	}
	for range 300 {
		check(r.IntN(600), r.IntN(kinds), r.IntN(kinds))
	}
	for ky := range kinds {
		for kf := range kinds { // at and past shortRows, and more rows than a block
			check(shortRows-1+r.IntN(4), ky, kf)
		}
	}
}

func TestLongListsAgreeWithTheirParts(t *testing.T) {
	// With labels in two halves, low and high, the discordant pairs of the whole
	// are those of the halves and those across; shift the scores of the high half
	// far up and none is across.
	const m = 200_000
	r := rand.New(rand.NewPCG(3, 4))
	y, f := make([]float64, 2*m), make([]float64, 2*m)
	for i := range 2 * m {
		y[i], f[i] = r.Float64(), r.NormFloat64()
		if i >= m {
			y[i]++
			f[i] += 100
		}
	}
	var sum Pairs
	for _, s := range [][2]int{{0, m}, {m, 2 * m}} {
		var c Counter
		c.SetLabels(y[s[0]:s[1]])
		p, _ := c.Count(f[s[0]:s[1]])
		sum = Pairs{sum.Concordant + p.Concordant, sum.Discordant + p.Discordant, sum.TiedScore + p.TiedScore,
			sum.TiedLabel + p.TiedLabel, sum.TiedBoth + p.TiedBoth}
	}
	sum.Concordant += m * m
	var c Counter
	c.SetLabels(y)
	if got, ok := c.Count(f); !ok || got != sum {
		t.Fatalf("%+v, want %+v", got, sum)
	}
}

func TestNaN(t *testing.T) {
	var c Counter
	c.SetLabels([]float64{1, 2, 3})
	for i := range 3 {
		f := []float64{1, 2, 3}
		f[i] = math.NaN()
		if p, ok := c.Count(f); ok || p != (Pairs{}) {
			t.Errorf("NaN in row %d: %+v, %v", i, p, ok)
		}
	}
	if p, ok := c.Count([]float64{1, 2, 3}); !ok || p.Concordant != 3 {
		t.Errorf("after a refused list: %+v, %v", p, ok)
	}
	mustPanic(t, func() { c.SetLabels([]float64{1, math.NaN()}) })
	mustPanic(t, func() { new(Counter).Count([]float64{1}) })
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

func TestCountAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range []int{250, 5000} {
		for _, levels := range []int{5, m} {
			y, f := benchList(r, m, levels)
			var c Counter
			c.SetLabels(y)
			c.Count(f)
			if n := testing.AllocsPerRun(10, func() { c.SetLabels(y); c.Count(f) }); n != 0 {
				t.Errorf("m=%d levels=%d: %v allocations", m, levels, n)
			}
		}
	}
}

// benchList is m rows with labels of so many levels, and normal scores.
func benchList(r *rand.Rand, m, levels int) (y, f []float64) {
	y, f = make([]float64, m), make([]float64, m)
	for i := range y {
		y[i], f[i] = float64(r.IntN(levels)), r.NormFloat64()
		if levels == m {
			y[i] = r.NormFloat64()
		}
	}
	return y, f
}

func BenchmarkCount(b *testing.B) {
	const vectors = 31
	for _, m := range []int{10, 250, 1000, 4000, 50_000, 1_000_000} {
		for _, levels := range []int{5, m} {
			name := fmt.Sprintf("m=%d/levels=%d", m, levels)
			if levels == m {
				name = fmt.Sprintf("m=%d/distinct", m)
			}
			b.Run(name, func(b *testing.B) {
				r := rand.New(rand.NewPCG(7, 8))
				y, f := benchList(r, m, levels)
				fs := [vectors][]float64{f}
				for i := 1; i < vectors; i++ {
					if fs[i] = f; m <= 50_000 { // so that no branch is learnt
						_, fs[i] = benchList(r, m, levels)
					}
				}
				var c Counter
				c.SetLabels(y)
				c.Count(f)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					c.Count(fs[i%vectors])
					i++
				}
				b.ReportMetric(float64(m)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}

func BenchmarkSetLabels(b *testing.B) {
	for _, m := range []int{250, 1_000_000} {
		for _, levels := range []int{5, m} {
			b.Run(fmt.Sprintf("m=%d/levels=%d", m, levels), func(b *testing.B) {
				y, _ := benchList(rand.New(rand.NewPCG(9, 10)), m, levels)
				var c Counter
				c.SetLabels(y)
				b.ReportAllocs()
				for b.Loop() {
					c.SetLabels(y)
				}
			})
		}
	}
}
