package equal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/equal"
)

// TestEqualRows compares with every two rows, dense and sparse, with zeros of both
// signs and zeros that are stored.
func TestEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		m, n := r.IntN(12), r.IntN(4)
		x := data.NewDense(m, n, nil)
		sparse := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
		for i := range m {
			for c := range n {
				v := []float64{0, 1, math.Copysign(0, -1), -1}[r.IntN(4)]
				x.Row(i)[c] = v
				if v != 0 || r.IntN(2) == 0 {
					sparse.Col, sparse.Val = append(sparse.Col, int32(c)), append(sparse.Val, v)
				}
			}
			sparse.Ptr = append(sparse.Ptr, len(sparse.Col))
		}
		want := make([]int32, m)
		for i := range want {
			for j := m - 1; j >= 0; j-- {
				if slices.Equal(x.Row(i), x.Row(j)) {
					want[i] = int32(j)
				}
			}
		}
		if got := equal.Rows(x); !slices.Equal(got, want) {
			t.Fatalf("dense %v: %v, want %v", x.Data, got, want)
		}
		if got := equal.Rows(sparse); !slices.Equal(got, want) {
			t.Fatalf("sparse %v: %v, want %v", x.Data, got, want)
		}
	}
}
