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

// Squares is the diagonal of XᵀLX, or of RᵀLR: for each feature the weighted squares
// of its differences. It is nil in the dual form, and for CG where L has no block
// structure.
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

// Squares is Path.Squares for a problem that is not factored.
func Squares(x data.Matrix, goal *pref.Goal) []float64 {
	m, _ := x.Dims()
	return (&normalEquations{x: x, l: goal.L, rows: make([]float64, m)}).diagonal()
}
