package data

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// made is a matrix whose rows are made from those of another one whenever they are read.
type made struct {
	from Matrix
	cols int
	to   func(dst *Dense, x Matrix)
}

func (*made) sealed() {}

// Made returns the m×cols matrix of what to makes of each row of x: to sets dst, h×cols, to what it makes of h rows of
// x. A row has the same bits among any others. The matrix keeps x and to, in O(1): each read of a row makes it again,
// from several goroutines at a time, and a product makes all of them, 256 at a time.
func Made(x Matrix, cols int, to func(dst *Dense, x Matrix)) Matrix {
	Check("data: Made: x", x)
	return &made{x, cols, to}
}

// madeRows is how many rows a product makes at a time.
const madeRows = 256

// Dims returns the number of rows and of columns.
func (x *made) Dims() (rows, cols int) {
	m, _ := x.from.Dims()
	return m, x.cols
}

// From is the matrix of which the rows are made: where its rows are equal, so are those that are made.
func (x *made) From() Matrix { return x.from }

// RowsTo sets dst to the listed rows.
func (x *made) RowsTo(dst *Dense, rows []int32) {
	if n := len(rows); n > 0 && int(rows[n-1]-rows[0]) == n-1 { // rows of a part ascend
		x.to(dst, Slice(x.from, int(rows[0]), int(rows[0])+n))
		return
	}
	some := make([]int, len(rows))
	for a, i := range rows {
		some[a] = int(i)
	}
	x.to(dst, Select(x.from, some))
}

// each calls body with the rows [lo,hi), some at a time.
func (x *made) each(lo, hi int, body func(first int, rows *Dense)) {
	buffer := make([]float64, min(madeRows, hi-lo)*x.cols)
	for at := lo; at < hi; at += madeRows {
		n := min(madeRows, hi-at)
		rows := NewDense(n, x.cols, buffer[:n*x.cols])
		x.to(rows, Slice(x.from, at, at+n))
		body(at, rows)
	}
}

// MulVecTo sets dst = X w.
func (x *made) MulVecTo(dst, w []float64) {
	m, n := x.Dims()
	checkLengths("MulVecTo", len(dst), m, len(w), n)
	parallel.Chunks(m, 4*madeRows, func(_, lo, hi int) {
		x.each(lo, hi, func(at int, rows *Dense) { rows.mulRows(dst[at:], w, 0, rows.Rows) })
	})
}

// MulTransVecTo sets dst = Xᵀ v.
func (x *made) MulTransVecTo(dst, v []float64) {
	m, n := x.Dims()
	checkLengths("MulTransVecTo", len(dst), n, len(v), m)
	parts := transParts(m*n, n)
	sumParts(dst, parts, func(sum []float64, p int) {
		x.each(p*m/parts, (p+1)*m/parts, func(at int, rows *Dense) { rows.addRows(sum, v[at:], 0, rows.Rows) })
	})
}

// row is row i in new memory.
func (x *made) row(i int) []float64 {
	row := NewDense(1, x.cols, nil)
	x.to(row, Slice(x.from, i, i+1))
	return row.Data
}

// RowTo sets dst to row i; dst has length n or more, and becomes 0 beyond n.
func (x *made) RowTo(dst []float64, i int) {
	x.to(NewDense(1, x.cols, dst[:x.cols]), Slice(x.from, i, i+1))
	clear(dst[x.cols:])
}

// AddRowTo adds c times row i to dst.
func (x *made) AddRowTo(dst []float64, c float64, i int) { linalg.Axpy(c, x.row(i), dst) }

// DotRow returns ⟨x_i, w⟩.
func (x *made) DotRow(i int, w []float64) float64 { return linalg.Dot(x.row(i), w) }

// whole is a dense copy.
func (x *made) whole() *Dense {
	m, n := x.Dims()
	z := NewDense(m, n, nil)
	x.to(z, x.from)
	return z
}

// selectColumns is the matrix of some columns.
func (x *made) selectColumns(columns []int) Matrix {
	return Made(x.from, len(columns), func(dst *Dense, of Matrix) {
		all := NewDense(dst.Rows, x.cols, nil)
		x.to(all, of)
		for i := range dst.Rows {
			for k, j := range columns {
				dst.Row(i)[k] = all.Row(i)[j]
			}
		}
	})
}
