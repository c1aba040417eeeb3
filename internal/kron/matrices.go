package kron

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

func dense(a linalg.Mat) *data.Dense {
	return (*data.Dense)(&a)
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

// hadamard is the entrywise product of two matrices.
func hadamard(a, b linalg.Mat) linalg.Mat {
	s := a.Clone()
	times(s, b)
	return s
}

// invert replaces each entry of a by its reciprocal.
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
