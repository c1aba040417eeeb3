package linalg

// AddRows adds Σ_k coef[k] a_k to y, where a_k is row rows[k] of A, in the order of the list: a
// product with a sparse row. A row may be listed more than once. The bits of an entry of y do not
// depend on the other columns of A. It runs on the caller's goroutine, and costs a multiplication
// for each entry of the listed rows. It panics if coef is shorter than rows, y than a row, or a row
// is not in A.
func AddRows(coef []float64, rows []int32, a Mat, y []float64) {
	require(a.valid() && len(coef) >= len(rows) && len(y) >= a.Cols && namesRows(rows, a), "AddRows")
	if len(rows) > 0 && a.Cols > 0 {
		active.addRows(coef[:len(rows)], rows, a.Data, a.Stride, y[:a.Cols])
	}
}

// DotRows sets dst[k] to a_k · x, where a_k is row rows[k] of A: entries of a product of matrices.
// The bits of an entry of dst depend on its row alone. It runs on the caller's goroutine, and costs
// a multiplication for each entry of the listed rows. It panics if x is shorter than a row, dst
// than rows, or a row is not in A.
func DotRows(x []float64, rows []int32, a Mat, dst []float64) {
	require(a.valid() && len(x) >= a.Cols && len(dst) >= len(rows) && namesRows(rows, a), "DotRows")
	x = x[:a.Cols]
	if len(x) == 0 {
		clear(dst[:len(rows)])
		return
	}
	n := len(rows)
	if n >= 4 {
		active.dotRows(x, rows[:n/4*4], a.Data, a.Stride, dst)
		if n%4 > 0 { // the last four, some of them again
			active.dotRows(x, rows[n-4:], a.Data, a.Stride, dst[n-4:])
		}
		return
	}
	p := borrow(4)
	for k, i := range rows { // four times the same row, to round as above
		clear(*p)
		active.dot4(1, a.Data[int(i)*a.Stride:], 0, x, *p)
		dst[k] = (*p)[0]
	}
	giveBack(p)
}

// namesRows reports whether all rows are rows of a: the assembly does not check.
func namesRows(rows []int32, a Mat) bool {
	for _, i := range rows {
		if uint(i) >= uint(a.Rows) {
			return false
		}
	}
	return true
}
