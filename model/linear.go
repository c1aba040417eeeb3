package model

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Scorer gives rows their scores.
type Scorer interface {
	// ScoreTo sets dst, m×v row by row, to the scores of the rows of x. It
	// runs on all cores, with the same bytes for any number of threads. It
	// panics when the shapes do not fit.
	ScoreTo(dst []float64, x data.Matrix)
}

// ScoreTo sets dst, m×v row by row, to W x_i, in one multiplication for every
// stored value of x and output. Nothing is allocated for a row. x may have
// fewer than n columns: the features it lacks are zero. It panics when x has
// more columns or len(dst) ≠ m·v.
func (l *Linear) ScoreTo(dst []float64, x data.Matrix) {
	m, cols := x.Dims()
	v := l.Weights.Rows
	checkShape("Linear.ScoreTo", len(dst), m*v, cols, l.Weights.Cols)
	if v == 1 {
		x.MulVecTo(dst, l.Weights.Row(0)[:cols])
		return
	}
	switch x := x.(type) {
	case *data.Dense:
		w := linalg.Mat(*l.Weights)
		w.Cols = cols
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*x), w, 0, linalg.Mat{Rows: m, Cols: v, Stride: v, Data: dst})
	case *data.CSR:
		scoreSparse(dst, x, l.Weights)
	default:
		panic(fmt.Sprintf("model: no scores for a matrix of type %T", x))
	}
}

// scoreSparse sets row i of dst to Σ_j x_ij w_j, w_j column j of W.
func scoreSparse(dst []float64, x *data.CSR, weights *data.Dense) {
	v := weights.Rows
	columns := data.NewDense(weights.Cols, v, nil) // Wᵀ: the weights of a feature side by side
	for o := range v {
		for j, w := range weights.Row(o) {
			columns.Data[j*v+o] = w
		}
	}
	multiplySparse(dst, x, columns)
}

// multiplySparse sets row i of dst, v numbers of it, to Σ_j x_ij b_j, b_j row j
// of B with v columns.
func multiplySparse(dst []float64, x *data.CSR, b *data.Dense) {
	const rows = 64
	v := b.Cols
	parallel.Chunks(x.Rows, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst[i*v : (i+1)*v]
			clear(out)
			cols, vals := x.Row(i)
			for k, j := range cols {
				linalg.Axpy(vals[k], b.Row(int(j)), out)
			}
		}
	})
}

func checkShape(op string, dst, want, cols, features int) {
	if dst != want || cols > features {
		panic(fmt.Sprintf("model: %s into %d scores, want %d, of rows with %d features, at most %d", op, dst, want, cols, features))
	}
}
