package kron

import (
	"context"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// mostUnknowns bounds the unknowns of a column: fewer reach rounding for any λ.
const mostUnknowns = 128

// coupledBatch is the number of holes left out at once, so that their systems are made by products of matrices.
const coupledBatch = 512

// coupled leaves out holes by M = ABᵀ. For a row i and columns (or combinations of them) v_c, let x be the
// edges of the row and z_c the edges of the columns, in their eigenvectors and without the common edges in the
// columns. They solve
//
//	diag(n) x + Σ_c T_cᵀ z_c = a_i    T_c x + Σ_d diag(q_cd) z_d + µ_c u_i = a_c    u_iᵀz_c = 0
//
// for δ_c = v_cᵀx, with T_c = diag(u_i) ABᵀ diag(v_c) and q_cd = ABᵀ(v_c ∘ v_d). The unknowns
// are y_c = Aᵀ(u_i ∘ z_c), s numbers for each column. With the inverse h_cd of the small matrix
// q_cd for each eigenvector of the rows, the blocks
//
//	P_cd = Bᵀ diag(v_c v_d/n) B   b_cd = Bᵀ(v_c v_d/n)   g'_c = Bᵀ(v_c a_i/n)        e'_c = Σ v_c a_i/n
//	R_cd = Aᵀ diag(u_i² h_cd) A   c_cd = Aᵀ(u_i² h_cd)   g_c = Aᵀ Σ_d u_i h_cd a_d   e_c = Σ u_i Σ_d h_cd a_d
//
// give
//
//	(I − RP) y = g − Rg'    cᵀPy = cᵀg' − e    δ_c = e'_c − Σ_d b_cdᵀ y_d
//
// where I − RP is singular along y₀ = Aᵀ u_i² of each column, the common edge. There cᵀP is 1, so the second
// equation times y₀ is added to the first. The columns of A and B are rational functions of the eigenvalues, so
// the sums of their products over all nodes are sums over 2s of them; see gathering.
type coupled struct {
	*both
	s      int
	a, b   side
	common linalg.Mat // rows y₀ᵀ
	plain  linalg.Mat // batch of v_c v_d, from which q is made
	few    linalg.Mat // Bᵀ(v_c v_d)
	q      linalg.Mat
}

// blocks is the number of blocks of the upper triangle for c columns.
func blocks(c int) int { return c * (c + 1) / 2 }

// side computes one side of the holes of a batch, from blocks(c) rows of weights and c rows of values for each.
type side struct {
	columns int
	x       linalg.Mat // A or B
	to      *gathering
	weights linalg.Mat
	values  linalg.Mat
	fewer   linalg.Mat // weights at few nodes
	made    linalg.Mat // upper triangle of each block, and its vector
	g       linalg.Mat
}

func newSide(x linalg.Mat, d, poles []float64, lambda float64, columns int) side {
	return side{columns: columns, x: x, to: newGathering(x, d, poles, lambda)}
}

// resize allocates the memory of a batch of holes.
func (x *side) resize(holes int) {
	of := func(rows, n int) linalg.Mat { return linalg.NewMat(rows*holes, n) }
	n := blocks(x.columns)
	x.weights, x.values = of(n, x.x.Rows), of(x.columns, x.x.Rows)
	x.fewer, x.made, x.g = of(n, x.to.spread.Cols), of(n, x.to.pairs.Cols), of(x.columns, x.x.Cols)
}

// first are the rows of the first holes.
func first(m linalg.Mat, rows int) linalg.Mat { return m.Slice(0, rows, 0, m.Cols) }

// make computes the products of the first n holes.
func (x *side) make(n int) {
	all, c := n*blocks(x.columns), n*x.columns
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.weights, all), x.to.spread, 0, first(x.fewer, all))
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.fewer, all), x.to.pairs, 0, first(x.made, all))
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.values, c), x.x, 0, first(x.g, c))
}

