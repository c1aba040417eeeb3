package model

import (
	"fmt"
	"strconv"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/modelfile"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// panelSize bounds the kernel values that are held at a time, 16 MB of them,
// and the features of dense rows that a kernel copies; panelRows is how many
// rows are taken at least, since every panel goes over the support rows once.
const (
	panelSize = 1 << 21
	panelRows = 64
)

// Kernel scores Σ_i c_i k(x_i, x) over the b support rows x_i.
type Kernel struct {
	Kernel      kernel.Kernel
	Support     data.Matrix // b × n, dense or CSR; nil for a precomputed kernel
	SupportRows []int       // training rows, 1-based and ascending, for a precomputed kernel; else nil
	Coef        *data.Dense // b × v
}

func (k *Kernel) shape() (features, outputs int) {
	if k.Support != nil {
		_, features = k.Support.Dims()
	}
	return features, k.Coef.Cols
}

func (k *Kernel) spec() string { return k.Kernel.String() }

func (k *Kernel) version() int { return versionOf(k.Kernel) }

func (k *Kernel) check(rows int) error {
	if k.Kernel == nil || k.Coef == nil || k.Coef.Cols < 1 {
		return fmt.Errorf("the kernel model has no kernel or no coefficients")
	}
	_, precomputed := k.Kernel.(kernel.Precomputed)
	if precomputed != (k.Support == nil) || precomputed != (k.SupportRows != nil) {
		return fmt.Errorf("a precomputed kernel has support row numbers, any other has support rows")
	}
	b, n := len(k.SupportRows), 0
	if !precomputed {
		b, n = k.Support.Dims()
	}
	if err := checkFactors(k.Kernel, n); err != nil {
		return err
	}
	if b != k.Coef.Rows {
		return fmt.Errorf("%d support rows with %d coefficients", b, k.Coef.Rows)
	}
	for i, row := range k.SupportRows {
		if row < 1 || row > rows || i > 0 && row <= k.SupportRows[i-1] {
			return fmt.Errorf("support row %d of %d training rows at position %d: row numbers must ascend",
				row, rows, i+1)
		}
	}
	return nil
}

// checkFactors refuses factors of clinical kernels beyond n features.
func checkFactors(k kernel.Kernel, n int) (err error) {
	for _, t := range kernel.Terms(k) {
		if c, clinical := t.Kernel.(kernel.Clinical); clinical && err == nil {
			_, _, err = c.WithFactors(n)
		}
	}
	return err
}

func (k *Kernel) finite() error {
	if err := modelfile.CheckKernel(k.Kernel); err != nil {
		return err
	}
	if k.Support != nil {
		if err := modelfile.CheckFinite("support value", k.Support); err != nil {
			return err
		}
	}
	return modelfile.CheckFinite("coefficient", k.Coef)
}

// write writes the support rows, or their numbers, and the coefficients.
func (k *Kernel) write(w *modelfile.Writer) {
	if k.Support == nil {
		w.Line("support", "rows", strconv.Itoa(len(k.SupportRows)))
		for _, row := range k.SupportRows {
			w.Line(strconv.Itoa(row))
		}
	} else {
		rows, _ := k.Support.Dims()
		w.Line("support", modelfile.Storage(k.Support), strconv.Itoa(rows))
		w.Rows(k.Support)
	}
	w.Line("coefficients")
	w.Rows(k.Coef)
}

// ScoreTo sets dst, m×v row by row, to Σ_i c_i k(x_i, x) over b support rows of n features, in
// O(b(n + v)) a row. It computes the kernel matrix in panels of rows, so memory stays bounded for
// any m. x may have fewer columns than the support rows; missing features are zero. It panics when
// x has more columns or len(dst) ≠ m·v.
//
// With a precomputed kernel x is the kernel matrix new × training, as wide as there are training
// rows, or narrower where the missing columns have no support row.
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
		k.Kernel.MatrixTo(values, data.Widen(data.Slice(x, lo, hi), n), k.Support)
		out := dst[lo*v : hi*v]
		if v == 1 && k.Coef.Stride == 1 { // summed as for a single row
			parallel.Chunks(hi-lo, 1+1<<15/max(1, b), func(_, first, end int) {
				for i := first; i < end; i++ {
					out[i] = linalg.Dot(k.Coef.Data[:b], values.Row(i))
				}
			})
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
