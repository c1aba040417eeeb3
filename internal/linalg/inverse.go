package linalg

// inversePanel is the number of columns of the inverse that are computed at a time.
const inversePanel = 256

// CholeskyInverse replaces the upper factor U of A = UᵀU, from Cholesky, by the upper triangle of A⁻¹ = XXᵀ with X =
// U⁻¹, in 2n³/3 operations (Higham 2002, Accuracy and stability of numerical algorithms, section 14.3). It panics if a
// is not square.
func CholeskyInverse(a Mat) {
	require(a.isSquare(), "CholeskyInverse")
	invertUpper(a)
	squareUpper(a)
}

// invertUpper replaces an upper triangle by its inverse: of its halves, and −U₁₁⁻¹ U₁₂ U₂₂⁻¹ between them.
func invertUpper(a Mat) {
	n := a.Rows
	if n <= trsmLeaf {
		x := NewMat(n, n)
		for i := range n {
			x.Row(i)[i] = 1
		}
		Trsm(Left, Upper, NoTrans, 1, a, x)
		for i := range n {
			copy(a.Row(i)[i:], x.Row(i)[i:])
		}
		return
	}
	h := roundUp(n/2, trsmLeaf)
	a11, a12, a22 := a.Slice(0, h, 0, h), a.Slice(0, h, h, n), a.Slice(h, n, h, n)
	Trsm(Left, Upper, NoTrans, -1, a11, a12)
	Trsm(Right, Upper, NoTrans, 1, a22, a12)
	invertUpper(a11)
	invertUpper(a22)
}

// squareUpper replaces an upper triangle X by that of XXᵀ, a panel of columns after the other: a panel needs only the
// columns of X from its first one on.
func squareUpper(a Mat) {
	n := a.Rows
	most := min(n, inversePanel)
	rows, above := NewMat(most, n), NewMat(n, most)
	for lo := 0; lo < n; lo += inversePanel {
		hi := min(n, lo+inversePanel)
		own, product := rows.Slice(0, hi-lo, lo, n), above.Slice(0, hi, 0, hi-lo)
		for i := range own.Rows {
			clear(own.Row(i)[:i])
			copy(own.Row(i)[i:], a.Row(lo + i)[lo+i:n])
		}
		Gemm(NoTrans, T, 1, a.Slice(0, lo, lo, n), own, 0, product.Slice(0, lo, 0, hi-lo))
		Syrk(Upper, NoTrans, 1, own, 0, product.Slice(lo, hi, 0, hi-lo))
		for i := range hi {
			from := max(lo, i)
			copy(a.Row(i)[from:hi], product.Row(i)[from-lo:])
		}
	}
}
