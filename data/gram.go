package data

// gramParts bounds the partial sums of GramVecTo: more of them than a few push the vectors
// out of the cache, and cost more than they spread.
const gramParts = 8

// GramVecTo sets dst = XᵀX v and returns ‖Xv‖². It multiplies and adds one row at a time, so that
// it reads each stored value from memory once, where MulVecTo followed by MulTransVecTo reads it
// twice. It costs two multiplications for every stored value. The rows are split among threads by
// stored values. It panics unless len(dst) = len(v) = n.
func (x *CSR) GramVecTo(dst, v []float64) float64 {
	checkLengths("CSR.GramVecTo", len(dst), x.Cols, len(v), x.Cols)
	parts := min(gramParts, transParts(2*(x.Ptr[x.Rows]-x.Ptr[0]), x.Cols))
	if parts == 1 {
		clear(dst)
		return x.addGram(dst, v, 0, x.Rows)
	}
	var squares [gramParts]float64
	sumParts(dst, parts, func(sum []float64, p int) {
		squares[p] = x.addGram(sum, v, x.split(p, parts), x.split(p+1, parts))
	})
	total := 0.0
	for _, s := range squares[:parts] {
		total += s
	}
	return total
}

// addGram adds Σ x_i ⟨x_i, v⟩ over the rows [lo,hi) to sum, and returns Σ ⟨x_i, v⟩².
func (x *CSR) addGram(sum, v []float64, lo, hi int) float64 {
	total := 0.0
	for i := lo; i < hi; i++ {
		cols, vals := x.Row(i)
		s := dotSparse(cols, vals, v)
		total += s * s
		for k, j := range cols {
			sum[j] += s * vals[k]
		}
	}
	return total
}
