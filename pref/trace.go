package pref

import "fmt"

// Trace returns the trace of L, m×m: twice the sum of the weights of the compared pairs,
// and m for regression. Where a part of the rows has a share t of the trace, tλ
// regularises the part as λ does the whole. It costs as much as Diagonal, and panics
// where it does.
func Trace(l Laplacian) float64 {
	sum := 0.0
	for _, d := range Diagonal(l) {
		sum += d
	}
	return sum
}

// Diagonal returns the diagonal of L, of length m, in O(m), and for a Graph in O(m +
// edges). It panics for a Laplacian that is not of this package.
func Diagonal(l Laplacian) []float64 {
	diagonal := make([]float64, l.Dim())
	switch l := l.(type) {
	case *Blocks:
		l.DiagonalTo(diagonal)
	case *DenseBlocks:
		for p, block := range l.blocks {
			rows := l.parts.Part(p)
			for a, i := range rows {
				diagonal[i] = block[a*len(rows)+a]
			}
		}
	case *Graph:
		for _, e := range l.active {
			diagonal[e.I] += e.Weight
			diagonal[e.J] += e.Weight
		}
	default:
		panic(fmt.Sprintf("pref: no diagonal of %T", l))
	}
	return diagonal
}
