package goals

// Trace returns the trace of L, m×m: twice the sum of the weights of the compared pairs, and m for
// regression. If a part of the rows has the share t of the trace, training on the part with tλ is
// regularised as training on all rows with λ. It costs as much as Diagonal.
func Trace(l Laplacian) float64 {
	sum := 0.0
	for _, d := range Diagonal(l) {
		sum += d
	}
	return sum
}

// Diagonal returns the diagonal of L, of length m, as DiagonalTo fills it.
func Diagonal(l Laplacian) []float64 {
	diagonal := make([]float64, l.Dim())
	l.DiagonalTo(diagonal)
	return diagonal
}
