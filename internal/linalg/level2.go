package linalg

import "pairrank/internal/parallel"

// level2Serial is the number of entries of a matrix below which a product
// with a vector stays on the caller's goroutine.
const level2Serial = 1 << 17

// Gemv computes y := alpha op(A) x + beta y, on all cores when A is large: 2mn operations for A of
// m×n. x and y must not share memory. It panics if one is shorter than op(A) needs. If A is not
// transposed, the bits of an entry of y depend on its row of A alone, not on the other rows.
func Gemv(t Trans, alpha float64, a Mat, x []float64, beta float64, y []float64) {
	m, n := a.shape(t)
	require(a.valid() && len(x) >= n && len(y) >= m, "Gemv")
	x, y = x[:n], y[:m]
	scaleBy(beta, y)
	if m == 0 || n == 0 || alpha == 0 {
		return
	}
	switch {
	case t == NoTrans && m*n < level2Serial:
		gemvRows(alpha, a, x, y)
	case t == NoTrans:
		gemvParallel(alpha, a, x, y)
	default:
		gemvTrans(alpha, a, x, y)
	}
}

// gemvRows adds alpha A x to y.
func gemvRows(alpha float64, a Mat, x, y []float64) {
	i := 0
	for ; i+4 <= a.Rows; i += 4 {
		active.dot4(alpha, a.Data[i*a.Stride:], a.Stride, x, y[i:])
	}
	if i == a.Rows {
		return
	}
	p := borrow(4)
	for ; i < a.Rows; i++ { // four times the same row, to round as above
		(*p)[0] = y[i]
		active.dot4(alpha, a.Data[i*a.Stride:], 0, x, *p)
		y[i] = (*p)[0]
	}
	giveBack(p)
}

func gemvParallel(alpha float64, a Mat, x, y []float64) {
	rows := roundUp(max(4, 1<<15/a.Cols), 4)
	parallel.Chunks(a.Rows, rows, func(_, lo, hi int) {
		gemvRows(alpha, a.Slice(lo, hi, 0, a.Cols), x, y[lo:hi])
	})
}

// gemvColumns adds alpha Aᵀ x to y.
func gemvColumns(alpha float64, a Mat, x, y []float64) {
	i := 0
	for ; i+4 <= a.Rows; i += 4 {
		active.axpy4(alpha*x[i], alpha*x[i+1], alpha*x[i+2], alpha*x[i+3], a.Data[i*a.Stride:], a.Stride, y)
	}
	for ; i < a.Rows; i++ {
		Axpy(alpha*x[i], a.Row(i), y)
	}
}

// gemvTrans cuts a large A into blocks of rows, a number that depends on its
// size only, and adds the blocks' sums in order.
func gemvTrans(alpha float64, a Mat, x, y []float64) {
	const most = 32
	blocks := min(most, a.Rows*a.Cols/level2Serial, a.Rows/64)
	if blocks < 2 {
		gemvColumns(alpha, a, x, y)
		return
	}
	sums, p := borrowMat(blocks, a.Cols)
	gemvBlocks(alpha, a, x, sums)
	for q := range blocks {
		Axpy(1, sums.Row(q), y)
	}
	giveBack(p)
}

func gemvBlocks(alpha float64, a Mat, x []float64, sums Mat) {
	rows := roundUp((a.Rows+sums.Rows-1)/sums.Rows, 4)
	parallel.For(sums.Rows, func(_, q int) {
		lo := min(a.Rows, q*rows)
		hi := min(a.Rows, lo+rows)
		clear(sums.Row(q))
		gemvColumns(alpha, a.Slice(lo, hi, 0, a.Cols), x[lo:hi], sums.Row(q))
	})
}

// Trsv solves op(A) x = b in place, A n×n triangular with its diagonal stored, in n²
// operations. A zero on the diagonal gives infinities and NaN. It panics unless A is
// square and x as long or longer.
func Trsv(ul Uplo, t Trans, a Mat, x []float64) {
	require(ul.valid() && a.isSquare() && len(x) >= a.Rows, "Trsv")
	n, ld := a.Rows, a.Stride
	x = x[:n]
	forward := (ul == Lower) == (t == NoTrans)
	for step := range n {
		i := step
		if !forward {
			i = n - 1 - step
		}
		// the stored part of row i without its diagonal, and its unknowns
		row, part := a.Data[i*ld+i+1:i*ld+n:i*ld+n], x[i+1:]
		if ul == Lower {
			row, part = a.Data[i*ld:i*ld+i], x[:i]
		}
		d := a.Data[i*ld+i]
		if t == NoTrans {
			x[i] = (x[i] - Dot(row, part)) / d
		} else {
			x[i] /= d
			Axpy(-x[i], row, part)
		}
	}
}