// of writes the blocks of hole h to dst, its vectors b_cd or c_cd, those of each column one after another, and
// g.
func (x *side) of(h int, dst linalg.Mat, vector [][]float64, g []float64) {
	s, t := x.x.Cols, 0
	for c := range x.columns {
		copy(g[c*s:], x.g.Row(h*x.columns+c))
		for d := c; d < x.columns; d++ {
			packed := x.made.Row(h*blocks(x.columns) + t)
			t++
			for i := range s {
				for j := i; j < s; j++ {
					v := packed[j-i]
					dst.Row(c*s + i)[d*s+j], dst.Row(c*s + j)[d*s+i] = v, v
					dst.Row(d*s + i)[c*s+j], dst.Row(d*s + j)[c*s+i] = v, v
				}
				packed = packed[s-i:]
			}
			copy(vector[c][d*s:], packed)
			copy(vector[d][c*s:], packed)
		}
	}
}

func newCoupled(b *both, s *skeleton) *coupled {
	p := b.p
	return &coupled{
		both: b, s: s.a.Cols,
		a:      newSide(s.a, p.rows.d, s.cols, b.lambda, b.columns),
		b:      newSide(s.b, p.cols.d, s.rows, b.lambda, b.columns),
		common: p.rows.squares().TMul(s.a),
	}
}

// resize allocates the memory of a batch of holes, if there is less.
func (c *coupled) resize(holes int) {
	if n := blocks(c.columns) * holes; c.plain.Rows < n {
		c.plain, c.few = linalg.NewMat(n, c.v.Cols), linalg.NewMat(n, c.s)
		c.q = linalg.NewMat(n, c.u.Cols)
		c.a.resize(holes)
		c.b.resize(holes)
	}
}

// holdOut calls emit with δ of the first column of each hole, a batch at a time.
func (c *coupled) holdOut(ctx context.Context, holes []hole, emit func(h int, delta float64)) error {
	c.take(holes)
	c.resize(min(coupledBatch, len(holes)))
	deltas := make([]float64, coupledBatch)
	systems := make([]*system, parallel.Workers())
	const each = 8
	in := func(n int, do func(m *system, h int)) {
		parallel.Chunks(n, each, func(worker, lo, hi int) {
			if systems[worker] == nil {
				systems[worker] = newSystem(c)
			}
			for h := lo; h < hi; h++ {
				do(systems[worker], h)
			}
		})
	}
	for from := 0; from < len(holes); from += coupledBatch {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := holes[from:min(from+coupledBatch, len(holes))]
		n := len(batch) * blocks(c.columns)
		in(len(batch), func(m *system, h int) { c.setRow(m, h, batch[h]) })
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(c.plain, n), c.b.x, 0, first(c.few, n))
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, first(c.few, n), c.a.x, 0, first(c.q, n))
		in(len(batch), func(m *system, h int) { c.setColumns(m, h, batch[h]) })
		c.a.make(len(batch))
		c.b.make(len(batch))
		in(len(batch), func(m *system, h int) { deltas[h] = c.delta(m, h, batch[h]) })
		for h := range batch {
			emit(from+h, deltas[h])
		}
	}
	return nil
}

// system is the memory for one hole: its columns and its equations.
type system struct {
	v, a        [][]float64
	p, r, j     linalg.Mat
	b, c, cp    [][]float64
	g, other, y []float64
}

func newSystem(c *coupled) *system {
	n := c.s * c.columns
	square := func() linalg.Mat { return linalg.NewMat(n, n) }
	return &system{
		v: vectors(c.columns, c.v.Cols), a: vectors(c.columns, c.u.Cols),
		p: square(), r: square(), j: square(),
		b: vectors(c.columns, n), c: vectors(c.columns, n), cp: vectors(c.columns, n),
		g: make([]float64, n), other: make([]float64, n), y: make([]float64, n),
	}
}

// setRow writes the part of a hole in the eigenvectors of the columns.
func (c *coupled) setRow(m *system, h int, hole hole) {
	hole.combine(c.v, m.v)
	inverse, a := c.inverse.Row(hole.row), c.a1.Row(hole.row)
	t := h * blocks(c.columns)
	for d, v := range m.v {
		values := c.b.values.Row(h*c.columns + d)
		for l, v := range v {
			values[l] = v * inverse[l] * a[l]
		}
		for _, w := range m.v[d:] {
			plain, weights := c.plain.Row(t), c.b.weights.Row(t)
			t++
			for l, v := range v {
				product := v * w[l]
				plain[l], weights[l] = product, product*inverse[l]
			}
		}
	}
}

