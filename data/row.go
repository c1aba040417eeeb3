package data

import (
	"fmt"

	"pairrank/internal/linalg"
)

// The rows of a Matrix, one at a time. Dense rows go through linalg, which fixes the order of its
// sums; sparse rows are summed from left to right.

// Each calls f with the columns, ascending, and the stored values of row i of x, m×n: all
// n values of a dense row, the stored ones of a sparse row. It allocates nothing and
// costs a call for every value; AddRowTo, DotRow and RowTo are faster at what they do. It
// panics when i is not in [0,m).
//
// Each is a function and not a method of Matrix, because f would escape to the heap behind an
// interface. iter.Seq2 takes 40 % longer.
func Each(x Matrix, i int, f func(j int, v float64)) {
	switch x := x.(type) {
	case *Dense:
		for j, v := range x.Row(i) {
			f(j, v)
		}
	case *CSR:
		cols, vals := x.Row(i)
		vals = vals[:len(cols)]
		for k, j := range cols {
			f(int(j), vals[k])
		}
	}
}

// SquaredNorm returns ‖x_i‖² = ⟨x_i, x_i⟩ of row i of x, m×n, in one multiplication for
// every stored value. It panics when i is not in [0,m).
func SquaredNorm(x Matrix, i int) float64 {
	switch x := x.(type) {
	case *Dense:
		row := x.Row(i)
		return linalg.Dot(row, row)
	case *CSR:
		_, vals := x.Row(i)
		return linalg.Dot(vals, vals)
	case *made:
		row := x.row(i)
		return linalg.Dot(row, row)
	}
	panic(unknownMatrix(x))
}

// RowTo sets dst to row i, zeros included, in O(n). dst has length n or more, and becomes 0 beyond
// n. It panics when i is not in [0,m) or dst is shorter.
func (x *Dense) RowTo(dst []float64, i int) {
	row := x.Row(i)
	clear(dst[copy(dst[:len(row)], row):])
}

// RowTo sets dst to row i, zeros included, in O(n). dst has length n or more, and becomes 0 beyond
// n. It panics when i is not in [0,m) or dst is shorter.
func (x *CSR) RowTo(dst []float64, i int) {
	checkRow("RowTo", len(dst), x.Cols)
	clear(dst)
	cols, vals := x.Row(i)
	vals = vals[:len(cols)]
	for k, j := range cols {
		dst[j] = vals[k]
	}
}

// AddRowTo adds c times row i to dst, of length n or more, in one multiplication for
// every stored value. It panics when i is not in [0,m) or dst is shorter.
func (x *Dense) AddRowTo(dst []float64, c float64, i int) { linalg.Axpy(c, x.Row(i), dst) }

// AddRowTo adds c times row i to dst, of length n or more, in one multiplication for
// every stored value. It panics when i is not in [0,m) or dst is shorter.
func (x *CSR) AddRowTo(dst []float64, c float64, i int) {
	checkRow("AddRowTo", len(dst), x.Cols)
	cols, vals := x.Row(i)
	vals = vals[:len(cols)]
	for k, j := range cols {
		dst[j] += c * vals[k]
	}
}

// DotRow returns ⟨x_i, w⟩ in one multiplication for every stored value; w has length
// n or more. It panics when i is not in [0,m) or w is shorter.
func (x *Dense) DotRow(i int, w []float64) float64 { return linalg.Dot(x.Row(i), w) }

// DotRow returns ⟨x_i, w⟩ in one multiplication for every stored value; w has length n or
// more. It panics when i is not in [0,m) or w is shorter.
func (x *CSR) DotRow(i int, w []float64) float64 {
	checkRow("DotRow", len(w), x.Cols)
	cols, vals := x.Row(i)
	vals = vals[:len(cols)]
	sum := 0.0
	for k, j := range cols {
		sum += vals[k] * w[j]
	}
	return sum
}

func checkRow(op string, have, n int) {
	if have < n {
		panic(fmt.Sprintf("data: %s with a vector of %d for rows of %d", op, have, n))
	}
}
