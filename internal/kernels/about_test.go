package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
)

// The kernel about a point is the difference of its four parts, to the digits of small rows although these are far from
// 0, dense and sparse.
func TestAbout(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for trial := range 40 {
		far := []float64{0, 3, 2000}[trial%3]
		rounding := 1e-12 // of the largest value
		if far == 2000 {
			rounding = 1e-9 // inner products with the point are rounded at its size
		}
		k := kernel.Polynomial{Gamma: math.Pow(1e-3, float64(trial%5)), Coef0: float64(trial % 2), Degree: 1 + trial%4}
		x, at := data.NewDense(9, 3, nil), make([]float64, 3)
		for i := range x.Data {
			x.Data[i] = math.Round(1024*(far+r.NormFloat64())) / 1024
		}
		for j := range at {
			at[j] = math.Round(1024*far) / 1024
		}
		about := About(k, at)
		stored := gen.Sparse(x, func(_, _ int, v float64) bool { return v != 0 })
		for name, rows := range map[string]data.Matrix{"dense": x, "sparse": stored} {
			got, beside := kernel.Matrix(about, rows, rows), about.Beside(rows)
			most := 0.0
			for _, v := range got.Data {
				most = max(most, math.Abs(v))
			}
			for i := range x.Rows {
				along := exactly(k, x.Row(i), at)
				alone := new(big.Float).Sub(along, exactly(k, at, at))
				if want, _ := alone.Float64(); math.Abs(beside[i]-want) > rounding*math.Abs(about.Size()) {
					t.Fatalf("trial %d, %s: beside %g, want %g", trial, name, beside[i], want)
				}
				for j := range x.Rows {
					difference := new(big.Float).Sub(exactly(k, x.Row(i), x.Row(j)), along)
					difference.Sub(difference, exactly(k, at, x.Row(j)))
					difference.Add(difference, exactly(k, at, at))
					if want, _ := difference.Float64(); math.Abs(got.Row(i)[j]-want) > rounding*most {
						t.Fatalf("trial %d, %s, %s: %g, want %g", trial, k, name, got.Row(i)[j], want)
					}
				}
			}
		}
	}
}

// exactly is the value of a polynomial kernel without rounding.
func exactly(k kernel.Polynomial, x, z []float64) *big.Float {
	of := func(v float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(v) }
	sum := of(0)
	for j := range x {
		sum.Add(sum, of(0).Mul(of(x[j]), of(z[j])))
	}
	u, out := of(0).Add(of(0).Mul(sum, of(k.Gamma)), of(k.Coef0)), of(1)
	for range k.Degree {
		out.Mul(out, u)
	}
	return out
}
