package linalg

import "pairrank/internal/parallel"

// panelWidth is the number of rows that are reduced before the rest of the
// matrix is updated; small matrices take two at a time.
const (
	panelWidth  = 32
	panelNarrow = 2
	panelSmall  = 96 // matrices up to this order use panelNarrow
)

// reducer brings the upper triangle of a symmetric matrix to tridiagonal form by Householder
// reflectors, in panels of rows. Inside a panel the matrix itself does not change: with the vectors
// V and W so far, it stands for A - VᵀW - WᵀV, and only the current row and product with a vector
// are updated. Half of the 4n³/3 operations are products with vectors, which wait for memory.
// (Dongarra, Sorensen and Hammarling, Block reduction of matrices to condensed forms for eigenvalue
// computations, 1989.)
type reducer struct {
	a     Mat
	width int
	pairs Mat // rows 2p and 2p+1 are v_p and w_p, over the panel's columns
	other Mat // the same with each pair exchanged
	sums  []float64
	coefs []float64

	piece func(worker, q int) // of a row
	now   reduced
	tell  func(share float64) // hears the share of the operations that is done; nil is nobody
}

// reduced is the current row: its reflector, and the rows and columns after it.
type reduced struct {
	i     int
	v     []float64
	rest  Mat
	parts int // of the product with rest
}

func newReducer(n int) *reducer {
	width := panelWidth
	if n <= panelSmall {
		width = panelNarrow
	}
	work := make([]float64, 4*width*n+symvParts*n+2*width)
	r := &reducer{width: width}
	r.pairs, work = matIn(work, 2*width, n)
	r.other, work = matIn(work, 2*width, n)
	r.sums, r.coefs = work[:symvParts*n], work[symvParts*n:]
	r.piece = func(_, q int) {
		if q < r.now.parts {
			symvPart(Upper, r.now.rest, r.now.v, r.sums, r.now.parts, q)
		} else {
			r.dots()
		}
	}
	return r
}

// reduce leaves the diagonal in d, the off-diagonal in e, and the reflectors
// in the rows of a above the diagonal and in tau.
func (r *reducer) reduce(a Mat, d, e, tau []float64) {
	r.a = a
	n := a.Rows
	for i0 := 0; i0 < n-1; i0 += r.width {
		w := min(r.width, n-1-i0)
		for i := range w {
			r.row(i0, i, d, e, tau)
		}
		r.update(i0, w)
		if r.tell != nil {
			left := float64(n-i0-w) / float64(n)
			r.tell(1 - left*left*left)
		}
	}
	if n > 0 {
		d[n-1] = a.Data[(n-1)*a.Stride+n-1]
	}
}

// row reduces row i0+i, the i-th of the panel that begins at i0. Columns are
// counted from i0.
func (r *reducer) row(i0, i int, d, e, tau []float64) {
	a, n := r.a, r.a.Rows
	m := n - i0
	row := a.Data[(i0+i)*a.Stride+i0:][:m]
	if i > 0 {
		r.refresh(row, i)
	}
	d[i0+i] = row[i]
	v := row[i+1:]
	e[i0+i], tau[i0+i] = reflector(v)

	vp, wp := r.pairs.Row(2 * i)[:m], r.pairs.Row(2*i + 1)[:m]
	clear(vp[:i+1])
	copy(vp[i+1:], v)
	clear(wp[:i+1])
	y := wp[i+1:]
	if tau[i0+i] == 0 {
		clear(y)
		return
	}
	r.now = reduced{i, v, a.Slice(i0+i+1, n, i0+i+1, n), symvCount(n - i0 - i - 1)}
	r.product(y)
	Scal(tau[i0+i], y)
	Axpy(-0.5*tau[i0+i]*Dot(y, v), v, y)
}

// refresh brings row i of the panel up to date: row -= w_p[i] v_p + v_p[i] w_p.
func (r *reducer) refresh(row []float64, i int) {
	before := r.pairs.Slice(0, 2*i, i, len(row))
	for p := range i {
		r.coefs[2*p], r.coefs[2*p+1] = -before.Row(2*p + 1)[0], -before.Row(2 * p)[0]
	}
	addRows(r.coefs[:2*i], before, row[i:])
}

// product sets y to Av minus the pending updates of A, v_p (w_p·v) + w_p (v_p·v). Their
// coefficients are stored next to the parts of Av.
func (r *reducer) product(y []float64) {
	now := &r.now
	if n := len(y); now.parts < 2 || n*n < 2*level2Serial {
		symvTo(y, Upper, now.rest, now.v, r.sums)
		r.dots()
	} else {
		parallel.For(now.parts+1, r.piece)
		symvSum(y, Upper, r.sums, now.parts)
	}
	if now.i > 0 {
		addRows(r.coefs[:2*now.i], r.before(), y)
	}
}

// before is the vectors of the rows of the panel so far, v_p and w_p in turn.
func (r *reducer) before() Mat {
	return r.pairs.Slice(0, 2*r.now.i, r.now.i+1, r.now.i+1+len(r.now.v))
}

// dots sets the coefficients of these vectors in the product.
func (r *reducer) dots() {
	i := r.now.i
	dots := r.coefs[:2*i]
	if i == 0 {
		return
	}
	clear(dots)
	gemvRows(-1, r.before(), r.now.v, dots)
	for p := range i {
		dots[2*p], dots[2*p+1] = dots[2*p+1], dots[2*p]
	}
}

// update subtracts VᵀW + WᵀV of a whole panel from the rows below it.
func (r *reducer) update(i0, w int) {
	a, n := r.a, r.a.Rows
	m := n - i0
	rest := a.Slice(i0+w, n, i0+w, n)
	pairs := r.pairs.Slice(0, 2*w, w, m)
	if 2*w == 4 {
		p := pairs.Data
		for i := range rest.Rows {
			active.axpy4(-p[pairs.Stride+i], -p[i], -p[3*pairs.Stride+i], -p[2*pairs.Stride+i],
				p[i:], pairs.Stride, rest.Row(i)[i:])
		}
		return
	}
	other := r.other.Slice(0, 2*w, 0, rest.Rows)
	for p := range 2 * w {
		copy(other.Row(p), pairs.Row(p^1))
	}
	Gemmt(Upper, T, NoTrans, -1, pairs, other, 1, rest)
}
