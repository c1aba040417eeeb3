package kron

import (
	"context"
	"fmt"
	"math"

	"pairrank/internal/linalg"
)

// Edge is a pair of a row and a column node.
type Edge struct{ Row, Col int }

// HoldOutBoth calls emit with the score of each given pair from a training without all edges of its row and of
// its column: setting 4, exactly, for the regression loss of an arbitrary relation. It returns a *NotExactError
// for other losses and relations, and the error of ctx. It panics when a pair is not in p×r, or λ is not
// positive and finite.
//
// Every pair is a separate problem of p + r − 1 edges, coupled only by the matrix T_kl = u_ik m_kl v_jl. M is a
// sum of s products up to rounding (a Cauchy matrix; s grows with the logarithm of the condition number, and is
// 5 to 80). So a pair is a system of s unknowns, made in O((p + r)s) and solved in O(s³): see coupled. If that
// takes longer, as with few nodes, the edges of the row are eliminated and those of the column solved for by a
// Cholesky factorisation, O(p²r + p³/3) a pair. In addition, HoldOutBoth takes some products once for all
// pairs.
//
// A pair of 1000 × 1000 nodes takes 22 µs of one core on average, with a factorisation 50 ms; all of them take
// 22 s for each λ, and would take less only if the eigenvectors were smooth. The scores agree with training again
// to ten digits or more, and for small λ keep digits that the factorisation loses.
func (p *Path) HoldOutBoth(ctx context.Context, lambda float64, pairs []Edge, emit func(k int, score float64)) error {
	checkLambda(lambda)
	if p.o.Relation != Arbitrary || p.o.Loss != Regression {
		return &NotExactError{Both, "leaving out a row with a column is for the regression loss of an arbitrary " +
			"relation"}
	}
	holes := make([]hole, len(pairs))
	for h, e := range pairs {
		if e.Row < 0 || e.Row >= p.y.Rows || e.Col < 0 || e.Col >= p.y.Cols {
			panic(fmt.Sprintf("kron: pair (%d,%d) of %d×%d", e.Row, e.Col, p.y.Rows, p.y.Cols))
		}
		holes[h] = hole{e.Row, e.Col, -1}
	}
	return p.leavesBoth(lambda, 1).holdOut(ctx, holes, func(h int, delta float64) {
		emit(h, p.y.Row(pairs[h].Row)[pairs[h].Col]-delta)
	})
}

// marginsOfBoth leaves out the row and both columns of each pair.
func (p *Path) marginsOfBoth(lambda float64) MarginsTo {
	if p.o.Loss == Ranking && p.y.Cols == 2 { // no edges are left to learn an order from
		return func(ctx context.Context, dst []float64, _ []Compared) error {
			clear(dst)
			return ctx.Err()
		}
	}
	bound := (lostOfBoth + offBy(p.rows.size*p.cols.size, lambda)) * widest(linalg.Mat(*p.y))
	leaver := p.leavesBoth(lambda, 2)
	return func(ctx context.Context, dst []float64, pairs []Compared) error {
		holes := make([]hole, len(pairs))
		for h, c := range pairs {
			holes[h] = hole{int(c.Row), int(c.A), int(c.B)}
		}
		return leaver.holdOut(ctx, holes, func(h int, delta float64) {
			y, c := p.y.Row(int(pairs[h].Row)), pairs[h]
			dst[h] = orTied(y[c.A]-y[c.B]-math.Sqrt2*delta, bound)
		})
	}
}

// lostOfBoth bounds the errors of scores relative to the labels: skeletonError, and the loss in the system.
const lostOfBoth = 0x1p-36

// hole is a row with one column (b < 0) or two. Two columns are represented by their difference and their sum
// over √2, which keeps the digits of the difference if the columns are nearly equal.
type hole struct{ row, a, b int }

// combine sets dst_c to the combinations of the rows of m for the columns of hole h.
func (h hole) combine(m linalg.Mat, dst [][]float64) {
	if h.b < 0 {
		copy(dst[0], m.Row(h.a))
		return
	}
	x, y := m.Row(h.a), m.Row(h.b)
	less, more := dst[0][:len(x)], dst[1][:len(x)]
	for l, v := range x {
		less[l], more[l] = (v-y[l])*(1/math.Sqrt2), (v+y[l])*(1/math.Sqrt2)
	}
}

// leaver calls emit with δ of the first combination of columns of each hole.
type leaver interface {
	holdOut(ctx context.Context, holes []hole, emit func(h int, delta float64)) error
}