// setColumns writes the part in the eigenvectors of the rows, from the computed q.
func (c *coupled) setColumns(m *system, h int, hole hole) {
	hole.combine(c.a2, m.a)
	u, t := c.u.Row(hole.row), h*blocks(c.columns)
	if c.columns == 1 {
		q, weights, values := c.q.Row(t), c.a.weights.Row(t), c.a.values.Row(h)
		for k, u := range u {
			w := u / q[k]
			weights[k], values[k] = w*u, w*m.a[0][k]
		}
		return
	}
	qcc, qcd, qdd := c.q.Row(t), c.q.Row(t+1), c.q.Row(t+2)
	wcc, wcd, wdd := c.a.weights.Row(t), c.a.weights.Row(t+1), c.a.weights.Row(t+2)
	first, second := c.a.values.Row(2*h), c.a.values.Row(2*h+1)
	qa, qb := c.single.Row(hole.a), c.single.Row(hole.b)
	for k, u := range u {
		det := determinant(qcc[k], qcd[k], qdd[k], qa[k], qb[k])
		hcc, hcd, hdd := qdd[k]/det, -qcd[k]/det, qcc[k]/det
		wcc[k], wcd[k], wdd[k] = u*u*hcc, u*u*hcd, u*u*hdd
		x, y := m.a[0][k], m.a[1][k]
		first[k], second[k] = u*(hcc*x+hcd*y), u*(hcd*x+hdd*y)
	}
}

// determinant returns the determinant of q for the difference c and the sum d of two columns with qa and qb. It
// is a product minus a square in either of two equal forms; determinant takes the form that loses fewer digits.
// Equal or opposite columns have a small qcc or qdd; if one column is explained much better, qa or qb is small.
func determinant(qcc, qcd, qdd, qa, qb float64) float64 {
	combined, apart := qcc*qdd, qa*qb
	mixed := (qdd - qcc) / 2
	x, y := combined-qcd*qcd, apart-mixed*mixed
	if x*apart >= y*combined {
		return x
	}
	return y
}

// delta solves for δ of the first column.
func (c *coupled) delta(m *system, h int, hole hole) float64 {
	common, s := c.common.Row(hole.row), c.s
	c.b.of(h, m.p, m.b, m.g)
	c.a.of(h, m.r, m.c, m.other)
	for d, of := range m.c {
		for i := range m.cp[d] { // P is symmetric
			m.cp[d][i] = linalg.Dot(m.p.Row(i), of)
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, -1, m.r, m.p, 0, m.j)
	for d := range c.columns {
		along := linalg.Dot(m.c[d], m.g) - linalg.Sum(c.a.values.Row(h*c.columns+d))
		for i, y0 := range common {
			at := d*s + i
			row := m.j.Row(at)
			m.y[at] = m.other[at] - linalg.Dot(m.r.Row(at), m.g) + y0*along
			linalg.Axpy(y0, m.cp[d], row)
			row[at]++
		}
	}
	eliminate(m.j, m.y)
	return linalg.Sum(c.b.values.Row(h*c.columns)) - linalg.Dot(m.b[0], m.y)
}

// eliminate solves Jx = y in place by Gaussian elimination with partial pivoting; J is
// destroyed.
func eliminate(j linalg.Mat, y []float64) {
	n := len(y)
	for k := range n {
		pivot := k
		for i := k + 1; i < n; i++ {
			if math.Abs(j.Row(i)[k]) > math.Abs(j.Row(pivot)[k]) {
				pivot = i
			}
		}
		if pivot != k {
			a, b := j.Row(k), j.Row(pivot)
			for i := k; i < n; i++ {
				a[i], b[i] = b[i], a[i]
			}
			y[k], y[pivot] = y[pivot], y[k]
		}
		row := j.Row(k)
		for i := k + 1; i < n; i++ {
			below := j.Row(i)
			f := below[k] / row[k]
			linalg.Axpy(-f, row[k+1:], below[k+1:])
			y[i] -= f * y[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		row := j.Row(k)
		y[k] = (y[k] - linalg.Dot(row[k+1:], y[k+1:])) / row[k]
	}
}
