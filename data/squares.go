package data

// SquaresMulTransTo sets dst_j = Σ_i v_i x_ij² for x of m×n, dst of length n and v of
// length m: the product of v with the transpose of the squared entries. It costs two
// multiplications for every stored value, on all cores. It panics when the lengths or x
// do not fit.
func SquaresMulTransTo(dst []float64, x Matrix, v []float64) {
	Check("data: SquaresMulTransTo: x", x)
	rows, cols := x.Dims()
	checkLengths("SquaresMulTransTo", len(dst), cols, len(v), rows)
	switch x := x.(type) {
	case *Dense:
		squareDense(dst, v, cols, x.Row)
	case *Dense32:
		squareDense(dst, v, cols, x.Row)
	case *CSR:
		squareSparse(dst, v, x.Ptr, x.Col, x.Val)
	case *CSR32:
		squareSparse(dst, v, x.Ptr, x.Col, x.Val)
	default:
		panic(unknownMatrix(x))
	}
}

func squareDense[F float32 | float64](dst, v []float64, cols int, row func(i int) []F) {
	rows := len(v)
	parts := transParts(rows*cols, cols)
	sumParts(dst, parts, func(sum []float64, p int) {
		for i := p * rows / parts; i < (p+1)*rows/parts; i++ {
			for j, a := range row(i) {
				sum[j] += v[i] * float64(a) * float64(a)
			}
		}
	})
}

func squareSparse[F float32 | float64](dst, v []float64, ptr []int, col []int32, val []F) {
	parts := transParts(len(val), len(dst))
	sumParts(dst, parts, func(sum []float64, p int) {
		for i := splitRows(ptr, p, parts); i < splitRows(ptr, p+1, parts); i++ {
			for k := ptr[i]; k < ptr[i+1]; k++ {
				sum[col[k]] += v[i] * float64(val[k]) * float64(val[k])
			}
		}
	})
}