// leavesBoth returns the leaver for holes with this many columns.
func (p *Path) leavesBoth(lambda float64, columns int) leaver {
	b := newBoth(p, lambda, columns)
	s, ok := newSkeleton(p.rows.d, p.cols.d, lambda, mostOf(p.y.Rows, p.y.Cols))
	if ok && coupledWork(s.a.Cols, p.y.Rows, p.y.Cols, columns) < choleskyWork(p.y.Rows, p.y.Cols, columns) {
		return newCoupled(b, s)
	}
	return newCholesky(b)
}

// BothWork returns the approximate number of multiplications for leaving out a row with one or two columns, for
// a λ > 0 and this many rows and columns, with the eigenvalues of the path's kernels: by the s unknowns of a
// column in its system, or by the Cholesky factorisation. The counts are calibrated to loops that do some
// 3.3·10⁹ multiplications a second on one core; products of large matrices are eight times as fast. It costs
// O(s(p + r)). It panics unless λ is positive and finite.
func (p *Path) BothWork(lambda float64, rows, cols, columns int) float64 {
	checkLambda(lambda)
	work := choleskyWork(rows, cols, columns)
	if at, _, ok := crossing(p.rows.d, p.cols.d, lambda, mostOf(rows, cols)); ok {
		work = min(work, coupledWork(len(at), rows, cols, columns))
	}
	return work
}

// coupledWork and choleskyWork are BothWork of the two ways.
func coupledWork(unknowns, rows, cols, columns int) float64 {
	c, s, nodes := float64(columns), float64(unknowns), float64(rows+cols)
	all := c * s
	return 3000 + c*(8+1.2*all)*nodes + (45+0.7*all)*all*all
}

func choleskyWork(rows, cols, columns int) float64 {
	n, m := float64(columns*rows), float64(cols)
	return 3000 + 20*n*m + (n*n*m+n*n*n/3)/8
}

// mostOf is the largest number of unknowns of a column for which a hole in this many rows and columns is solved
// as a small system.
func mostOf(rows, cols int) int { return min(rows, cols, mostUnknowns) }

// both is what the holes of a λ share: the eigenvectors with a row for each node, and Q and a in their coordinates, for
// the nodes of the holes so far.
type both struct {
	p       *Path
	lambda  float64
	columns int        // of a hole
	u, v    linalg.Mat // rows u_i and v_j
	m, mid  linalg.Mat // M and E ∘ M
	inverse linalg.Mat // p×r: 1/n, n = Σ_k u_ik² m_kl the diagonal of Q for the edges of row i
	a1      linalg.Mat // p×r: a_i in the eigenvectors of the columns
	a2      linalg.Mat // r×p: a_j in the eigenvectors of the rows
	single  linalg.Mat // r×p: for two columns Σ_l v_jl² m_kl of each
	made    [2][]bool  // the rows and columns that these have
}

func newBoth(p *Path, lambda float64, columns int) *both {
	b := &both{p: p, lambda: lambda, columns: columns, u: p.rows.turned(), v: p.cols.turned(), m: p.middle(lambda)}
	b.mid = b.m.Clone()
	times(b.mid, p.e)
	rows, cols := b.u.Rows, b.v.Rows
	b.inverse, b.a1 = linalg.NewMat(rows, b.m.Cols), linalg.NewMat(rows, b.m.Cols)
	b.a2 = linalg.NewMat(cols, b.m.Rows)
	if columns == 2 {
		b.single = linalg.NewMat(cols, b.m.Rows)
	}
	b.made = [2][]bool{make([]bool, rows), make([]bool, cols)}
	return b
}

// take makes Q and a for the nodes of some holes, by products of as many rows as these have nodes that are new.
func (b *both) take(holes []hole) {
	var rows, cols []int
	add := func(list []int, side, node int) []int {
		if node < 0 || b.made[side][node] {
			return list
		}
		b.made[side][node] = true
		return append(list, node)
	}
	for _, h := range holes {
		rows, cols = add(rows, 0, h.row), add(add(cols, 1, h.a), 1, h.b)
	}
	if len(rows) > 0 {
		u := some(b.u, rows)
		put(b.a1, rows, u.Mul(b.mid))
		times(u, u)
		n := u.Mul(b.m)
		invert(n)
		put(b.inverse, rows, n)
	}
	if len(cols) > 0 {
		v := some(b.v, cols)
		put(b.a2, cols, v.MulT(b.mid))
		if b.columns == 2 {
			times(v, v)
			put(b.single, cols, v.MulT(b.m))
		}
	}
}

