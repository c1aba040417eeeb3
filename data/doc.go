// Package data holds training data: rows of features, their labels, and the queries that
// they belong to.
//
//	x := data.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}) // three rows of two features
//	set := &data.Set{X: x, Y: []float64{2, 0, 1}, Queries: data.OneList(3)}
//
// A Set is m rows of n features with m labels, cut into q queries. The rows of a query need not be
// contiguous; everything keeps the input order. The matrix is a *Dense or a *CSR, or Made of one. Nothing
// writes to it after construction, so goroutines may share one Set. Normalizer.Apply and FillMissing are the
// exceptions: they work in place.
//
// The products X w and Xᵀ v run on all cores and give the same bytes for any number of threads: the
// size of the matrix decides how the work is cut, and the partial sums are added in the order of
// the pieces.
//
// Notation: m rows, n features, q queries; i a row, j a feature, g a query.
package data
