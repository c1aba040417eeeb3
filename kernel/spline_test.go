package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// Knots are the quantiles by counting, of copies as of weights, strictly within the range; hinges by definition.
func TestSplineKnots(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	for range 300 {
		m, count := 1+r.IntN(40), 1+r.IntN(6)
		x, weights := data.NewDense(m, 1, nil), make([]float64, m)
		var copies []float64
		for i := range m {
			x.Data[i], weights[i] = math.Round(3*r.NormFloat64()), float64(r.IntN(4))
			copies = append(copies, slices.Repeat(x.Data[i:i+1], int(weights[i]))...)
		}
		k := kernel.Spline{Knots: count, Bends: 4}
		got := kernel.NewSplineMap(k, nil, x, weights)
		slices.Sort(copies)
		var want []float64
		for q := 1; q <= count; q++ {
			at := slices.IndexFunc(copies, func(v float64) bool {
				below := 0
				for _, other := range copies {
					if other <= v {
						below++
					}
				}
				return below*(count+1) >= q*len(copies)
			})
			if at >= 0 && copies[at] > copies[0] && copies[at] < copies[len(copies)-1] && !slices.Contains(want, copies[at]) {
				want = append(want, copies[at])
			}
		}
		if !slices.Equal(got.Knots(0), want) {
			t.Fatalf("knots %v, want %v of %v", got.Knots(0), want, copies)
		}
		z := kernel.Mapped(got, x)
		for i := range m {
			for j, knot := range want {
				if z.Row(i)[0] != x.Data[i] || z.Row(i)[1+j] != max(x.Data[i]-knot, 0)/2 {
					t.Fatalf("%v of %v", z.Row(i), x.Data[i])
				}
			}
		}
	}
}

// TestKnotsAreQuantiles compares the knots of long columns with those of the values in order, one by one.
func TestKnotsAreQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const m = 9000
	for name, draw := range map[string]func(i int) float64{
		"normal":    func(int) float64 { return r.NormFloat64() },
		"ascending": func(i int) float64 { return float64(i) },
		"tied":      func(int) float64 { return float64(r.IntN(7)) },
		"zeros":     func(int) float64 { return max(0, r.NormFloat64()-0.3) },
		"wave":      func(i int) float64 { return math.Sin(float64(i) * math.Pi / 16) }, // of which a sample has one value
		"constant":  func(int) float64 { return 3 },
	} {
		x := data.NewDense(m, 1, nil)
		for i := range x.Data {
			x.Data[i] = draw(i)
		}
		ones := slices.Repeat([]float64{1}, m)
		for _, knots := range []int{1, 4, 8, 20} {
			k := kernel.Spline{Knots: knots, Bends: 1}
			got, want := kernel.NewSplineMap(k, nil, x, nil).Knots(0), kernel.NewSplineMap(k, nil, x, ones).Knots(0)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d knots: %v, in order %v", name, knots, got, want)
			}
		}
	}
}
