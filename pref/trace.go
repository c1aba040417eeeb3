package pref

// Trace returns the trace of L, m×m: twice the sum of the weights of the compared pairs,
// and m for regression. Where a part of the rows has a share t of the trace, tλ
// regularises the part as λ does the whole. It costs as much as Diagonal.
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
