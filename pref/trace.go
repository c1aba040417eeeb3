package pref

import "fmt"

// Trace is the trace of L, twice the sum of the weights of the pairs that are
// compared, and the number of rows for regression. The λ of a problem goes with it:
// where a part of the rows has a share t of the trace, λt regularises the part as λ
// does the whole.
func Trace(l Laplacian) float64 {
	sum := 0.0
	switch l := l.(type) {
	case *Blocks:
		diagonal := make([]float64, l.Dim())
		l.DiagonalTo(diagonal)
		for _, d := range diagonal {
			sum += d
		}
	case *DenseBlocks:
		for p, block := range l.blocks {
			h := len(l.parts.Part(p))
			for a := range h {
				sum += block[a*h+a]
			}
		}
	case *Graph:
		for _, e := range l.active {
			sum += 2 * e.Weight
		}
	default:
		panic(fmt.Sprintf("pref: no trace of %T", l))
	}
	return sum
}
