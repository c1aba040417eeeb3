package dense

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/linalg"
)

// definite is a random symmetric positive definite matrix.
func definite(rng *rand.Rand, n int) linalg.Mat {
	half := linalg.NewMat(n, n+8)
	for i := range half.Data {
		half.Data[i] = rng.NormFloat64()
	}
	return half.MulT(half)
}

// The inverse by strips of a factor, times the matrix, is the identity: of orders of part of a strip, and of several.
func TestInverseOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, n := range []int{1, 40, 256, 600} {
		a := definite(rng, n)
		factor := a.Clone()
		if _, ok := linalg.Cholesky(linalg.Lower, factor); !ok {
			t.Fatalf("order %d: no factor", n)
		}
		product := a.Mul(inverseOf(factor))
		for i := range n {
			for j, v := range product.Row(i) {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(v-want) > 1e-8 {
					t.Fatalf("order %d: entry %d, %d of the product is %v", n, i, j, v)
				}
			}
		}
	}
}

// Products of many rows with a matrix are those of each two of them.
func TestBetweenManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	const n, lines = ManyUnknowns, ManyUnknowns/manyRows + 5
	a := linalg.NewMat(n, n)
	for i := range n {
		for j := range i + 1 {
			a.Row(i)[j] = rng.NormFloat64()
			a.Row(j)[i] = a.Row(i)[j]
		}
	}
	rows := make([]Row, lines)
	for k := range rows { // two items, a covariate
		i := rng.IntN(n - 1)
		rows[k] = Row{[]int32{int32(i), int32((i + 1 + rng.IntN(n-2)) % (n - 1)), n - 1}, []float64{1, -1, rng.NormFloat64()}}
	}
	g := whole(a).between(rows)
	for i := range rows {
		for j := range rows {
			want := Product(a, rows[i], rows[j])
			if math.Abs(g.Row(i)[j]-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("lines %d and %d have the product %v, want %v", i, j, g.Row(i)[j], want)
			}
		}
	}
}
