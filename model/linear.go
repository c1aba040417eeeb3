package model

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/modelfile"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// Linear scores W x.
type Linear struct {
	Weights *data.Dense // v × n
}

func (l *Linear) shape() (features, outputs int) { return l.Weights.Cols, l.Weights.Rows }

func (l *Linear) spec() string { return kernel.Linear{}.String() }

func (l *Linear) version() int { return 1 }

func (l *Linear) finite() error { return modelfile.CheckFinite("weight", l.Weights) }

func (l *Linear) check(int) error {
	if w := l.Weights; w == nil || w.Rows < 1 {
		return fmt.Errorf("the linear model has no weights")
	}
	if l.Weights.Cols > math.MaxInt32 {
		return fmt.Errorf("%d features are more than %d", l.Weights.Cols, math.MaxInt32)
	}
	return nil
}

// write writes a line a feature, the weights of its outputs side by side.
func (l *Linear) write(w *modelfile.Writer) {
	w.Line("weights")
	column := make([]float64, l.Weights.Rows)
	for j := range l.Weights.Cols {
		for o := range column {
			column[o] = l.Weights.Row(o)[j]
		}
		w.Numbers(column)
	}
}

// ScoreTo sets dst, m×v row by row, to W x_i, in one multiplication for every stored value of x and
// output. It allocates nothing for a row. x may have fewer than n columns; missing features are
// zero. It panics when x has more columns or len(dst) ≠ m·v.
func (l *Linear) ScoreTo(dst []float64, x data.Matrix) {
	m, cols := x.Dims()
	v := l.Weights.Rows
	checkShape("Linear.ScoreTo", len(dst), m*v, cols, l.Weights.Cols)
	if v == 1 {
		x.MulVecTo(dst, l.Weights.Row(0)[:cols])
		return
	}
	if x, dense := x.(*data.Dense); dense {
		w := linalg.Mat(*l.Weights)
		w.Cols = cols
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*x), w, 0,
			linalg.Mat{Rows: m, Cols: v, Stride: v, Data: dst})
		return
	}
	l.scoreRows(dst, x)
}

// scoreRows sets row i of dst to Σ_j x_ij w_j, w_j column j of W, by the stored values.
func (l *Linear) scoreRows(dst []float64, x data.Matrix) {
	v := l.Weights.Rows
	columns := data.NewDense(l.Weights.Cols, v, nil) // Wᵀ: the weights of a feature side by side
	for o := range v {
		for j, w := range l.Weights.Row(o) {
			columns.Data[j*v+o] = w
		}
	}
	const rows = 64
	m, _ := x.Dims()
	parallel.Chunks(m, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst[i*v : (i+1)*v]
			clear(out)
			data.Each(x, i, func(j int, a float64) { linalg.Axpy(a, columns.Row(j), out) })
		}
	})
}

func checkShape(op string, dst, want, cols, features int) {
	if dst != want || cols > features {
		panic(fmt.Sprintf("model: %s into %d scores, want %d, of rows with %d features, at most %d",
			op, dst, want, cols, features))
	}
}
