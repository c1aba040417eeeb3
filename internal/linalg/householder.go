package linalg

import "math"

// Vectors below tinyVector are scaled before a rotation or reflection is made
// of them: it would not be orthogonal if their digits got lost in underflow.
const (
	tinyVector = 0x1p-900
	tinyShift  = 800
)

// reflector turns x into the vector v, v[0] = 1, of the Householder reflector
// H = I - tau v vᵀ with H x = beta e₁. tau is 0 where x is such a multiple
// already. (Golub and Van Loan, Matrix Computations, 4th ed., 2013, §5.1.)
func reflector(x []float64) (beta, tau float64) {
	if size := MaxAbs(x); size < tinyVector && size > 0 {
		shiftExponent(x, tinyShift)
		beta, tau = reflector(x)
		return math.Ldexp(beta, -tinyShift), tau
	}
	below := 0.0
	if len(x) > 1 {
		below = Nrm2(x[1:])
	}
	alpha := x[0]
	if below == 0 {
		x[0] = 1
		return alpha, 0
	}
	beta = -math.Copysign(math.Hypot(alpha, below), alpha)
	tau = (beta - alpha) / beta
	divideBy(alpha-beta, x[1:])
	x[0] = 1
	return beta, tau
}

// reflectors are the Householder reflectors H_0 … H_{n-2} of a tridiagonal
// reduction, Q = H_0 H_1 … H_{n-2}: row i of rows holds v_i, with its leading
// one, in columns i+1 … n-1.
type reflectors struct {
	rows Mat
	tau  []float64
}

const (
	reflectorBlock = 240 // reflectors applied in one go
	reflectorStrip = 96  // of them at a time, where a triangle of zeros is left out
	reflectorFew   = 4   // so few vectors are reflected one by one
)

// mulQ replaces every row x of b by Qx, or by Qᵀx.
func (h reflectors) mulQ(b Mat, t Trans) {
	last := len(h.tau) - 1
	if last < 0 || b.Rows == 0 {
		return
	}
	if b.Rows <= reflectorFew {
		for i := range b.Rows {
			h.reflectVector(b.Row(i), t)
		}
		return
	}
	w := min(reflectorBlock, len(h.tau))
	work := borrow(2*w*w + w*(2*b.Rows+b.Cols))
	if t {
		for i0 := 0; i0 <= last; i0 += w {
			h.block(i0, min(w, last+1-i0), *work).apply(b, t)
		}
	} else {
		for i0 := last / w * w; i0 >= 0; i0 -= w {
			h.block(i0, min(w, last+1-i0), *work).apply(b, t)
		}
	}
	giveBack(work)
}

func (h reflectors) reflectVector(x []float64, t Trans) {
	n := len(h.tau)
	for step := range n {
		i := step
		if !t {
			i = n - 1 - step
		}
		v := h.rows.Data[i*h.rows.Stride+i+1 : i*h.rows.Stride+h.rows.Cols]
		Axpy(-h.tau[i]*Dot(v, x[i+1:]), v, x[i+1:])
	}
}

// reflectorGroup is the product of consecutive reflectors in the compact form
// I - VᵀTV, the rows of V being the vectors and T upper triangular.
// (Schreiber and Van Loan, A storage-efficient WY representation, 1989.)
type reflectorGroup struct {
	first int // the column of the group's first row
	v, t  Mat
	work  []float64
}

func (h reflectors) block(i0, w int, work []float64) reflectorGroup {
	n := h.rows.Cols - i0 - 1
	g := reflectorGroup{first: i0 + 1}
	g.v, work = matIn(work, w, n)
	g.t, work = matIn(work, w, w)
	s, work := matIn(work, w, w)
	g.work = work
	for p := range w {
		v := g.v.Row(p)
		clear(v[:p])
		copy(v[p:], h.rows.Data[(i0+p)*h.rows.Stride+i0+p+1:][:n-p])
	}
	Syrk(Lower, NoTrans, 1, g.v, 0, s)
	for j := range w { // column j of T from the columns before
		tau := h.tau[i0+j]
		for i := range j {
			g.t.Data[i*w+j] = -tau * Dot(g.t.Row(i)[i:j], s.Row(j)[i:j])
		}
		g.t.Data[j*w+j] = tau
		clear(g.t.Row(j)[:j])
	}
	return g
}

// apply replaces every row x of b by (I - VᵀTV)x, or by (I - VᵀTᵀV)x.
func (g reflectorGroup) apply(b Mat, t Trans) {
	x := b.Slice(0, b.Rows, g.first, b.Cols)
	xv, work := matIn(g.work, b.Rows, g.v.Rows)
	g.timesV(xv, x)
	if b.Rows >= g.v.Cols { // TV is the smaller of the two products with T
		tv, _ := matIn(work, g.v.Rows, g.v.Cols)
		g.triangleTimesV(tv, !t)
		Gemm(NoTrans, NoTrans, -1, xv, tv, 1, x)
		return
	}
	xvt, _ := matIn(work, b.Rows, g.v.Rows)
	Gemm(NoTrans, !t, 1, xv, g.t, 0, xvt)
	Gemm(NoTrans, NoTrans, -1, xvt, g.v, 1, x)
}

// timesV sets xv to X Vᵀ, the leading zeros of the rows of V left out up to the end of the first chain
// of blockK terms, so that the bits are those of the whole product.
func (g reflectorGroup) timesV(xv, x Mat) {
	w, n := g.v.Rows, g.v.Cols
	if w <= reflectorStrip {
		Gemm(NoTrans, T, 1, x, g.v, 0, xv)
		return
	}
	chain := min(n, blockK)
	for lo := 0; lo < w; lo += reflectorStrip {
		hi := min(w, lo+reflectorStrip)
		gemm(full, NoTrans, T, 1, x.Slice(0, x.Rows, lo, chain), g.v.Slice(lo, hi, lo, chain), 0,
			xv.Slice(0, x.Rows, lo, hi), "mulQ")
	}
	if chain < n {
		Gemm(NoTrans, T, 1, x.Slice(0, x.Rows, chain, n), g.v.Slice(0, w, chain, n), 1, xv)
	}
}

// triangleTimesV sets tv to op(T) V without the zeros of T.
func (g reflectorGroup) triangleTimesV(tv Mat, t Trans) {
	w := g.v.Rows
	for lo := 0; lo < w; lo += reflectorStrip {
		hi := min(w, lo+reflectorStrip)
		from, to, triangle := lo, w, Mat{}
		if t {
			from, to = 0, hi
			triangle = g.t.Slice(from, to, lo, hi)
		} else {
			triangle = g.t.Slice(lo, hi, from, to)
		}
		Gemm(t, NoTrans, 1, triangle, g.v.Slice(from, to, 0, g.v.Cols), 0, tv.Slice(lo, hi, 0, g.v.Cols))
	}
}

// matIn takes the memory of a rows×cols matrix off the front of work.
func matIn(work []float64, rows, cols int) (Mat, []float64) {
	return Mat{Rows: rows, Cols: cols, Stride: cols, Data: work[:rows*cols]}, work[rows*cols:]
}
