package pencil

import (
	"math"

	"pairrank/internal/linalg"
)

// Whole components H that have a small share of the problem are held out by conjugate gradients, for all λ at once,
//
//	(D⁻¹ − V_HᵀL_HHV_H) x = C − V_Hᵀr_H,    f'_H = V_H x
//
// preconditioned by D (Golub and Van Loan 2013, algorithm 11.5.1). The preconditioned matrix is I − E with
// E = D^½ V_HᵀL_HHV_H D^½, whose norm e is about the share of H times the effective dimensions over the root of their
// number. An iteration costs two products of 2hk multiplications a λ, and the error of x falls by about e/4.

// mostShare bounds e: beyond it a factorisation takes less.
const mostShare = 0.5

// mostTrace is the largest trace of E that is its bound: else it costs little to know the norm.
const mostTrace = mostShare / 4

// iterations is how many iterations reach the rounding from a share e.
func iterations(e float64) float64 { return math.Log(4/epsilon) / math.Log(4/min(e, mostShare)) }

// iteratesBest compares the multiplications of conjugate gradients for h rows with those of the other ways. Those of
// making a matrix tridiagonal count four times, since half of them are products with vectors. dimensions is the trace
// of AD at the least λ.
func (p *Pencil) iteratesBest(h, n int, dimensions float64) bool {
	k, rows, systems := float64(len(p.Eigenvalues)), float64(h), float64(n*p.Outputs())
	trace := dimensions * rows / float64(p.L.Dim())
	e := trace / math.Sqrt(min(rows, k))
	if h < 2 || n < 2 || e > mostShare {
		return false
	}
	work := rows*k*k + systems*2*rows*k*(1+iterations(e))
	if trace > mostTrace {
		work += rows * rows * k
	}
	lemma := rows*k*k + float64(n)*(rows*rows*k/2+rows*rows*rows/6) + systems*2*rows*k
	downdate := rows*k*k/2 + 4*2*k*k*k/3 + systems*(k*k+rows*k)
	return work < min(lemma, downdate)
}

// dimensions is the trace of AD at the least of some λ.
func (p *Pencil) dimensions(lambdas []float64) float64 {
	sum, least := 0.0, math.Inf(1)
	for _, lambda := range lambdas {
		least = min(least, lambda)
	}
	for _, d := range p.Eigenvalues {
		sum += d / (d + least)
	}
	return sum
}

// conjugate is the memory of conjugate gradients: a row for each system, that of output c at λ l in row l·v + c.
type conjugate struct {
	lw                   linalg.Mat    // L_HHV_H
	turned, plain        linalg.Packed // V_Hᵀ and L_HHV_H, for the products of all iterations
	right, x, r, p, q    linalg.Mat
	f                    linalg.Mat // systems × h
	rho, enough          []float64
	shares, squares, row []float64 // of each λ, and of each column
	e                    linalg.Mat
}

// holdOutByIterating holds out the rows h, whole components, and reports whether their share is small enough. s.res is
// that of the group.
func (p *Pencil) holdOutByIterating(s *scratch, source *primalRows, ho HoldOut, g int, h []int32) bool {
	n, k, v, c := len(h), len(p.Eigenvalues), p.Outputs(), &s.conjugate
	rows, ok := source.source.RowsView(h)
	if !ok {
		rows = sized(&s.scaled, n, k)
		source.source.RowsTo(rows, h)
	}
	own, w, lw := sized(&s.v, n, k), sized(&s.w, n, k), sized(&c.lw, n, k)
	source.turnTo(own, rows)
	source.centredTo(w, lw, own, h)
	if !p.sharesTo(c, s.res, w, lw) {
		return false
	}
	c.turned.Pack(linalg.T, w)
	c.plain.Pack(linalg.NoTrans, lw)
	p.iterate(c, s.res, w, h)
	addToRows(own, source.constant)
	systems := c.x.Rows
	scores := sized(&s.f, systems, n) // a λ after the other, each in one piece
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, c.x, own, 0, scores)
	s.products.prepare(p, c.x, rows)
	for _, pair := range s.products.equalRows(rows) { // which a product of all rows may round apart
		for l := range systems {
			row := scores.Row(l)
			row[pair[0]] = row[pair[1]]
		}
	}
	for l := range ho.Lambdas {
		f := outputColumns(&s.q, scores.Slice(l*v, (l+1)*v, 0, n))
		ho.Emit(g, l, f, s.conjugateRounding(p, l, f))
	}
	return true
}

