package data

import (
	"fmt"
	"sort"

	"pairrank/internal/parallel"
)

// CSR is a sparse matrix, row by row: row i has the values
// Val[Ptr[i]:Ptr[i+1]] in the columns Col[Ptr[i]:Ptr[i+1]], which ascend
// strictly; every other entry is zero. Ptr has length Rows+1. A view of some rows
// may have values before Ptr[0] and from Ptr[Rows] on, which are not its own.
type CSR struct {
	Rows, Cols int
	Ptr        []int
	Col        []int32
	Val        []float64
}

// Dims returns the number of rows and of columns.
func (x *CSR) Dims() (rows, cols int) { return x.Rows, x.Cols }

// Row returns the columns and values stored in row i, slices of the matrix of the same
// length, in O(1). It panics when i is not in [0,m).
func (x *CSR) Row(i int) (cols []int32, vals []float64) {
	lo, hi := x.Ptr[i], x.Ptr[i+1]
	return x.Col[lo:hi:hi], x.Val[lo:hi:hi]
}

// split is splitRows of x.
func (x *CSR) split(p, parts int) int { return splitRows(x.Ptr, p, parts) }

// splitRows returns the first row of part p of parts, where the parts hold about
// the same number of stored values plus rows. It is 0 for part 0 and the number
// of rows for part parts.
func splitRows(ptr []int, p, parts int) int {
	rows := len(ptr) - 1
	total := ptr[rows] - ptr[0] + rows
	goal := int(float64(total) * float64(p) / float64(parts))
	if p == parts {
		return rows
	}
	return sort.Search(rows, func(i int) bool { return ptr[i]-ptr[0]+i >= goal })
}

// MulVecTo sets dst = X w, one multiplication for every stored value. The rows
// are split among threads by stored values. It panics when len(dst) ≠ m or
// len(w) ≠ n.
func (x *CSR) MulVecTo(dst, w []float64) {
	checkLengths("CSR.MulVecTo", len(dst), x.Rows, len(w), x.Cols)
	parts := 1 + (len(x.Val)+x.Rows)/pieceSize
	if parts == 1 {
		x.mulRows(dst, w, 0, x.Rows)
		return
	}
	parallel.For(parts, func(_, p int) { x.mulRows(dst, w, x.split(p, parts), x.split(p+1, parts)) })
}

func (x *CSR) mulRows(dst, w []float64, lo, hi int) { mulSparse(dst, w, x.Ptr, x.Col, x.Val, lo, hi) }

// mulSparse sets dst = X w for the rows [lo,hi) of a sparse matrix, in two
// interleaved sums.
func mulSparse[F float32 | float64](dst, w []float64, ptr []int, col []int32, val []F, lo, hi int) {
	for i := lo; i < hi; i++ {
		vals := val[ptr[i]:ptr[i+1]]
		cols := col[ptr[i]:ptr[i+1]][:len(vals)]
		var s0, s1 float64
		k := 0
		for ; k+2 <= len(vals); k += 2 {
			s0 += float64(vals[k]) * w[cols[k]]
			s1 += float64(vals[k+1]) * w[cols[k+1]]
		}
		if k < len(vals) {
			s0 += float64(vals[k]) * w[cols[k]]
		}
		dst[i] = s0 + s1
	}
}

// MulTransVecTo sets dst = Xᵀ v, one multiplication for every stored value of
// the rows with v_i ≠ 0. The rows are split among threads by stored values. It
// panics when len(dst) ≠ n or len(v) ≠ m.
func (x *CSR) MulTransVecTo(dst, v []float64) {
	checkLengths("CSR.MulTransVecTo", len(dst), x.Cols, len(v), x.Rows)
	parts := transParts(len(x.Val), x.Cols)
	if parts == 1 {
		clear(dst)
		x.addRows(dst, v, 0, x.Rows)
		return
	}
	sumParts(dst, parts, func(sum []float64, p int) {
		x.addRows(sum, v, x.split(p, parts), x.split(p+1, parts))
	})
}

func (x *CSR) addRows(sum, v []float64, lo, hi int) { addSparse(sum, v, x.Ptr, x.Col, x.Val, lo, hi) }

// addSparse adds Σ v_i x_i over the rows [lo,hi) of a sparse matrix to sum.
func addSparse[F float32 | float64](sum, v []float64, ptr []int, col []int32, val []F, lo, hi int) {
	for i := lo; i < hi; i++ {
		vi := v[i]
		if vi == 0 {
			continue
		}
		cols := col[ptr[i]:ptr[i+1]]
		vals := val[ptr[i]:ptr[i+1]][:len(cols)]
		for k, j := range cols {
			sum[j] += vi * float64(vals[k])
		}
	}
}

func (x *CSR) selectRows(rows []int) *CSR {
	c := &CSR{Rows: len(rows), Cols: x.Cols, Ptr: make([]int, len(rows)+1)}
	for k, i := range rows {
		if i < 0 || i >= x.Rows {
			panic(fmt.Sprintf("data: row %d of %d selected", i, x.Rows))
		}
		c.Ptr[k+1] = c.Ptr[k] + x.Ptr[i+1] - x.Ptr[i]
	}
	stored := c.Ptr[len(rows)]
	c.Col, c.Val = make([]int32, stored), make([]float64, stored)
	for k, i := range rows {
		cols, vals := x.Row(i)
		copy(c.Col[c.Ptr[k]:], cols)
		copy(c.Val[c.Ptr[k]:], vals)
	}
	return c
}
