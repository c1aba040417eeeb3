package rls

import "math"

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

// LostWeights is Lost of the lightest rows, where rows have weights: with λ plus the part of the largest eigenvalue
// that the lightest row has, in a dual problem, or in a primal one all rows but the two heaviest. Cost O(m).
func (p *Path) LostWeights(lambda float64) float64 {
	a := p.goal.RowWeights
	if a == nil || p.pencil == nil || len(p.pencil.Eigenvalues) == 0 {
		return 0
	}
	sum, least, first, second := 0.0, math.Inf(1), 0.0, 0.0
	for _, w := range a {
		if sum, least = sum+w, min(least, w); w > first {
			first, second = w, first
		} else {
			second = max(second, w)
		}
	}
	part := least / first
	if !p.pencil.IsDual() {
		part = max(part, (sum-first-second)/sum)
	}
	d := p.pencil.Eigenvalues
	return p.pencil.EigenError / (lambda + part*d[len(d)-1])
}
