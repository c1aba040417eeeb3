package data

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSquaresMulTransTo(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for _, shape := range [][2]int{{0, 3}, {5, 0}, {7, 4}, {3000, 40}} {
		m, n := shape[0], shape[1]
		dense, sparse := NewDense(m, n, nil), &CSR{Rows: m, Cols: n, Ptr: []int{0}}
		v, want := make([]float64, m), make([]float64, n)
		for i := range m {
			v[i] = r.NormFloat64()
			for j := range n {
				if r.IntN(3) > 0 {
					continue
				}
				x := r.NormFloat64()
				dense.Row(i)[j] = x
				sparse.Col, sparse.Val = append(sparse.Col, int32(j)), append(sparse.Val, x)
				want[j] += v[i] * x * x
			}
			sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
		}
		for _, x := range []Matrix{dense, sparse} {
			got := make([]float64, n)
			SquaresMulTransTo(got, x, v)
			for j, s := range got {
				if math.Abs(s-want[j]) > 1e-12*float64(m) {
					t.Fatalf("%T %v: column %d is %v, want %v", x, shape, j, s, want[j])
				}
			}
		}
	}
}
