package rls

import (
	"math"
	"slices"

	"pairrank/internal/linalg"
)

// Lost returns the relative error with λ, in At and in held-out predictions, of the contribution of
// the features of smallest scale. It is the rounding error of the eigenvalues, divided by λ plus
// the Σ w_ij (x_i − x_j)² of the feature. It returns 0 where the smallest feature keeps six digits.
// Refit and Solve lose nothing. Cost O(k).
func (p *Path) Lost(lambda float64) float64 {
	if !p.graded {
		return 0
	}
	least := math.Inf(1)
	for _, size := range p.Squares() {
		if size > 0 {
			least = min(least, size)
		}
	}
	return p.pencil.EigenError / (lambda + least)
}

// LostWeights bounds, relative to the largest one, what held-out predictions with λ lose since some rows weigh a
// thousand times as much as others or more; it is 0 where none does. The rounding of the eigenvalues is that of the
// heavy rows. In a dual problem a direction of the light rows has an eigenvalue of any size, so that it is divided by
// λ, and grows with m as the backward error of an eigenproblem may. In a primal one of k features, which k + 1 rows
// determine, it is divided by λ plus the part of the largest eigenvalue of all rows but the k + 1 heaviest. At any λ
// the diagonal of L loses of the heaviest row what it weighs more than all others together. The factors are those of
// TestLostWeightsIsABound. Cost O(m log m).
func (p *Path) LostWeights(lambda float64) float64 {
	const alike, ofEigenvalues, ofDiagonal, epsilon = 1e-3, 256, 64, 0x1p-52
	if p.goal.RowWeights == nil || p.pencil == nil || len(p.pencil.Eigenvalues) == 0 {
		return 0
	}
	a, d := slices.Sorted(slices.Values(p.goal.RowWeights)), p.pencil.Eigenvalues
	m, k := len(a), len(d)
	if a[0] >= alike*a[m-1] {
		return 0
	}
	lost := ofEigenvalues * float64(m) * p.pencil.EigenError / lambda
	if !p.pencil.IsDual() {
		part := linalg.Sum(a[:max(0, m-k-1)]) / linalg.Sum(a)
		lost = ofEigenvalues * p.pencil.EigenError / (lambda + part*d[k-1])
	}
	return max(lost, ofDiagonal*epsilon*a[m-1]/linalg.Sum(a[:m-1]))
}
