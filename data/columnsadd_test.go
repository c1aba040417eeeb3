package data

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestColumnsAdd compares the numbers of rows in parts with those of all rows: least and greatest
// are the same, mean and deviation are off by some roundings of the spread, which 1e-13 of it
// bounds. A part may have no row, and its rows may be sparse.
func TestColumnsAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		m, n := r.IntN(30), 1+r.IntN(4)
		x := NewDense(m, n, nil)
		size, far := math.Exp2(float64(r.IntN(1200)-600)), float64(r.IntN(2))*1e3
		for i := range m {
			for j := range n {
				switch r.IntN(4) {
				case 0: // 0
				case 1:
					x.Row(i)[j] = size * far
				default:
					x.Row(i)[j] = size * (far + r.NormFloat64())
				}
			}
		}
		want, got := columnsOf(x), newColumns(n)
		for lo := 0; lo < m || m == 0; {
			hi := min(m, lo+r.IntN(m+1))
			var part Matrix = Slice(x, lo, hi)
			if r.IntN(2) == 0 {
				part = sparseOf(part)
			}
			got.add(columnsOf(part))
			if lo = hi; m == 0 {
				break
			}
		}
		if got.Rows != want.Rows {
			t.Fatalf("%v rows, want %v", got.Rows, want.Rows)
		}
		for j := range n {
			spread := want.Max[j] - want.Min[j]
			if got.Min[j] != want.Min[j] || got.Max[j] != want.Max[j] ||
				math.Abs(got.Mean[j]-want.Mean[j]) > 1e-13*(spread+math.Abs(want.Mean[j])) ||
				math.Abs(got.Dev[j]-want.Dev[j]) > 1e-13*spread {
				t.Fatalf("column %d of %d rows: %v %v %v %v, want %v %v %v %v",
					j, m, got.Min[j], got.Max[j], got.Mean[j], got.Dev[j], want.Min[j], want.Max[j],
					want.Mean[j], want.Dev[j])
			}
		}
	}
}

// sparseOf leaves the zeros of a matrix out.
func sparseOf(x Matrix) *CSR {
	rows, cols := x.Dims()
	s := &CSR{Rows: rows, Cols: cols, Ptr: []int{0}}
	for i := range rows {
		Each(x, i, func(j int, v float64) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		})
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}
