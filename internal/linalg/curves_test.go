package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A sum of curves is that of their definition, for any number of features, of knots of each, and of values that are
// there.
func TestCurves(t *testing.T) {
	const rounding = 1e-13
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(46, 3))
		for range 300 {
			n, most := r.IntN(50), r.IntN(6)
			c, x := NewCurves(n, most), make([]float64, r.IntN(n+1))
			for j := range x {
				x[j] = r.NormFloat64()
			}
			want, size := 0.0, 0.0
			for j := range n {
				slope, knots, weights := r.NormFloat64(), randomMat(r.Uint64(), 1, r.IntN(most+1)).Data, []float64{}
				v := 0.0
				if j < len(x) {
					v = x[j]
				}
				want, size = want+slope*v, size+math.Abs(slope*v)
				for _, at := range knots {
					w := r.NormFloat64()
					weights = append(weights, w)
					want, size = want+w*max(v-at, 0), size+math.Abs(w)*(math.Abs(v)+math.Abs(at))
				}
				c.Set(j, slope, knots, weights)
			}
			if got := c.Sum(x); !(math.Abs(got-want) <= rounding*size) {
				t.Fatalf("n=%d, K=%d: %v, want %v", n, most, got, want)
			}
		}
		c := NewCurves(3, 2)
		c.Set(0, 1, nil, nil)
		c.Set(1, 1, []float64{0}, []float64{1})
		if got := c.Sum([]float64{1, math.NaN()}); !math.IsNaN(got) {
			t.Errorf("a row with NaN scores %v", got)
		}
	})
}

func BenchmarkCurves(b *testing.B) {
	before := Kernel()
	defer SetKernel(before)
	for _, n := range []int{10, 46, 136} {
		c, x := NewCurves(n, 4), randomMat(1, 1, n).Data
		for j := range n {
			c.Set(j, 1, []float64{-1, -0.5, 0, 0.5}, []float64{1, 2, 3, 4})
		}
		for _, name := range Kernels() {
			SetKernel(name)
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.Sum(x)
				}
			})
		}
	}
}
