package rls

import (
	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/pref"
)

// Largest estimates the largest eigenvalue of XᵀLX, with which λ is compared, for
// a problem that is not factored: 30 products with X, Xᵀ and L. It is a few per
// cent low at most.
func Largest(x data.Matrix, goal *pref.Goal) float64 {
	m, n := x.Dims()
	return krylov.Largest(&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}, n)
}
