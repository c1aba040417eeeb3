package model

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// panelSize bounds the kernel values that are held at a time, 16 MB of them,
// and the features of dense rows that a kernel copies; panelRows is how many
// rows are taken at least, since every panel goes over the support rows once.
const (
	panelSize = 1 << 21
	panelRows = 64
)

// ScoreTo sets dst, m×v row by row, to Σ_i c_i k(x_i, x) in O(b·n) a row. The
// kernel matrix is made in panels of rows, so that memory stays bounded
// whatever m is. x may have fewer columns than the support rows: the features
// it lacks are zero. It panics when x has more columns or len(dst) ≠ m·v.
//
// With a precomputed kernel x is the kernel matrix new × training, as wide as
// there are training rows, or narrower where none of the columns left out is a
// support row's.
func (k *Kernel) ScoreTo(dst []float64, x data.Matrix) {
	m, cols := x.Dims()
	b, v := k.Coef.Rows, k.Coef.Cols
	if k.Support == nil {
		if b > 0 && cols < k.SupportRows[b-1] {
			panic(fmt.Sprintf("model: a kernel matrix of %d columns, support row %d", cols, k.SupportRows[b-1]))
		}
		k.overColumns(cols).ScoreTo(dst, x)
		return
	}
	_, n := k.Support.Dims()
	checkShape("Kernel.ScoreTo", len(dst), m*v, cols, n)
	width := max(1, b)
	if _, dense := x.(*data.Dense); dense {
		width = max(width, n)
	}
	rows := min(m, max(panelRows, panelSize/width))
	panel := data.NewDense(rows, b, nil)
	for lo := 0; lo < m; lo += rows {
		hi := min(m, lo+rows)
		values := &data.Dense{Rows: hi - lo, Cols: b, Stride: b, Data: panel.Data[:(hi-lo)*b]}
		k.Kernel.MatrixTo(values, widen(rowsOf(x, lo, hi), n), k.Support)
		out := dst[lo*v : hi*v]
		if v == 1 && k.Coef.Stride == 1 {
			values.MulVecTo(out, k.Coef.Data[:b])
			continue
		}
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*values), linalg.Mat(*k.Coef), 0,
			linalg.Mat{Rows: hi - lo, Cols: v, Stride: v, Data: out})
	}
}

// overColumns is the precomputed expansion as weights of the columns of the
// kernel matrix: zero but for the support rows.
func (k *Kernel) overColumns(cols int) *Linear {
	w := data.NewDense(k.Coef.Cols, cols, nil)
	for i, row := range k.SupportRows {
		for o, c := range k.Coef.Row(i) {
			w.Data[o*cols+row-1] = c
		}
	}
	return &Linear{Weights: w}
}

// rowsOf is a view of the rows [lo,hi) of x.
func rowsOf(x data.Matrix, lo, hi int) data.Matrix {
	switch x := x.(type) {
	case *data.Dense:
		if x.Cols == 0 {
			return &data.Dense{Rows: hi - lo}
		}
		return &data.Dense{Rows: hi - lo, Cols: x.Cols, Stride: x.Stride, Data: x.Data[lo*x.Stride : (hi-1)*x.Stride+x.Cols]}
	case *data.CSR:
		return &data.CSR{Rows: hi - lo, Cols: x.Cols, Ptr: x.Ptr[lo : hi+1], Col: x.Col, Val: x.Val}
	}
	panic(fmt.Sprintf("model: no scores for a matrix of type %T", x))
}

// widen gives x n columns, the new ones zero; x has at most n.
func widen(x data.Matrix, n int) data.Matrix {
	m, cols := x.Dims()
	if cols == n {
		return x
	}
	if s, ok := x.(*data.CSR); ok {
		return &data.CSR{Rows: m, Cols: n, Ptr: s.Ptr, Col: s.Col, Val: s.Val}
	}
	wide := data.NewDense(m, n, nil)
	for i := range m {
		copy(wide.Row(i), x.(*data.Dense).Row(i))
	}
	return wide
}
