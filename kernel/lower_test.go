package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// lowered is the definition of Lower, of one value by differences alone.
func lowered(k Gaussian, x, z []float64) float64 {
	distance := 0.0
	for c, v := range x {
		distance += (v - z[c]) * (v - z[c])
	}
	return math.Expm1(-k.Gamma * distance)
}

// Lower is the kernel less its constant to all digits, for values near that and far, dense and sparse rows.
func TestLower(t *testing.T) {
	const m, p, n = 40, 7, 5
	r := rand.New(rand.NewPCG(22, 1))
	x, z := data.NewDense(m, n, nil), data.NewDense(p, n, nil)
	for _, d := range []*data.Dense{x, z} {
		for i := range d.Data {
			if r.IntN(3) > 0 {
				d.Data[i] = r.NormFloat64()
			}
		}
	}
	for _, gamma := range []float64{1, 1e-3, 1e-8, 1e-12} {
		for _, k := range []Gaussian{{gamma}} {
			low := Lower(k)
			if low.String() != k.String() {
				t.Errorf("%s is called %s", k, low)
			}
			sparse := toCSR(x)
			for name, rows := range map[string][2]data.Matrix{
				"dense": {x, z}, "sparse": {sparse, toCSR(z)}, "both": {x, toCSR(z)},
				"one": {x, x}, "one sparse": {sparse, sparse},
			} {
				got := Matrix(low, rows[0], rows[1])
				upper := data.NewDense(m, m, nil)
				UpperTo(low, upper, rows[0])
				a, b := data.ToDense(rows[0]), data.ToDense(rows[1])
				const rounding = 1e-12 // of sums of a few terms that cancel
				for i := range got.Rows {
					for j, v := range got.Row(i) {
						want := lowered(k, a.Row(i), b.Row(j))
						if !(math.Abs(v-want) <= rounding*max(gamma, math.Abs(want))) {
							t.Fatalf("%s, %s: %g, want %g", k, name, v, want)
						}
						if rows[0] == rows[1] && j >= i && upper.Row(i)[j] != v {
							t.Fatalf("%s, %s: UpperTo has %g, and MatrixTo %g", k, name, upper.Row(i)[j], v)
						}
					}
				}
			}
		}
	}
	for _, k := range []Kernel{Linear{}, Polynomial{1, 0, 2}, Precomputed{}} {
		if Lower(k) != nil {
			t.Errorf("%s has no constant", k)
		}
	}
}
