package linalg

import (
	"math"

	"pairrank/internal/parallel"
)

// GaussianKernel fills the square dst with k(x_i,x_j) = exp(-gamma ‖x_i-x_j‖²)
// for the rows x_i of x. dst is exactly symmetric and its diagonal exactly 1.
// Squared distances come from inner products, m²n operations for an m×n x,
// after the columns are centred, so that points far from the origin keep
// their digits. dst, m×m, must not share memory with x. It panics for other shapes.
func GaussianKernel(dst Mat, x Mat, gamma float64) {
	require(dst.isSquare() && x.valid() && dst.Rows == x.Rows, "GaussianKernel")
	gaussianKernel(dst, x, gamma, GaussianRow, 1, mirrorColumns)
}

// GaussianUpper is GaussianKernel in the upper triangle of dst, with the same bits. It neither
// reads nor writes below the diagonal. It panics where GaussianKernel does.
func GaussianUpper(dst Mat, x Mat, gamma float64) {
	require(dst.isSquare() && x.valid() && dst.Rows == x.Rows, "GaussianUpper")
	gaussianKernel(dst, x, gamma, GaussianRow, 1, func(Mat, int, int) {})
}

// LowerGaussianUpper is GaussianUpper less 1, exp(-gamma ‖x_i-x_j‖²) − 1, which keeps the
// digits that values near 1 lose. It panics where GaussianKernel does.
func LowerGaussianUpper(dst Mat, x Mat, gamma float64) {
	require(dst.isSquare() && x.valid() && dst.Rows == x.Rows, "LowerGaussianUpper")
	gaussianKernel(dst, x, gamma, lowerGaussianRow, 0, func(Mat, int, int) {})
}

// gaussianRow turns inner products into values, as GaussianRow does.
type gaussianRow func(g, yn []float64, xn, gamma float64)

// lowerGaussianRow is GaussianRow less 1.
func lowerGaussianRow(g, yn []float64, xn, gamma float64) {
	for j, v := range g {
		g[j] = math.Expm1(-gamma * max(0, xn+yn[j]-2*v))
	}
}

// gaussianKernel computes the upper triangle by row, with self on the diagonal, and calls done for
// finished rows.
func gaussianKernel(dst Mat, x Mat, gamma float64, row gaussianRow, self float64, done func(dst Mat, lo, hi int)) {
	m := x.Rows
	if m == 0 {
		return
	}
	mean := columnMeans(x)
	c, cp := centred(x, *mean)
	norms := squaredNorms(c)
	gramTo(dst, c, c, Upper)
	parallel.Chunks(m, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row(dst.Row(i)[i:], (*norms)[i:], (*norms)[i], gamma)
			dst.Row(i)[i] = self
		}
		done(dst, lo, hi)
	})
	giveBack(norms)
	giveBack(cp)
	giveBack(mean)
}

// mirrorColumns copies the rows [lo,hi) of the upper triangle to the columns
// [lo,hi) of the lower.
func mirrorColumns(a Mat, lo, hi int) {
	n := a.Rows
	for i := lo; i < hi; i++ {
		for j := i + 1; j < hi; j++ {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
	for j := hi; j < n; j += tile {
		transposeTile(a, a, lo, hi, j, min(n, j+tile))
	}
}

// GaussianCross fills dst with k(x_i,y_j) = exp(-gamma ‖x_i-y_j‖²) for the
// rows of x and y, 2mln operations for m×n x and l×n y. Both are centred by
// the column means of y, so that a row of dst depends on no other row of x.
// dst, m×l, must not share memory with x or y. It panics for other shapes.
func GaussianCross(dst, x, y Mat, gamma float64) {
	gaussianCross(dst, x, y, gamma, GaussianRow, "GaussianCross")
}

// LowerGaussianCross is GaussianCross less 1, as LowerGaussianUpper. It panics where
// GaussianCross does.
func LowerGaussianCross(dst, x, y Mat, gamma float64) {
	gaussianCross(dst, x, y, gamma, lowerGaussianRow, "LowerGaussianCross")
}

func gaussianCross(dst, x, y Mat, gamma float64, row gaussianRow, name string) {
	require(dst.valid() && x.valid() && y.valid() && dst.Rows == x.Rows && dst.Cols == y.Rows && x.Cols == y.Cols, name)
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	mean := columnMeans(y)
	cx, xp := centred(x, *mean)
	cy, yp := centred(y, *mean)
	xn, yn := squaredNorms(cx), squaredNorms(cy)
	gramTo(dst, cx, cy, full)
	parallel.Chunks(dst.Rows, max(1, 1<<14/dst.Cols), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row(dst.Row(i), *yn, (*xn)[i], gamma)
		}
	})
	for _, p := range []*[]float64{mean, xp, yp, xn, yn} {
		giveBack(p)
	}
}

// columnMeans are the means of the columns of x, which has a row at least,
// added up row by row.
func columnMeans(x Mat) *[]float64 {
	mean := borrow(x.Cols)
	clear(*mean)
	for i := range x.Rows {
		Axpy(1, x.Row(i), *mean)
	}
	Scal(1/float64(x.Rows), *mean)
	return mean
}

// centred is a copy of x less the given row.
func centred(x Mat, mean []float64) (Mat, *[]float64) {
	c, p := borrowMat(x.Rows, x.Cols)
	parallel.Chunks(x.Rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			d := c.Row(i)
			for j, v := range x.Row(i) {
				d[j] = v - mean[j]
			}
		}
	})
	return c, p
}

// gramTo fills the wanted part of dst with the inner products of the rows of x
// and y. They are added up in one way whatever the shape of dst.
func gramTo(dst, x, y Mat, part Uplo) {
	product{
		m: x.Rows, n: y.Rows, k: x.Cols, alpha: 1,
		a: operandOf(x, NoTrans), b: operandOf(y, NoTrans),
		c: dst.Data, ldc: dst.Stride, part: part,
	}.run()
}

// squaredNorms are the squared norms of the rows of x, with the bits of the inner products of
// gramTo, so that the distance of equal rows is exactly 0.
func squaredNorms(x Mat) *[]float64 {
	const size = 24
	norms := borrow(x.Rows)
	parallel.Chunks(x.Rows, 8*size, func(_, lo, hi int) {
		gram, p := borrowMat(size, size)
		for i := lo; i < hi; i += size {
			h := min(size, hi-i)
			rows := x.Slice(i, i+h, 0, x.Cols)
			g := gram.Slice(0, h, 0, h)
			gramTo(g, rows, rows, full)
			for r := range h {
				(*norms)[i+r] = g.Data[r*g.Stride+r]
			}
		}
		giveBack(p)
	})
	return norms
}
