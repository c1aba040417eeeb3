package kron

import (
	"math"

	"pairrank/internal/krylov"
)

// Extent is the least and the greatest of the products d₁_k d₂_l that are not
// rounding: λ is compared with them. They are +∞ and 0 where there are none.
func (p *Path) Extent() (least, greatest float64) {
	lo1, hi1 := extent(p.rows.d)
	lo2, hi2 := extent(p.cols.d)
	return lo1 * lo2, hi1 * hi2
}

// extent is the least and the greatest positive number, +∞ and 0 where there is none.
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

// Extent is the least and the greatest eigenvalue of the row kernel that are not
// rounding: the λ of the rows is compared with them. They are +∞ and 0 where there are
// none.
func (t *TwoStep) Extent() (least, greatest float64) { return extent(t.rows.d) }

// Largest estimates the largest eigenvalue of LQL, Q being the matrix of the
// pairwise kernel between the edges of s and L that of the loss, as Solve has them:
// 30 products with Q. It is a few per cent low at most.
func Largest(s System, loss Loss) float64 {
	return krylov.Largest(s.operator(loss, 0), s.Edges.Len())
}
