package data

import (
	"fmt"
	"sort"

	"pairrank/internal/parallel"
)

// CSR is a sparse matrix, row by row: row i has the values Val[Ptr[i]:Ptr[i+1]] in the columns
// Col[Ptr[i]:Ptr[i+1]], which ascend strictly; every other entry is zero. Ptr has length Rows+1. In
// a view of some rows, the values before Ptr[0] and from Ptr[Rows] on belong to other rows.
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

// split returns the first row of part p of parts, where the parts hold about
// the same number of stored values plus rows. It is 0 for part 0 and the number
// of rows for part parts.
func (x *CSR) split(p, parts int) int {
	total := x.Ptr[x.Rows] - x.Ptr[0] + x.Rows
	goal := int(float64(total) * float64(p) / float64(parts))
	if p == parts {
		return x.Rows
	}
	return sort.Search(x.Rows, func(i int) bool { return x.Ptr[i]-x.Ptr[0]+i >= goal })
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

// mulRows sets dst = X w for the rows [lo,hi).
func (x *CSR) mulRows(dst, w []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		cols, vals := x.Row(i)
		dst[i] = dotSparse(cols, vals, w)
	}
}

// dotSparse is Σ_k vals[k] w[cols[k]], in two interleaved sums.
func dotSparse(cols []int32, vals, w []float64) float64 {
	cols = cols[:len(vals)]
	var s0, s1 float64
	k := 0
	for ; k+2 <= len(vals); k += 2 {
		s0 += vals[k] * w[cols[k]]
		s1 += vals[k+1] * w[cols[k+1]]
	}
	if k < len(vals) {
		s0 += vals[k] * w[cols[k]]
	}
	return s0 + s1
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

// addRows adds Σ v_i x_i over the rows [lo,hi) to sum.
func (x *CSR) addRows(sum, v []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		vi := v[i]
		if vi == 0 {
			continue
		}
		cols, vals := x.Row(i)
		vals = vals[:len(cols)]
		for k, j := range cols {
			sum[j] += vi * vals[k]
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
