package data

// Multiply returns X C, m×v, for x of m×n and coefficients c of n×v, a column for each
// output. It costs v products of x with a vector, each on all cores. It panics when the
// shapes do not fit.
func Multiply(x Matrix, c *Dense) *Dense {
	m, _ := x.Dims()
	f := NewDense(m, c.Cols, nil)
	w, scores := make([]float64, c.Rows), make([]float64, m)
	for o := range c.Cols {
		for j := range w {
			w[j] = c.Row(j)[o]
		}
		x.MulVecTo(scores, w)
		for i, v := range scores {
			f.Row(i)[o] = v
		}
	}
	return f
}