// some are the given rows of a matrix; put writes them.
func some(a linalg.Mat, rows []int) linalg.Mat {
	out := linalg.NewMat(len(rows), a.Cols)
	for k, i := range rows {
		copy(out.Row(k), a.Row(i))
	}
	return out
}

func put(dst linalg.Mat, rows []int, a linalg.Mat) {
	for k, i := range rows {
		copy(dst.Row(i), a.Row(k))
	}
}

// vectors returns some vectors of n numbers each.
func vectors(some, n int) [][]float64 {
	m := linalg.NewMat(some, n)
	out := make([][]float64, some)
	for c := range out {
		out[c] = m.Row(c)
	}
	return out
}

// cholesky leaves out one hole after another. After eliminating the edges of the row, the edges of the c
// columns have the matrix of blocks U₁N_cdU₁ᵀ, N_cd = diag(q_cd) − T_c diag(1/n) T_dᵀ with T_c = diag(u_i) M
// diag(v_c) and q_cd = M(v_c ∘ v_d).
type cholesky struct {
	*both
	t, scaled, n linalg.Mat
	w, z         [][]float64 // v_c and a_c of a hole
	product      []float64
}

func newCholesky(b *both) *cholesky {
	p, r, c := len(b.p.rows.d), b.v.Cols, b.columns
	return &cholesky{
		both: b,
		t:    linalg.NewMat(c*p, r), scaled: linalg.NewMat(c*p, r), n: linalg.NewMat(c*p, c*p),
		w: vectors(c, r), z: vectors(c, p), product: make([]float64, r),
	}
}

func (c *cholesky) holdOut(ctx context.Context, holes []hole, emit func(h int, delta float64)) error {
	c.take(holes)
	for h, hole := range holes {
		if err := ctx.Err(); err != nil {
			return err
		}
		emit(h, c.delta(hole))
	}
	return nil
}

// delta solves Q_HH δ = a_H.
func (c *cholesky) delta(h hole) float64 {
	ui, inverse, ar := c.u.Row(h.row), c.inverse.Row(h.row), c.a1.Row(h.row)
	h.combine(c.both.v, c.w)
	h.combine(c.a2, c.z)
	c.couple(ui, inverse)
	// The columns less the part that the row explains; the entries of the common edges are 0.
	scaled := make([]float64, len(ar))
	for l, v := range ar {
		scaled[l] = v * inverse[l]
	}
	z := make([]float64, c.n.Rows)
	for d, column := range c.z {
		copy(z[d*len(ui):], column)
	}
	linalg.Gemv(linalg.NoTrans, -1, c.t, scaled, 1, z)
	for d := range c.z {
		own := z[d*len(ui) : (d+1)*len(ui)]
		linalg.Axpy(-linalg.Dot(own, ui), ui, own) // rounding
	}
	linalg.CholeskySolve(linalg.Lower, c.n, linalg.Column(z))
	rest := append([]float64(nil), ar...)
	linalg.Gemv(linalg.T, -1, c.t, z, 1, rest)
	delta := 0.0
	for l, v := range rest {
		delta += c.w[0][l] * inverse[l] * v
	}
	return delta
}

// couple sets T and the factor of N. The edges common to row and columns make N singular along u_i in each
// block. couple adds a multiple of u_i u_iᵀ, which changes no result, since no other vector has a component
// along u_i.
func (c *cholesky) couple(ui, inverse []float64) {
	p := len(ui)
	for d, v := range c.w {
		for k, u := range ui {
			row := c.t.Row(d*p + k)
			for l, m := range c.m.Row(k) {
				row[l] = u * m * v[l]
			}
		}
	}
	for k := range c.t.Rows {
		copy(c.scaled.Row(k), c.t.Row(k))
	}
	scaleCols(c.scaled, inverse)
	linalg.Gemmt(linalg.Lower, linalg.NoTrans, linalg.T, -1, c.scaled, c.t, 0, c.n)
	for d, v := range c.w {
		for e := range d + 1 {
			for l, w := range c.w[e] {
				c.product[l] = v[l] * w
			}
			size := 0.0
			for k := range p {
				q := linalg.Dot(c.m.Row(k), c.product)
				size = max(size, q)
				c.n.Row(d*p + k)[e*p+k] += q
			}
			if d == e {
				for k, u := range ui {
					linalg.Axpy(size*u, ui[:k+1], c.n.Row(d*p + k)[d*p:d*p+k+1])
				}
			}
		}
	}
	linalg.Cholesky(linalg.Lower, c.n)
}
