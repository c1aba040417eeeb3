package comparison

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/linalg"
)

// A product with a sparse matrix is that with a dense one, on both sides of what is sparse.
func TestSparseTimes(t *testing.T) {
	const n, tolerance = 600, 1e-12
	rng := rand.New(rand.NewPCG(6, 1))
	for _, each := range []int{0, 3, 200} {
		a, b := linalg.NewMat(n, n), linalg.NewMat(n, n)
		for i := range b.Data {
			b.Data[i] = rng.NormFloat64()
		}
		for i := range n {
			for range each {
				a.Row(i)[rng.IntN(n)] = rng.NormFloat64()
			}
		}
		got, want := linalg.NewMat(n, n), linalg.NewMat(n, n)
		sparseTimes(a, b, got)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a, b, 0, want)
		for i, v := range got.Data {
			if math.Abs(v-want.Data[i]) > tolerance*(1+math.Abs(want.Data[i])) {
				t.Fatalf("%d entries a row: entry %d is %v, want %v", each, i, v, want.Data[i])
			}
		}
	}
}
