package linalg

// Gemm computes C := alpha op(A) op(B) + beta C in 2mnk operations, for op(A) of m×k,
// op(B) of k×n and C of m×n; it panics for other shapes. C must not share memory with
// A or B. With beta 0 the old contents of C, NaN
// included, are overwritten; with alpha 0 A and B are not read.
func Gemm(ta, tb Trans, alpha float64, a, b Mat, beta float64, c Mat) {
	m, k := a.shape(ta)
	kb, n := b.shape(tb)
	require(a.valid() && b.valid() && c.valid() && k == kb && c.Rows == m && c.Cols == n, "Gemm")
	if n <= gemmFew {
		gemmColumns(ta, tb, alpha, a, b, beta, c)
		return
	}
	gemm(full, ta, tb, alpha, a, b, beta, c, "Gemm")
}

// gemmFew is the number of columns of C up to which a product is taken as
// products with vectors: tiles would stay almost empty.
const gemmFew = 4

// Mul returns AB, a new matrix, by Gemm.
func (a Mat) Mul(b Mat) Mat { return newProduct(NoTrans, NoTrans, a, b) }

// TMul returns AᵀB, a new matrix, by Gemm.
func (a Mat) TMul(b Mat) Mat { return newProduct(T, NoTrans, a, b) }

// MulT returns ABᵀ, a new matrix, by Gemm.
func (a Mat) MulT(b Mat) Mat { return newProduct(NoTrans, T, a, b) }

func newProduct(ta, tb Trans, a, b Mat) Mat {
	rows, _ := a.shape(ta)
	_, cols := b.shape(tb)
	c := NewMat(rows, cols)
	Gemm(ta, tb, 1, a, b, 0, c)
	return c
}

// gemmColumns is one Gemv for every column of C.
func gemmColumns(ta, tb Trans, alpha float64, a, b Mat, beta float64, c Mat) {
	_, k := a.shape(ta)
	px, py := borrow(k), borrow(c.Rows)
	y := *py
	for j := range c.Cols {
		for i := range y {
			y[i] = c.Data[i*c.Stride+j]
		}
		Gemv(ta, alpha, a, rowOf(b, !tb, j, *px), beta, y)
		for i, v := range y {
			c.Data[i*c.Stride+j] = v
		}
	}
	giveBack(py)
	giveBack(px)
}

// rowOf is row i of op(a), in scratch memory if it is a column of a.
func rowOf(a Mat, t Trans, i int, scratch []float64) []float64 {
	if !t {
		return a.Row(i)
	}
	for r := range scratch {
		scratch[r] = a.Data[r*a.Stride+i]
	}
	return scratch
}

// Gemmt is Gemm for the triangle ul of a square C, at half the cost. It does not touch the other
// triangle. It panics for shapes that do not fit.
func Gemmt(ul Uplo, ta, tb Trans, alpha float64, a, b Mat, beta float64, c Mat) {
	require(ul.valid() && c.isSquare(), "Gemmt")
	gemm(ul, ta, tb, alpha, a, b, beta, c, "Gemmt")
}

func gemm(part Uplo, ta, tb Trans, alpha float64, a, b Mat, beta float64, c Mat, routine string) {
	m, k := a.shape(ta)
	kb, n := b.shape(tb)
	require(a.valid() && b.valid() && c.valid() && k == kb && c.Rows == m && c.Cols == n, routine)
	product{
		m: m, n: n, k: k, alpha: alpha, beta: beta,
		a: operandOf(a, ta), b: operandOf(b, !tb),
		c: c.Data, ldc: c.Stride, part: part,
	}.run()
}

// Syrk computes the triangle ul of C := alpha A Aᵀ + beta C (NoTrans) or
// alpha Aᵀ A + beta C (T), in n²k operations for C of n×n and A of n×k or k×n. It
// panics for other shapes. C must not share memory with A.
func Syrk(ul Uplo, t Trans, alpha float64, a Mat, beta float64, c Mat) {
	require(ul.valid() && c.isSquare(), "Syrk")
	gemm(ul, t, !t, alpha, a, a, beta, c, "Syrk")
}

// Symm computes C := alpha A B + beta C (Left) or alpha B A + beta C (Right) with a symmetric A, at
// the cost of Gemm. It reads only the triangle ul of A. It panics for shapes that do not fit. C
// must not share memory with A or B.
func Symm(side Side, ul Uplo, alpha float64, a, b Mat, beta float64, c Mat) {
	require(side.valid() && ul.valid() && a.isSquare() && b.valid() && c.valid() &&
		b.Rows == c.Rows && b.Cols == c.Cols, "Symm")
	s := operand{data: a.Data, rs: a.Stride, cs: 1, tri: ul}
	p := product{m: c.Rows, n: c.Cols, k: a.Rows, alpha: alpha, beta: beta, c: c.Data, ldc: c.Stride}
	if side == Left {
		require(a.Rows == b.Rows, "Symm")
		p.a, p.b = s, operandOf(b, T)
	} else {
		require(a.Rows == b.Cols, "Symm")
		p.a, p.b = operandOf(b, NoTrans), s
	}
	p.run()
}
