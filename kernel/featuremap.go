package kernel

import "pairrank/data"

// FeatureMap makes explicit features of single rows. Inner products of the features are, or
// approximate, values of a kernel, so a linear learner on the features learns with that kernel. No
// row needs another row. FourierMap and Nystrom implement it. It is safe for concurrent use.
type FeatureMap interface {
	// Features is D, the number of features that a row gets.
	Features() int
	// RowsTo sets dst, m×D, to the features of the m rows of x, on all cores, with the same
	// bits for any number of threads. It panics when the shapes do not fit.
	RowsTo(dst *data.Dense, x data.Matrix)
}

// Mapped returns the features of the m rows of x, m×D, in new memory: RowsTo of f. It
// panics where that does.
func Mapped(f FeatureMap, x data.Matrix) *data.Dense {
	m, _ := x.Dims()
	z := data.NewDense(m, f.Features(), nil)
	f.RowsTo(z, x)
	return z
}
