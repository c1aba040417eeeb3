package data_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// TestScatter compares with Σ over pairs of rows of a group of their squared
// distance, over the rows of the group, dense and sparse.
func TestScatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for trial := range 200 {
		m, n, groups := r.IntN(12), 1+r.IntN(4), 1+r.IntN(4)
		x, group := data.NewDense(m, n, nil), make([]int32, m)
		for i := range m {
			group[i] = int32(r.IntN(groups))
			for c := range n {
				if r.IntN(2) == 0 {
					x.Row(i)[c] = float64(r.IntN(9)) + float64(trial%2)*4096
				}
			}
		}
		want := make([]float64, n)
		for g := range groups {
			var rows []int
			for i, h := range group {
				if int(h) == g {
					rows = append(rows, i)
				}
			}
			for a, i := range rows {
				for _, j := range rows[:a] {
					for c := range n {
						d := x.Row(i)[c] - x.Row(j)[c]
						want[c] += d * d / float64(len(rows))
					}
				}
			}
		}
		for name, y := range map[string]data.Matrix{"dense": x, "sparse": sparseOf(x)} {
			for c, got := range data.Scatter(y, group, groups) {
				if math.Abs(got-want[c]) > 1e-9*max(1, want[c]) {
					t.Fatalf("trial %d, %s, feature %d: %g, want %g", trial, name, c, got, want[c])
				}
			}
		}
	}
}

func sparseOf(x *data.Dense) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for c, v := range x.Row(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(c)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}
