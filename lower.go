package pairrank

import (
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/kernels"
	"pairrank/internal/parallel"
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
	mean := make([]float64, n)
	x.MulTransVecTo(mean, slices.Repeat([]float64{1 / float64(m)}, m))
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

// offset is a point that was subtracted from the rows.
type offset struct {
	point []float64
	basis *data.Dense // the original basis rows, or nil
}

// centreFeatures subtracts the mean of each feature from dense rows whose inner products, or scores, a ranking
// goal needs. This changes all scores of a training by the same constant and no weight, and keeps the digits
// that inner products of rows far from 0 lose. The basis rows are not centred, since the functions to choose
// from are sums of k(x_b, ·). Random features are centred when they are made. mixes says that scores of
// different trainings will be compared: then predictions get their constant back.
func (t *trainer) centreFeatures(mixes bool) {
	t.mixes = mixes
	t.centre()
}

// centre is centreFeatures of one kernel. It changes rows that are a copy already.
func (t *trainer) centre() {
	_, sparse := t.x.(*data.CSR)
	if t.x == nil || sparse || !t.linear() || !t.solution.form.centres() && (t.mixes || !t.farPrimal()) ||
		t.origin == nil && mapped(t.o.Kernels) {
		return
	}
	mean := meanOf(t.x)
	off := &offset{point: mean}
	x, kept := t.x.(*data.Dense)
	if !kept {
		t.sample = t.withFeatures(lessWhenMade(t.origin.x, t.z, mean), off, t.valid)
		return
	}
	if !t.owns() {
		x = x.Clone()
	}
	if t.onBasis() {
		off.basis = x.SelectRows(t.support)
	}
	subtract(x, mean)
	t.sample = t.withFeatures(x, off, t.valid)
}

// owns reports whether the rows may be changed: they are a copy, or the Problem gives them away.
func (t *trainer) owns() bool {
	if t.origin != nil {
		return t.z != nil
	}
	return t.o.InPlace || t.norm != nil
}

// lessWhenMade is the rows of a map less a point, made when they are read.
func lessWhenMade(x data.Matrix, z kernel.FeatureMap, point []float64) data.Matrix {
	return data.Made(x, len(point), func(dst *data.Dense, x data.Matrix) {
		z.RowsTo(dst, x)
		subtract(dst, point)
	})
}

// farPrimal reports whether the primal form compares rows with a feature whose mean is so far from 0 that sums of
// weights times features lose digits. Else its matrix is centred, and its rows stay as they are.
func (t *trainer) farPrimal() bool {
	const far = 1 << 12 // times the deviation
	l, squares := t.learner.(LeastSquares)
	if _, primal := t.solution.form.(primal); !primal || !squares || l.Regression {
		return false
	}
	found := false
	t.eachFar(far, func(int, float64) { found = true })
	return found
}

// basisRows are the original rows of a basis or kernel map.
func (t *trainer) basisRows() data.Matrix {
	if t.offset != nil {
		return t.offset.basis
	}
	if t.whole != nil {
		return t.whole.basisRows()
	}
	return data.Select(t.x, t.support)
}

// subtract takes a point off every row.
func subtract(x *data.Dense, point []float64) {
	parallel.Chunks(x.Rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.Row(i)
			for j, v := range point {
				row[j] -= v
			}
		}
	})
}
