package kron

import (
	"math"

	"pairrank/internal/krylov"
)

// Extent returns the smallest and the largest of the products d₁_k d₂_l of eigenvalues above rounding, the
// scale for λ. They are +∞ and 0 if there are none. It costs O(p + r).
func (p *Path) Extent() (least, greatest float64) {
	lo1, hi1 := extent(p.rows.d)
	lo2, hi2 := extent(p.cols.d)
	return lo1 * lo2, hi1 * hi2
}

// extent returns the smallest and the largest positive number, +∞ and 0 if there is none.
func extent(d []float64) (least, greatest float64) {
	least = math.Inf(1)
	for _, v := range d {
		if v > 0 {
			least = min(least, v)
		}
		greatest = max(greatest, v)
	}
	return least, greatest
}

// Extent returns the smallest and the largest eigenvalue of the row kernel, p×p, above rounding, the scale for
// the λ of the rows. They are +∞ and 0 if there are none. It costs O(p).
func (t *TwoStep) Extent() (least, greatest float64) { return extent(t.rows.d) }

// Largest estimates the largest eigenvalue of LQL, m×m, with Q the matrix of the pairwise
// kernel between the edges of s and L that of the loss, as in Solve, by 12 steps of the
// Lanczos process, a product with Q each (Golub and Van Loan 2013, Matrix computations,
// section 10.1). It is a lower bound, usually by a per cent or less.
func Largest(s System, loss Loss) float64 {
	return krylov.Largest(s.operator(loss, 0), s.Edges.Len())
}
