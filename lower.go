package pairrank

import (
	"math"

	"pairrank/data"
	"pairrank/internal/kernels"
	"pairrank/kernel"
)

// lowering is the constant c that was subtracted from the values of a kernel that are nearly equal, to keep
// their digits. The coefficients of a goal that compares rows sum to 0 within every list, so the goal learns
// and predicts the same from K − c as from K. The zero value subtracts nothing.
type lowering struct {
	kernel kernel.Kernel       // replaces that of the trainer, see kernel.Lower; nil keeps it
	about  *kernels.AboutPoint // the same where it is polynomial: scores lack a constant
	by     float64             // subtracted from its values
}

// meanOf is the mean of each column.
func meanOf(x data.Matrix) []float64 {
	m, n := x.Dims()
	mean, share := make([]float64, n), make([]float64, m)
	for i := range share {
		share[i] = 1 / float64(m)
	}
	x.MulTransVecTo(mean, share)
	return mean
}

// values is the kernel of the matrices of s.
func (t *trainer) values() kernel.Kernel {
	if t.lowered.kernel != nil {
		return t.lowered.kernel
	}
	return t.kernel
}

// matrixTo fills k with the kernel matrix of the rows, by MatrixTo or UpperTo of package kernel, and subtracts
// a constant from values that are nearly equal.
func (t *trainer) matrixTo(k *data.Dense, fill func(of kernel.Kernel)) {
	fill(t.values())
	if t.lowered == (lowering{}) && t.solution.form.lowers() && nearlyEqual(k) {
		t.lowered.kernel = kernel.Lower(t.kernel)
		if p, is := t.kernel.(kernel.Polynomial); is && t.x != nil {
			t.lowered.about = kernels.About(p, meanOf(t.x))
			t.lowered.kernel = t.lowered.about
		}
		if t.lowered.kernel != nil {
			fill(t.lowered.kernel)
		}
		if nearlyEqual(k) { // rows that are far from 0
			t.lowered.by = k.Row(0)[0]
		}
	}
	t.lowered.subtractFrom(k)
}

// kernelMatrix is the kernel matrix of the rows.
func (t *trainer) kernelMatrix() *data.Dense {
	m := t.rows()
	k := data.NewDense(m, m, nil)
	t.matrixTo(k, func(of kernel.Kernel) { of.MatrixTo(k, t.x, t.x) })
	return k
}

// crossMatrix is the kernel matrix of rows a with rows b, less the constant that the matrix of s lacks.
func (t *trainer) crossMatrix(a, b data.Matrix) *data.Dense {
	k := kernel.Matrix(t.values(), a, b)
	t.lowered.subtractFrom(k)
	return k
}

// fewDigits is the relative error above which a note is made.
const fewDigits = 1e-6

// subtractFrom subtracts the constant from a kernel matrix. Values within a factor of two of it are not rounded
// (Sterbenz).
func (l lowering) subtractFrom(k *data.Dense) {
	if l.by == 0 {
		return
	}
	for i := range k.Rows {
		row := k.Row(i)
		for j := range row {
			row[j] -= l.by
		}
	}
}

// nearlyEqual reports whether the values on and above the diagonal of a kernel matrix are positive and
// within a factor of two of each other.
func nearlyEqual(k *data.Dense) bool {
	least, most := math.Inf(1), 0.0
	for i := range k.Rows {
		for _, v := range k.Row(i)[i:] {
			least, most = min(least, v), max(most, v)
		}
		if !(2*least >= most) {
			return false
		}
	}
	return most > 0 && !math.IsInf(most, 1)
}