// sharesTo sets, for each λ, a bound of e: the trace of E, or its Frobenius norm at the least λ. It reports whether all
// are at most mostShare.
func (p *Pencil) sharesTo(c *conjugate, res *resolvents, w, lw linalg.Mat) bool {
	n, k, least := w.Rows, w.Cols, 0
	c.squares, c.shares = grown(c.squares, k), grown(c.shares, len(res.lambdas))
	clear(c.squares)
	for a := range n {
		other := lw.Row(a)[:k]
		for j, x := range w.Row(a) {
			c.squares[j] += x * other[j]
		}
	}
	most := 0.0
	for l := range res.lambdas {
		c.shares[l] = linalg.Dot(c.squares, res.inverse.Row(l))
		most = max(most, c.shares[l])
		if res.lambdas[l] < res.lambdas[least] {
			least = l
		}
	}
	if most <= mostTrace {
		return true
	}
	scaled, e := sized(&c.q, n, k), sized(&c.e, n, n)
	for a := range n {
		row := scaled.Row(a)
		for j, d := range res.inverse.Row(least) {
			row[j] = lw.Row(a)[j] * d
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, scaled, w, 0, e)
	sum := 0.0
	for a := range n {
		for b, x := range e.Row(a) {
			sum += x * e.Row(b)[a]
		}
	}
	norm := math.Sqrt(sum)
	for l, share := range c.shares {
		c.shares[l] = min(share, norm)
	}
	return norm <= mostShare
}

// iterate sets c.x to the solutions. A system ends when its residual, in the norm of D, is below the rounding of its
// right side.
func (p *Pencil) iterate(c *conjugate, res *resolvents, w linalg.Mat, h []int32) {
	k, v := w.Cols, p.Outputs()
	systems := len(res.lambdas) * v
	right, of := sized(&c.right, v, k), sized(&c.f, v, len(h))
	linalg.TransposeTo(right, p.C)
	for a, i := range h {
		for o, y := range p.R.Row(int(i)) {
			of.Row(o)[a] = y
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, -1, of, w, 1, right)
	x, r, dir, q := sized(&c.x, systems, k), sized(&c.r, systems, k), sized(&c.p, systems, k), sized(&c.q, systems, k)
	c.rho, c.enough = grown(c.rho, systems), grown(c.enough, systems)
	for i := range systems {
		multiplyTo(x.Row(i), right.Row(i%v), res.inverse.Row(i/v))
		c.enough[i] = epsilon * epsilon / 4 * linalg.Dot(right.Row(i%v), x.Row(i))
	}
	c.times(r, x) // the residual of D times the right side
	active := 0
	for i := range systems {
		multiplyTo(dir.Row(i), r.Row(i), res.inverse.Row(i/v))
		if c.rho[i] = linalg.Dot(r.Row(i), dir.Row(i)); c.rho[i] > c.enough[i] {
			active = i + 1
		}
	}
	for range 8 * k { // many times as many as it takes
		if active == 0 {
			return
		}
		c.times(q.Slice(0, active, 0, k), dir.Slice(0, active, 0, k))
		last := 0
		for i := range active {
			if c.step(i, res.lambdas[i/v], p.Eigenvalues, res.inverse.Row(i/v)) {
				last = i + 1
			}
		}
		active = last
	}
}

// times sets dst to src V_HᵀL_HHV_H.
func (c *conjugate) times(dst, src linalg.Mat) {
	f := sized(&c.f, src.Rows, c.lw.Rows)
	c.turned.MulTo(f, src)
	c.plain.MulTo(dst, f)
}

// step is one step of system i, of which q has the product of the direction with V_HᵀL_HHV_H. It reports whether there
// is another.
func (c *conjugate) step(i int, lambda float64, d, inverse []float64) bool {
	if !(c.rho[i] > c.enough[i]) {
		return false
	}
	dir, q, r := c.p.Row(i), c.q.Row(i)[:len(d)], c.r.Row(i)
	for j, x := range dir[:len(d)] {
		q[j] = (d[j]+lambda)*x - q[j]
	}
	alpha := c.rho[i] / linalg.Dot(dir, q)
	linalg.Axpy(alpha, dir, c.x.Row(i))
	linalg.Axpy(-alpha, q, r)
	multiplyTo(q, r, inverse)
	rho := linalg.Dot(r, q)
	beta := rho / c.rho[i]
	c.rho[i] = rho
	for j, z := range q[:len(dir)] {
		dir[j] = z + beta*dir[j]
	}
	if rho > c.enough[i] {
		return true
	}
	clear(dir)
	return false
}

// multiplyTo is dst = x∘y.
func multiplyTo(dst, x, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for j := range dst {
		dst[j] = x[j] * y[j]
	}
}

// conjugateRounding is the rounding of the predictions f at λ number l, whose solutions have the backward error of
// those by moments. With E as above
//
//	‖g_h‖ ≤ ‖D v_h‖ + e/(1−e) √(‖D‖ v_hᵀDv_h) ≤ ‖D‖ ‖v_h‖/(1−e).
func (s *scratch) conjugateRounding(p *Pencil, l int, f linalg.Mat) *Rounding {
	r, c, v, lambda, inverse := &s.products, &s.conjugate, p.Outputs(), s.res.lambdas[l], s.res.inverse.Row(l)
	s.rounding = Rounding{maxAbs: largestOf(f), each: sized(&r.bounds, f.Rows, v)}
	s.known = grown(s.known, f.Rows)
	e, weights := c.shares[l], r.weights[l*v:(l+1)*v]
	bound := func(o int, kappa, g float64) float64 {
		return errorUnit * (kappa*weights[o] + g*r.right(p, lambda, o, weights[o]))
	}
	s.rounding.later(s.known, func(a int) {
		c.row = grown(c.row, len(inverse))
		multiplyTo(c.row, s.v.Row(a), inverse)
		g := linalg.Nrm2(c.row) + e/(1-e)*sqrt(inverse[0]*linalg.Dot(c.row, s.v.Row(a)))
		for o := range weights {
			s.rounding.each.Row(a)[o] = bound(o, r.kappa[a], g)
		}
	})
	for o := range weights {
		s.rounding.most = max(s.rounding.most, atMost*bound(o, r.longest, r.longest*inverse[0]/(1-e)))
	}
	return &s.rounding
}
