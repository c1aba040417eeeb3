package linalg

const (
	// choleskyLeaf is the order up to which Cholesky does not recurse.
	choleskyLeaf = 64
	// choleskyPanel is the number of rows of the factor that are computed at a time. Each panel is
	// packed once for its whole update of the rest; halving would pack at every level, and a
	// narrower panel would pass over the rest more often.
	choleskyPanel = 128
)

// Cholesky replaces the triangle ul of a symmetric positive definite A by its
// factor: A = UᵀU (Upper) or A = LLᵀ (Lower), n³/3 operations (Golub and Van Loan
// 2013, Matrix computations, section 4.2). It panics if A is not square. If A is not
// positive definite, ok is false, pivot is the index of the first pivot that
// is not positive (or is NaN), and the triangle holds an unfinished factor;
// else pivot is n.
func Cholesky(ul Uplo, a Mat) (pivot int, ok bool) {
	require(ul.valid() && a.isSquare(), "Cholesky")
	pivot = cholesky(ul, a)
	return pivot, pivot == a.Rows
}

// cholesky splits a panel from a large matrix and halves a small one, recursively. It returns the
// first bad pivot or n.
func cholesky(ul Uplo, a Mat) int {
	n := a.Rows
	if n <= choleskyLeaf {
		if ul == Upper {
			return choleskyUpper(a)
		}
		return choleskyLower(a)
	}
	h := roundUp(n/2, 8)
	if 2*n > 3*choleskyPanel {
		h = choleskyPanel
	}
	a11, a22 := a.Slice(0, h, 0, h), a.Slice(h, n, h, n)
	if p := cholesky(ul, a11); p < h {
		return p
	}
	if ul == Upper {
		off := a.Slice(0, h, h, n)
		trsm(Left, Upper, T, 1, a11, off)
		Syrk(Upper, T, -1, off, 1, a22)
	} else {
		off := a.Slice(h, n, 0, h)
		trsm(Right, Lower, T, 1, a11, off)
		Syrk(Lower, NoTrans, -1, off, 1, a22)
	}
	return h + cholesky(ul, a22)
}

// CholeskySolve computes B := A⁻¹ B from the factor that Cholesky left in the
// triangle ul of a, 2n² operations a column. It panics unless B has n rows.
func CholeskySolve(ul Uplo, a Mat, b Mat) {
	require(ul.valid() && a.isSquare() && b.valid() && a.Rows == b.Rows, "CholeskySolve")
	if ul == Upper {
		Trsm(Left, Upper, T, 1, a, b)
		Trsm(Left, Upper, NoTrans, 1, a, b)
	} else {
		Trsm(Left, Lower, NoTrans, 1, a, b)
		Trsm(Left, Lower, T, 1, a, b)
	}
}
