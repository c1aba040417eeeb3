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

// NewTridiagonal returns the workspace for matrices of order n: O(n²) numbers.
func NewTridiagonal(n int) *Tridiagonal {
	return &Tridiagonal{
		n: n, d: make([]float64, n), e: make([]float64, n),
		h: reflectors{rows: NewMat(n, n), tau: make([]float64, max(0, n-1))},
		r: newReducer(n),
	}
}

// Reduce finds Q and T of the symmetric a, whose upper triangle is read and nothing is written, in
// 4n³/3 operations. It panics if the order of a is not that of the workspace.
func (t *Tridiagonal) Reduce(a Mat) {
	require(a.isSquare() && a.Rows == t.n, "Tridiagonal.Reduce")
	for i := range t.n {
		copy(t.h.rows.Row(i)[i:], a.Row(i)[i:])
	}
	t.r.reduce(t.h.rows, t.d, t.e, t.h.tau)
}

// MulQT replaces every row x of b by Qᵀx, that is B := BQ; 2n² operations a row. It
// panics if the rows are not of length n.
func (t *Tridiagonal) MulQT(b Mat) {
	require(b.valid() && (b.Cols == t.n || b.Rows == 0), "Tridiagonal.MulQT")
	t.h.mulQ(b, T)
}

// MulQ replaces every row x of b by Qx, that is B := BQᵀ; 2n² operations a row. It
// panics if the rows are not of length n.
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

// SolveShiftedTo solves (T+λI) x = b for every λ: row l of dst is the solution for lambdas[l], with
// the bits of SolveShifted. It solves four systems in one loop, so that their divisions do not wait
// for each other. bad lists the λ for which a pivot is not positive; it is nil in the usual case.
func (t *Tridiagonal) SolveShiftedTo(dst Mat, lambdas, b []float64) (bad []int) {
	n := t.n
	require(dst.valid() && dst.Rows == len(lambdas) && dst.Cols == n && len(b) >= n, "Tridiagonal.SolveShiftedTo")
	p := borrow(4 * n)
	defer giveBack(p)
	l := 0
	for ; l+4 <= len(lambdas); l += 4 {
		rows := [4][]float64{dst.Row(l), dst.Row(l + 1), dst.Row(l + 2), dst.Row(l + 3)}
		if !solveShifted4(t.d, t.e, [4]float64(lambdas[l:l+4]), rows, b[:n], *p) {
			for k, row := range rows {
				if !solveShifted(t.d, t.e, lambdas[l+k], row, b[:n], *p) {
					bad = append(bad, l+k)
				}
			}
		}
	}
	for ; l < len(lambdas); l++ {
		if !solveShifted(t.d, t.e, lambdas[l], dst.Row(l), b[:n], *p) {
			bad = append(bad, l)
		}
	}
	return bad
}

// solveShifted4 is solveShifted for four λ; l has room for 4n numbers.
func solveShifted4(d, e []float64, lambda [4]float64, dst [4][]float64, b, l []float64) bool {
	n := len(d)
	l0, l1, l2, l3 := l[:n], l[n:2*n], l[2*n:3*n], l[3*n:4*n]
	x0, x1, x2, x3 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n]
	var c0, c1, c2, c3, z0, z1, z2, z3 float64
	for i, v := range d {
		p0, p1, p2, p3 := v+lambda[0]-c0, v+lambda[1]-c1, v+lambda[2]-c2, v+lambda[3]-c3
		if !(p0 > 0 && p1 > 0 && p2 > 0 && p3 > 0) {
			return false
		}
		r0, r1, r2, r3 := 1/p0, 1/p1, 1/p2, 1/p3
		z0, z1, z2, z3 = b[i]-z0, b[i]-z1, b[i]-z2, b[i]-z3
		x0[i], x1[i], x2[i], x3[i] = z0*r0, z1*r1, z2*r2, z3*r3
		if i+1 < n {
			f := e[i]
			l0[i], l1[i], l2[i], l3[i] = f*r0, f*r1, f*r2, f*r3
			c0, c1, c2, c3 = l0[i]*f, l1[i]*f, l2[i]*f, l3[i]*f
			z0, z1, z2, z3 = z0*l0[i], z1*l1[i], z2*l2[i], z3*l3[i]
		}
	}
	for i := n - 2; i >= 0; i-- {
		x0[i] -= l0[i] * x0[i+1]
		x1[i] -= l1[i] * x1[i+1]
		x2[i] -= l2[i] * x2[i+1]
		x3[i] -= l3[i] * x3[i+1]
	}
	return true
}

// solveShifted keeps the multipliers of L in l.
func solveShifted(d, e []float64, lambda float64, dst, b, l []float64) bool {
	coupled, z := 0.0, 0.0 // the update of pivot and right side by the row before
	for i, v := range d {
		pivot := v + lambda - coupled
		if !(pivot > 0) {
			return false
		}
		inverse := 1 / pivot
		z = b[i] - z
		dst[i] = z * inverse
		if i+1 < len(d) {
			l[i] = e[i] * inverse
			coupled = l[i] * e[i]
			z *= l[i]
		}
	}
	for i := len(d) - 2; i >= 0; i-- {
		dst[i] -= l[i] * dst[i+1]
	}
	return true
}
