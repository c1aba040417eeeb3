package data

import "fmt"

// Slice returns a view, (hi−lo)×n, of the rows [lo,hi) of x, which shares its numbers, in
// O(1). It panics unless 0 ≤ lo ≤ hi ≤ m, and when x does not fit.
func Slice(x Matrix, lo, hi int) Matrix {
	Check("data: Slice: x", x)
	if rows, _ := x.Dims(); lo < 0 || lo > hi || hi > rows {
		panic(fmt.Sprintf("data: rows [%d,%d) of %d", lo, hi, rows))
	}
	switch x := x.(type) {
	case *Dense:
		v := &Dense{Rows: hi - lo, Cols: x.Cols, Stride: x.Stride}
		if hi > lo && x.Cols > 0 {
			v.Data = x.Data[lo*x.Stride : (hi-1)*x.Stride+x.Cols]
		}
		return v
	case *made:
		return Made(Slice(x.from, lo, hi), x.cols, x.to)
	case *CSR:
		return &CSR{Rows: hi - lo, Cols: x.Cols, Ptr: x.Ptr[lo : hi+1], Col: x.Col[:x.Ptr[hi]], Val: x.Val[:x.Ptr[hi]]}
	}
	panic(unknownMatrix(x))
}

// Widen returns x, m×c, as m×n, with zeros in the new columns. Where c = n it returns x itself. A
// sparse result shares the numbers of x, in O(1); a dense one is a copy, in O(mn). It panics when c
// > n, or x does not fit.
func Widen(x Matrix, n int) Matrix {
	Check("data: Widen: x", x)
	rows, cols := x.Dims()
	switch {
	case cols == n:
		return x
	case cols > n:
		panic(fmt.Sprintf("data: %d columns widened to %d", cols, n))
	}
	if x, sparse := x.(*CSR); sparse {
		return &CSR{Rows: rows, Cols: n, Ptr: x.Ptr, Col: x.Col, Val: x.Val}
	}
	wide := NewDense(rows, n, nil)
	for i := range rows {
		x.RowTo(wide.Row(i), i)
	}
	return wide
}

// Stored returns the number of values that the rows of x hold, in O(1): m·n for a dense matrix, the
// number of stored values for a sparse one. It panics when x does not fit.
func Stored(x Matrix) int {
	Check("data: Stored: x", x)
	if x, sparse := x.(*CSR); sparse {
		return x.Ptr[x.Rows] - x.Ptr[0]
	}
	rows, cols := x.Dims()
	return rows * cols
}
