package data

import "pairrank/internal/linalg"

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
		x.squaresMulTransTo(dst, v)
	case *CSR:
		x.squaresMulTransTo(dst, v)
	case *made:
		x.squaresMulTransTo(dst, v)
	default:
		panic(unknownMatrix(x))
	}
}

func (x *Dense) squaresMulTransTo(dst, v []float64) {
	parts := transParts(x.Rows*x.Cols, x.Cols)
	sumParts(dst, parts, func(sum []float64, p int) {
		for i := p * x.Rows / parts; i < (p+1)*x.Rows/parts; i++ {
			for j, a := range x.Row(i) {
				sum[j] += v[i] * a * a
			}
		}
	})
}

func (x *made) squaresMulTransTo(dst, v []float64) {
	sum := make([]float64, x.cols)
	clear(dst)
	x.each(0, len(v), func(at int, rows *Dense) {
		rows.squaresMulTransTo(sum, v[at:at+rows.Rows])
		linalg.Axpy(1, sum, dst)
	})
}

func (x *CSR) squaresMulTransTo(dst, v []float64) {
	parts := transParts(len(x.Val), x.Cols)
	sumParts(dst, parts, func(sum []float64, p int) {
		for i := x.split(p, parts); i < x.split(p+1, parts); i++ {
			cols, vals := x.Row(i)
			for k, j := range cols {
				sum[j] += v[i] * vals[k] * vals[k]
			}
		}
	})
}
