package rls

import (
	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/rls/internal/pencil"
)

// LargestEigenvalue estimates the largest eigenvalue of XᵀLX, n×n, without factoring, by 12 steps
// of the Lanczos process (Golub and Van Loan 2013, Matrix computations, section 10.1). The estimate
// is a lower bound, usually too low by a per cent or less. It sets the scale for λ. A step costs a product
// with X, one with Xᵀ and one with L. It panics where x and goal differ in their number of rows.
func LargestEigenvalue(x data.Matrix, goal *goals.Goal) float64 {
	m, n := x.Dims()
	return krylov.Largest(&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}, n)
}

// Squares returns the diagonal of RᵀLR, of length k: Σ w_ij (x_i − x_j)² over the compared pairs,
// for each feature. Where these differ by orders of magnitude, one λ does not suit all features.
// Cost O(k). It returns nil in the dual form.
func (p *Path) Squares() []float64 { return squares(p.factored()) }

func squares(p *pencil.Pencil) []float64 {
	a := p.Total.A
	if a.Rows == 0 {
		return nil
	}
	squares := make([]float64, a.Rows)
	for j := range squares {
		squares[j] = a.Row(j)[j]
	}
	return squares
}

// Squares is Path.Squares for a problem that is not factored: n numbers, in O(non-zeros +
// m + n). It returns nil where L has no block structure. It panics where x and goal
// differ in their number of rows.
func Squares(x data.Matrix, goal *goals.Goal) []float64 {
	m, _ := x.Dims()
	return (&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}).diagonal()
}
