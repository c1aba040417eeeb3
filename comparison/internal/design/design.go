// Package design chooses comparisons by how much they lower variances.
package design

import "pairrank/internal/linalg"

// Best returns the pair i < j of rows of the covariance K whose comparison lowers the sum of the variances of the
// differences between some rows most, −1 where there is none, and by what share of it; K is then that with the
// comparison. curvature is that of a comparison of two rows. Cost O(N²M) for M rows asked about.
func Best(k linalg.Mat, about []int, curvature func(i, j int) float64) (first, second int, share float64) {
	square, total := spread(k, about)
	first = -1
	var v, at float64
	for i := range k.Rows {
		for j := range i {
			w := curvature(i, j)
			own := k.Row(i)[i] + k.Row(j)[j] - 2*k.Row(i)[j]
			fall := w * (square.Row(i)[i] + square.Row(j)[j] - 2*square.Row(i)[j]) / (1 + w*own) / total
			if first < 0 || fall > share {
				first, second, share, v, at = j, i, fall, w, own
			}
		}
	}
	if first < 0 {
		return first, second, share
	}
	column := make([]float64, k.Rows)
	for i := range column {
		column[i] = k.Row(i)[first] - k.Row(i)[second]
	}
	for i, x := range column {
		linalg.Axpy(-v*x/(1+v*at), column, k.Row(i))
	}
	return first, second, share
}

// spread returns CᵀC of C = PK, the rows asked about, less their mean, and the sum of the variances of these.
func spread(k linalg.Mat, among []int) (square linalg.Mat, total float64) {
	n := k.Rows
	c, mean := linalg.NewMat(len(among), n), make([]float64, n)
	for r, i := range among {
		copy(c.Row(r), k.Row(i))
		linalg.Axpy(1/float64(len(among)), k.Row(i), mean)
	}
	for r, i := range among {
		linalg.Axpy(-1, mean, c.Row(r))
		total += c.Row(r)[i]
	}
	square = linalg.NewMat(n, n)
	linalg.Syrk(linalg.Lower, linalg.T, 1, c, 0, square)
	return square, total
}
