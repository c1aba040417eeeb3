package kron

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// clipped is a random symmetric matrix of n nodes, and the same with its negative eigenvalues set to 0.
func clipped(r *rand.Rand, n int) (raw, mended *data.Dense) {
	raw = data.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			v := r.NormFloat64()
			raw.Row(i)[j], raw.Row(j)[i] = v, v
		}
	}
	d, u := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(linalg.Mat(*raw).Clone(), d, u)
	mended = data.NewDense(n, n, nil)
	for k, v := range d {
		for i := range n {
			linalg.Axpy(max(0, v)*u.Row(k)[i], u.Row(k), mended.Row(i))
		}
	}
	return raw, mended
}

// TestInRange: the projected coefficients with the original similarities give the scores of any coefficients
// with the mended similarities, for closed forms and for repeated edges, in one domain and in two.
func TestInRange(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 41))
	for range 40 {
		rawK, k := clipped(r, 2+r.IntN(8))
		rawG, g := clipped(r, 2+r.IntN(8))
		one := r.IntN(2) == 0
		if one {
			rawG, g = rawK, k
		}
		y := data.NewDense(k.Rows, g.Rows, nil)
		for i := range y.Data {
			y.Data[i] = r.NormFloat64()
		}
		e := drawEdges(r, 1+r.IntN(30), k.Rows, g.Rows)
		values := make([]float64, e.Len())
		for h := range values {
			values[h] = r.NormFloat64()
		}
		coefs := []*data.Dense{EdgeMatrix(e, values, k.Rows, g.Rows)}
		for _, loss := range []Loss{Regression, Ranking} {
			path, err := Factor(t.Context(), k, g, y, Options{Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			coefs = append(coefs, path.At(0.01).Coef)
		}
		for which, a := range coefs {
			b, err := InRange(k, g, a)
			if err != nil {
				t.Fatal(err)
			}
			want := k.Mul(a).Mul(g)
			got := rawK.Mul(b).Mul(rawG)
			size := 0.0
			for _, v := range a.Data {
				size = max(size, math.Abs(v))
			}
			for h, v := range got.Data {
				if math.Abs(v-want.Data[h]) > 1e-11*(1+size) {
					t.Fatalf("one domain %t, coefficients %d: score %d is %v, want %v", one, which, h, v, want.Data[h])
				}
			}
		}
	}
}
