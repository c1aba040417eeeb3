package linalg

import "pairrank/internal/parallel"

// trsmLeaf is the order at which the recursion over the triangle ends, a multiple of the
// sides of the tiles of every kernel, so that products between leaves have no tiles that
// are partly empty; trsmStrip is the number of right-hand sides that a leaf solves at a
// time.
const (
	trsmLeaf  = 48
	trsmStrip = 128
	trsmFew   = 3 // so few right-hand sides are solved one by one
)

// Trsm computes B := alpha op(A)⁻¹ B (Left) or alpha B op(A)⁻¹ (Right), A
// triangular with its diagonal stored. It takes n²m operations for A of order
// n and m right-hand sides, most of them in Gemm: the triangle is halved
// recursively. A zero on the diagonal gives infinities and NaN. It
// panics for shapes that do not fit.
func Trsm(side Side, ul Uplo, t Trans, alpha float64, a, b Mat) {
	require(side.valid() && ul.valid() && a.isSquare() && b.valid(), "Trsm")
	n, m := b.Rows, b.Cols
	if side == Right {
		n, m = m, n
	}
	require(a.Rows == n, "Trsm")
	if n == 0 || m == 0 {
		return
	}
	if alpha == 0 {
		for i := range b.Rows {
			clear(b.Row(i))
		}
		return
	}
	if m <= trsmFew {
		trsmVectors(side, ul, t, alpha, a, b)
		return
	}
	trsm(side, ul, t, alpha, a, b)
}

// trsmVectors solves for each column of B, or for each row: x op(A) = b is
// op(A)ᵀ xᵀ = bᵀ.
func trsmVectors(side Side, ul Uplo, t Trans, alpha float64, a, b Mat) {
	if side == Right {
		for i := range b.Rows {
			Scal(alpha, b.Row(i))
			Trsv(ul, !t, a, b.Row(i))
		}
		return
	}
	p := borrow(b.Rows)
	x := *p
	for j := range b.Cols {
		for i := range x {
			x[i] = alpha * b.Data[i*b.Stride+j]
		}
		Trsv(ul, t, a, x)
		for i, v := range x {
			b.Data[i*b.Stride+j] = v
		}
	}
	giveBack(p)
}

func trsm(side Side, ul Uplo, t Trans, alpha float64, a, b Mat) {
	n := a.Rows
	if n <= trsmLeaf {
		trsmLeaves(side, ul, t, alpha, a, b)
		return
	}
	h := roundUp(n/2, trsmLeaf)
	a11, a22 := a.Slice(0, h, 0, h), a.Slice(h, n, h, n)
	off := a.Slice(0, h, h, n)
	if ul == Lower {
		off = a.Slice(h, n, 0, h)
	}
	lower := (ul == Lower) == (t == NoTrans) // op(A) is lower triangular
	if side == Left {
		b1, b2 := b.Slice(0, h, 0, b.Cols), b.Slice(h, n, 0, b.Cols)
		if lower {
			trsm(side, ul, t, alpha, a11, b1)
			Gemm(t, NoTrans, -1, off, b1, alpha, b2)
			trsm(side, ul, t, 1, a22, b2)
		} else {
			trsm(side, ul, t, alpha, a22, b2)
			Gemm(t, NoTrans, -1, off, b2, alpha, b1)
			trsm(side, ul, t, 1, a11, b1)
		}
		return
	}
	b1, b2 := b.Slice(0, b.Rows, 0, h), b.Slice(0, b.Rows, h, n)
	if lower { // X L = B gives the last columns first
		trsm(side, ul, t, alpha, a22, b2)
		Gemm(NoTrans, t, -1, b2, off, alpha, b1)
		trsm(side, ul, t, 1, a11, b1)
	} else {
		trsm(side, ul, t, alpha, a11, b1)
		Gemm(NoTrans, t, -1, b1, off, alpha, b2)
		trsm(side, ul, t, 1, a22, b2)
	}
}

// leafSolver solves a small triangle for any number of right-hand sides,
// strip by strip: U X = alpha B or Uᵀ X = alpha B with an upper U copied from
// the caller's triangle.
type leafSolver struct {
	side    Side
	forward bool // the first unknown is found first
	u       Mat  // row i: the diagonal, and the others' multipliers with their sign changed
	alpha   float64
	b       Mat
}

// trsmLeaves solves with a triangle of at most trsmLeaf rows.
func trsmLeaves(side Side, ul Uplo, t Trans, alpha float64, a, b Mat) {
	n := a.Rows
	// For the right side op(A) is transposed: X op(A) = B is op(A)ᵀ Xᵀ = Bᵀ.
	transposed := bool(t) != (side == Right)
	u, up := borrowMat(n, n)
	s := leafSolver{
		side: side, alpha: alpha, b: b,
		forward: (ul == Lower) != transposed,
		u:       u,
	}
	for i := range n {
		row := u.Row(i)
		for j := range n {
			p, q := i, j
			if transposed {
				p, q = q, p
			}
			switch {
			case i == j:
				row[j] = a.Data[p*a.Stride+q]
			case s.forward == (j < i):
				row[j] = -a.Data[p*a.Stride+q]
			}
		}
	}
	rhs := b.Cols
	if side == Right {
		rhs = b.Rows
	}
	if float64(n)*float64(n)*float64(rhs) < serialFlops {
		for j := 0; j < rhs; j += trsmStrip {
			s.strip(j, min(rhs, j+trsmStrip))
		}
	} else {
		s.parallel(rhs)
	}
	giveBack(up)
}

func (s leafSolver) parallel(rhs int) {
	parallel.Chunks(rhs, trsmStrip, func(_, lo, hi int) { s.strip(lo, hi) })
}

// strip solves for the right-hand sides [lo,hi): columns of B, or rows of B
// that are turned into columns and back.
func (s leafSolver) strip(lo, hi int) {
	if s.side == Left {
		s.solve(s.b.Slice(0, s.b.Rows, lo, hi))
		return
	}
	rows := s.b.Slice(lo, hi, 0, s.b.Cols)
	x, p := borrowMat(rows.Cols, rows.Rows)
	transposeTo(x, rows)
	s.solve(x)
	transposeTo(rows, x)
	giveBack(p)
}

// solve is the substitution, one row of unknowns after the other.
func (s leafSolver) solve(x Mat) {
	n := x.Rows
	for step := range n {
		i, lo := step, 0
		if !s.forward {
			i = n - 1 - step
			lo = i + 1
		}
		row, xi := s.u.Row(i), x.Row(i)
		if s.alpha != 1 {
			Scal(s.alpha, xi)
		}
		found := x.Slice(lo, lo+step, 0, x.Cols)
		if active.chains && step > 0 { // the rows are near, and xi stays in registers
			active.addRows(row[lo:lo+step], inOrder[:step], found.Data, found.Stride, xi)
		} else {
			addRows(row[lo:lo+step], found, xi)
		}
		divideBy(row[i], xi)
	}
}

// addRows adds Σ c[r] (row r of a) to y, four rows at a time.
func addRows(c []float64, a Mat, y []float64) {
	r := 0
	for ; r+4 <= len(c); r += 4 {
		active.axpy4(c[r], c[r+1], c[r+2], c[r+3], a.Data[r*a.Stride:], a.Stride, y)
	}
	for ; r < len(c); r++ {
		Axpy(c[r], a.Row(r), y)
	}
}
