package kron

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

func dense(a linalg.Mat) *data.Dense {
	return (*data.Dense)(&a)
}

func copyOf(d *data.Dense) linalg.Mat { return compact(linalg.Mat(*d)) }

// compact is a copy without gaps between its rows.
func compact(a linalg.Mat) linalg.Mat {
	c := linalg.NewMat(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(c.Row(i), a.Row(i))
	}
	return c
}

// multiply is the product of two matrices, the first transposed or not.
func multiply(t linalg.Trans, a, b linalg.Mat) linalg.Mat {
	rows := a.Rows
	if t == linalg.T {
		rows = a.Cols
	}
	c := linalg.NewMat(rows, b.Cols)
	linalg.Gemm(t, linalg.NoTrans, 1, a, b, 0, c)
	return c
}

// times multiplies a by m, entry by entry, in place.
func times(a, m linalg.Mat) {
	parallel.Chunks(a.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.Row(i)
			for j, v := range m.Row(i) {
				row[j] *= v
			}
		}
	})
}

// scaleRows multiplies row i of a by s_i.
func scaleRows(a linalg.Mat, s []float64) {
	parallel.Chunks(a.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			linalg.Scal(s[i], a.Row(i))
		}
	})
}

// byTransposed is abᵀ.
func byTransposed(a, b linalg.Mat) linalg.Mat {
	c := linalg.NewMat(a.Rows, b.Rows)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, a, b, 0, c)
	return c
}

// scaleCols multiplies column j of a by s_j.
func scaleCols(a linalg.Mat, s []float64) {
	parallel.Chunks(a.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.Row(i)
			for j, v := range s {
				row[j] *= v
			}
		}
	})
}

// hadamard is the product of two matrices entry by entry.
func hadamard(a, b linalg.Mat) linalg.Mat {
	s := compact(a)
	times(s, b)
	return s
}

// invert sets each entry of a to 1 over it.
func invert(a linalg.Mat) {
	parallel.Chunks(a.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.Row(i)
			for j, v := range row {
				row[j] = 1 / v
			}
		}
	})
}
