package linalg

// Tridiagonal is the form A = Q T Qᵀ of a symmetric matrix, T tridiagonal and
// Q orthogonal. Once it is found, (A+λI)x = b costs two products with Q and,
// for each λ, O(n). It is a workspace: Reduce may be called again and again
// without allocating. Small matrices are reduced on the caller's goroutine.
// After Reduce the other methods may be called from several goroutines.
type Tridiagonal struct {
	n    int
	d, e []float64 // diagonal and off-diagonal of T
	h    reflectors
	r    *reducer
}

// NewTridiagonal is the workspace for matrices of order n.
func NewTridiagonal(n int) *Tridiagonal {
	return &Tridiagonal{
		n: n, d: make([]float64, n), e: make([]float64, n),
		h: reflectors{rows: NewMat(n, n), tau: make([]float64, max(0, n-1))},
		r: newReducer(n),
	}
}

// Reduce finds Q and T of the symmetric a, of which the upper triangle is
// read and nothing is written, in 4n³/3 operations. It panics if the order of
// a is not that of the workspace.
func (t *Tridiagonal) Reduce(a Mat) {
	require(a.isSquare() && a.Rows == t.n, "Tridiagonal.Reduce")
	for i := range t.n {
		copy(t.h.rows.Row(i)[i:], a.Row(i)[i:])
	}
	t.r.reduce(t.h.rows, t.d, t.e, t.h.tau)
}

// MulQT replaces every row x of b by Qᵀx, that is B := BQ; 2n² operations a row.
func (t *Tridiagonal) MulQT(b Mat) {
	require(b.valid() && (b.Cols == t.n || b.Rows == 0), "Tridiagonal.MulQT")
	t.h.mulQ(b, T)
}

// MulQ replaces every row x of b by Qx, that is B := BQᵀ; 2n² operations a row.
func (t *Tridiagonal) MulQ(b Mat) {
	require(b.valid() && (b.Cols == t.n || b.Rows == 0), "Tridiagonal.MulQ")
	t.h.mulQ(b, NoTrans)
}

// SolveShifted solves (T+λI) dst = b by LDLᵀ without pivoting, O(n). dst may
// be b. ok is false, and dst unfinished, if a pivot is not positive: T+λI is
// then not positive definite.
func (t *Tridiagonal) SolveShifted(lambda float64, dst, b []float64) (ok bool) {
	n := t.n
	require(len(dst) >= n && len(b) >= n, "Tridiagonal.SolveShifted")
	p := borrow(n)
	ok = solveShifted(t.d, t.e, lambda, dst[:n], b[:n], *p)
	giveBack(p)
	return ok
}

// solveShifted keeps the multipliers of L in l.
func solveShifted(d, e []float64, lambda float64, dst, b, l []float64) bool {
	coupled, z := 0.0, 0.0 // what the row before takes off pivot and right side
	for i, v := range d {
		pivot := v + lambda - coupled
		if !(pivot > 0) {
			return false
		}
		z = b[i] - z
		dst[i] = z / pivot
		if i+1 < len(d) {
			l[i] = e[i] / pivot
			coupled = l[i] * e[i]
			z *= l[i]
		}
	}
	for i := len(d) - 2; i >= 0; i-- {
		dst[i] -= l[i] * dst[i+1]
	}
	return true
}
