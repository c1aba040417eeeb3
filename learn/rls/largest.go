package rls

import (
	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/pref"
)

// LargestEigenvalue estimates that of XᵀLX, with which λ is compared, for a problem
// that is not factored, by 30 steps of the power method: a product with X, one with Xᵀ
// and one with L each. It is a few per cent low at most. It panics where x and goal
// have not as many rows.
func LargestEigenvalue(x data.Matrix, goal *pref.Goal) float64 {
	m, n := x.Dims()
	return krylov.Largest(&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}, n)
}

// Squares returns the diagonal of RᵀLR: for each of the k features Σ w_ij (x_i − x_j)²
// over the compared pairs. Where they differ in size by much, so do the λ that suit
// them. It is nil in the dual form.
func (p *Path) Squares() []float64 {
	a := p.pencil.Total.A
	if a.Rows == 0 {
		return nil
	}
	squares := make([]float64, a.Rows)
	for j := range squares {
		squares[j] = a.Row(j)[j]
	}
	return squares
}

// Squares is Path.Squares for a problem that is not factored, in one pass over the
// stored values; nil where L has no block structure. It panics where x and goal have
// not as many rows.
func Squares(x data.Matrix, goal *pref.Goal) []float64 {
	m, _ := x.Dims()
	return (&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}).diagonal()
}
