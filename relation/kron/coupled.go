package kron

import (
	"context"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// coupledShare is the number of nodes of a side for each unknown from which the systems of
// coupled are cheaper than a Cholesky factorisation.
const coupledShare = 3

// mostUnknowns is the most of them: rounding is reached with fewer, whatever λ is.
const mostUnknowns = 128

// coupledBatch is how many pairs are left out at once, so that their systems are made by
// products of matrices.
const coupledBatch = 512

// coupled leaves out pairs by M = ABᵀ. Of the edges of row i and of column j, by their
// eigenvectors and without the common one in the column,
//
//	diag(q') x + T' z = a_i    T x + diag(q) z + µ u_i = a_j    u_iᵀz = 0
//
// for δ_ij = v_jᵀx, with T = diag(u_i) ABᵀ diag(v_j). The unknowns are y = Aᵀ(u_i ∘ z), s
// numbers. With
//
//	P = Bᵀ diag(v_j²/q') B    b = Bᵀ(v_j²/q')    g' = Bᵀ(v_j a_i/q')    e' = Σ v_j a_i/q'
//	R = Aᵀ diag(u_i²/q) A     c = Aᵀ(u_i²/q)     g = Aᵀ(u_i a_j/q)      e = Σ u_i a_j/q
//
// they are
//
//	(I − RP) y = g − Rg'    cᵀPy = cᵀg' − e    δ_ij = e' − bᵀy
//
// where I − RP is singular along y₀ = Aᵀ u_i², the common edge, and cᵀPy₀ = 1, so that the
// second times y₀ is added to the first. The columns of A and B are rational functions of the
// eigenvalues, so that the sums of their products over all nodes are sums over 2s of them; see
// gathering.
type coupled struct {
	*both
	s      int
	a, b   side
	common linalg.Mat // rows y₀ᵀ
	other  linalg.Mat // r×p: 1/q
}

// side makes the numbers of one side of the pairs of a batch.
type side struct {
	x       linalg.Mat // A or B
	to      *gathering
	weights linalg.Mat // batch × nodes: v_j²/q'
	values  linalg.Mat // v_j a_i/q'
	fewer   linalg.Mat // batch × few nodes
	made    linalg.Mat // upper triangle of P, and b
	g       linalg.Mat
	e       []float64
}

func newSide(x linalg.Mat, d, poles []float64, lambda float64) side {
	s := newGathering(x, d, poles, lambda)
	batch := func(n int) linalg.Mat { return linalg.NewMat(coupledBatch, n) }
	return side{
		x: x, to: s, weights: batch(x.Rows), values: batch(x.Rows),
		fewer: batch(s.spread.Cols), made: batch(s.pairs.Cols), g: batch(x.Cols), e: make([]float64, coupledBatch),
	}
}

// set writes pair h of the batch, of a node with eigenvectors u, and with 1/q and a of the
// other one.
func (x *side) set(h int, u, inverse, a []float64) {
	weights, values, sum := x.weights.Row(h)[:len(u)], x.values.Row(h)[:len(u)], 0.0
	inverse, a = inverse[:len(u)], a[:len(u)]
	for k, u := range u {
		w := u * inverse[k]
		weights[k] = w * u
		values[k] = w * a[k]
		sum += values[k]
	}
	x.e[h] = sum
}

// make takes the products of the first n pairs.
func (x *side) make(n int) {
	first := func(m linalg.Mat) linalg.Mat { return m.Slice(0, n, 0, m.Cols) }
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.weights), x.to.spread, 0, first(x.fewer))
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.fewer), x.to.pairs, 0, first(x.made))
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, first(x.values), x.x, 0, first(x.g))
}

// of is the matrix, written to dst, and the vectors of pair h.
func (x *side) of(h int, dst linalg.Mat) (vector, g []float64) {
	packed := x.made.Row(h)
	for c := range dst.Rows {
		for d := c; d < dst.Rows; d++ {
			v := packed[d-c]
			dst.Row(c)[d], dst.Row(d)[c] = v, v
		}
		packed = packed[dst.Rows-c:]
	}
	return packed, x.g.Row(h)
}

// newCoupled destroys b.q.
func newCoupled(b *both, s *skeleton) *coupled {
	p, other := b.p, b.q
	invert(other)
	return &coupled{
		both: b, s: s.a.Cols,
		a:      newSide(s.a, p.rows.d, s.cols, b.lambda),
		b:      newSide(s.b, p.cols.d, s.rows, b.lambda),
		common: multiply(linalg.T, p.rows.squares(), s.a),
		other:  other,
	}
}

// holdOut leaves out the pairs, a batch at a time.
func (c *coupled) holdOut(ctx context.Context, pairs []Edge, emit func(k int, score float64)) error {
	scores := make([]float64, coupledBatch)
	systems := make([]system, parallel.Workers())
	for from := 0; from < len(pairs); from += coupledBatch {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := pairs[from:min(from+coupledBatch, len(pairs))]
		const each = 8
		parallel.Chunks(len(batch), each, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				e := batch[h]
				c.b.set(h, c.v.Row(e.Col), c.inverse.Row(e.Row), c.a1.Row(e.Row))
				c.a.set(h, c.u.Row(e.Row), c.other.Row(e.Col), c.a2.Row(e.Col))
			}
		})
		c.a.make(len(batch))
		c.b.make(len(batch))
		parallel.Chunks(len(batch), each, func(worker, lo, hi int) {
			if systems[worker].p.Rows == 0 {
				systems[worker] = newSystem(c.s)
			}
			for h := lo; h < hi; h++ {
				e := batch[h]
				scores[h] = c.p.y.Row(e.Row)[e.Col] - c.delta(h, c.common.Row(e.Row), systems[worker])
			}
		})
		for h := range batch {
			emit(from+h, scores[h])
		}
	}
	return nil
}

// system is the memory for the equations of a pair.
type system struct {
	p, r, j linalg.Mat
	y, cp   []float64
}

func newSystem(s int) system {
	return system{linalg.NewMat(s, s), linalg.NewMat(s, s), linalg.NewMat(s, s), make([]float64, s), make([]float64, s)}
}

// delta solves for pair h of the batch.
func (c *coupled) delta(h int, common []float64, m system) float64 {
	own, gb := c.b.of(h, m.p)
	other, ga := c.a.of(h, m.r)
	for i := range m.cp { // P is symmetric
		m.cp[i] = linalg.Dot(m.p.Row(i), other)
	}
	along := linalg.Dot(other, gb) - c.a.e[h]
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, -1, m.r, m.p, 0, m.j)
	for i := range m.y {
		row := m.j.Row(i)
		m.y[i] = ga[i] - linalg.Dot(m.r.Row(i), gb) + common[i]*along
		linalg.Axpy(common[i], m.cp, row)
		row[i]++
	}
	eliminate(m.j, m.y)
	return c.b.e[h] - linalg.Dot(own, m.y)
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
