package kron

import (
	"context"
	"fmt"

	"pairrank/internal/linalg"
)

// Edge is a pair of a row and a column node.
type Edge struct{ Row, Col int }

// HoldOutBoth calls emit with the score of each given pair as a training without all
// edges of its row and of its column would give it: setting 4, exactly, for the
// regression loss of an arbitrary relation. Every pair is a problem of its own, of p + r
// − 1 edges, which are coupled by the matrix T_kl = u_ik m_kl v_jl alone. M is a sum of s
// products to rounding (a Cauchy matrix; s grows with the logarithm of the condition, and is 5
// to 80), so that a pair is a system of s unknowns, made in O((p + r)s) and solved in O(s³):
// see coupled. Where s is not small beside p and r, as where there are few nodes, the edges of the
// row are eliminated and those of the column solved for by a Cholesky factorisation, O(p²r +
// p³/3) a pair. Four products are made first. It returns a *NotExactError where it is not
// exact, and the error of ctx. It panics when a pair is not in p×r, or λ is not positive and
// finite.
func (p *Path) HoldOutBoth(ctx context.Context, lambda float64, pairs []Edge, emit func(k int, score float64)) error {
	checkLambda(lambda)
	if p.o.Relation != Arbitrary || p.o.Loss != Regression {
		return &NotExactError{Both, "leaving out a row with a column is for the regression loss of an arbitrary relation"}
	}
	for _, e := range pairs {
		if e.Row < 0 || e.Row >= p.y.Rows || e.Col < 0 || e.Col >= p.y.Cols {
			panic(fmt.Sprintf("kron: pair (%d,%d) of %d×%d", e.Row, e.Col, p.y.Rows, p.y.Cols))
		}
	}
	b := newBoth(p, lambda)
	if s, ok := newSkeleton(p.rows.d, p.cols.d, lambda, mostOf(p.y.Rows, p.y.Cols)); ok {
		return newCoupled(b, s).holdOut(ctx, pairs, emit)
	}
	one := newCholesky(b)
	for k, e := range pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		emit(k, one.score(e))
	}
	return nil
}

// BothWork returns about how many multiplications a pair costs in HoldOutBoth for a λ > 0 and
// this many rows and columns, with kernels of the eigenvalues that the path has: by the s
// unknowns of its system, or by the Cholesky factorisation. The counts are weighed by
// measurement to those of loops that do some 3.3·10⁹ a second on one core; products of large matrices do
// eight times as many. Cost O(s(p + r)). It panics unless λ is positive and finite.
func (p *Path) BothWork(lambda float64, rows, cols int) float64 {
	checkLambda(lambda)
	n, m := float64(rows), float64(cols)
	if at, _, ok := crossing(p.rows.d, p.cols.d, lambda, mostOf(rows, cols)); ok {
		s := float64(len(at))
		return 3000 + (8+1.2*s)*(n+m) + (45+0.7*s)*s*s
	}
	return 3000 + 20*n*m + (n*n*m+n*n*n/3)/8
}

// mostOf is the most unknowns with which a pair of this many rows and columns is a small
// system.
func mostOf(rows, cols int) int { return min(rows/coupledShare, cols/coupledShare, mostUnknowns) }

// both is what the pairs of a λ share, a row for each node: its eigenvectors, and Q and a by
// them.
type both struct {
	p       *Path
	lambda  float64
	u, v    linalg.Mat // rows u_i and v_j
	inverse linalg.Mat // p×r: 1/q', q' = Σ_k u_ik² m_kl the diagonal of Q for the edges of row i
	q       linalg.Mat // r×p: Σ_l v_jl² m_kl, for those of column j
	a1      linalg.Mat // p×r: a_i by eigenvectors of the columns
	a2      linalg.Mat // r×p: a_j by those of the rows
}

func newBoth(p *Path, lambda float64) *both {
	m := p.middle(lambda)
	mid := compact(m)
	times(mid, p.e)
	b := &both{
		p: p, lambda: lambda,
		u: transposed(p.rows.u), v: transposed(p.cols.u),
		inverse: multiply(linalg.T, p.rows.squares(), m),
		q:       transposed(multiply(linalg.NoTrans, m, p.cols.squares())),
		a1:      multiply(linalg.T, p.rows.u, mid),
		a2:      transposed(multiply(linalg.NoTrans, mid, p.cols.u)),
	}
	invert(b.inverse)
	return b
}

func transposed(a linalg.Mat) linalg.Mat {
	t := linalg.NewMat(a.Cols, a.Rows)
	transposeTo(t, a)
	return t
}

// cholesky leaves out one pair after another: with the row's edges eliminated, those of the
// column have the matrix U₁NU₁ᵀ, N = diag(q) − T diag(1/q') Tᵀ.
type cholesky struct {
	*both
	m, t, n linalg.Mat
}

func newCholesky(b *both) *cholesky {
	rows, cols := b.p.y.Rows, b.p.y.Cols
	return &cholesky{b, b.p.middle(b.lambda), linalg.NewMat(rows, cols), linalg.NewMat(rows, rows)}
}

// score is y_ij − δ_ij for Q_HH δ = a_H.
func (c *cholesky) score(e Edge) float64 {
	ui, vj, inverse := c.u.Row(e.Row), c.v.Row(e.Col), c.inverse.Row(e.Row)
	c.couple(ui, vj, inverse, c.q.Row(e.Col))
	// Column j less what the row explains; the entry of the common edge is 0.
	ar := c.a1.Row(e.Row)
	scaled := make([]float64, len(ar))
	for l, v := range ar {
		scaled[l] = v * inverse[l]
	}
	z := append([]float64(nil), c.a2.Row(e.Col)...)
	linalg.Gemv(linalg.NoTrans, -1, c.t, scaled, 1, z)
	off := linalg.Dot(z, ui)
	linalg.Axpy(-off, ui, z) // rounding
	linalg.CholeskySolve(linalg.Lower, c.n, linalg.Mat{Rows: len(z), Cols: 1, Stride: 1, Data: z})
	rest := append([]float64(nil), ar...)
	linalg.Gemv(linalg.T, -1, c.t, z, 1, rest)
	delta := 0.0
	for l, v := range rest {
		delta += vj[l] * inverse[l] * v
	}
	return c.p.y.Row(e.Row)[e.Col] - delta
}

// couple sets T and the factor of N. The edge that row and column share makes N
// singular along u_i; the multiple of u_i u_iᵀ that is added is never met, since
// nothing else lies along u_i.
func (c *cholesky) couple(ui, vj, inverse, q []float64) {
	size := 0.0
	for k, u := range ui {
		row := c.t.Row(k)
		for l, m := range c.m.Row(k) {
			row[l] = u * m * vj[l]
		}
		size = max(size, q[k])
	}
	scaled := compact(c.t)
	scaleCols(scaled, inverse)
	linalg.Gemmt(linalg.Lower, linalg.NoTrans, linalg.T, -1, scaled, c.t, 0, c.n)
	for k, u := range ui {
		linalg.Axpy(size*u, ui[:k+1], c.n.Row(k)[:k+1])
		c.n.Row(k)[k] += q[k]
	}
	linalg.Cholesky(linalg.Lower, c.n)
}
