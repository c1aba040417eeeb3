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
// − 1 edges: with the row's edges R eliminated, those of the column have the matrix
// U₁NU₁ᵀ, N = diag(q) − T diag(1/q') Tᵀ, T_kl = u_ik m_kl v_jl, and one Cholesky
// factorisation solves it. Cost O(p²r + p³/3) a pair. It returns a *NotExactError where
// it is not exact, and the error of ctx. It panics when a pair is not in p×r, or λ is not
// positive and finite.
func (p *Path) HoldOutBoth(ctx context.Context, lambda float64, pairs []Edge, emit func(k int, score float64)) error {
	checkLambda(lambda)
	if p.o.Relation != Arbitrary || p.o.Loss != Regression {
		return &NotExactError{Both, "leaving out a row with a column is for the regression loss of an arbitrary relation"}
	}
	b := &both{p: p, m: p.middle(lambda)}
	mid := compact(b.m)
	times(mid, p.e)
	b.a = p.turnBack(mid)
	b.prepare()
	for k, e := range pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Row < 0 || e.Row >= p.y.Rows || e.Col < 0 || e.Col >= p.y.Cols {
			panic(fmt.Sprintf("kron: pair (%d,%d) of %d×%d", e.Row, e.Col, p.y.Rows, p.y.Cols))
		}
		emit(k, b.score(e))
	}
	return nil
}

// both is the memory of HoldOutBoth.
type both struct {
	p       *Path
	m, a    linalg.Mat
	byRow   linalg.Mat // q'_il, diagonal of Q of row i
	byCol   linalg.Mat // q_kj, diagonal of Q of column j
	t, n    linalg.Mat
	ar, ac  []float64 // a of the row and of the column, by eigenvectors
	ui, vj  []float64
	inverse []float64
}

func (b *both) prepare() {
	p := b.p
	b.byRow = multiply(linalg.T, p.rows.squares(), b.m)
	b.byCol = multiply(linalg.NoTrans, b.m, p.cols.squares())
	rows, cols := p.y.Rows, p.y.Cols
	b.t, b.n = linalg.NewMat(rows, cols), linalg.NewMat(rows, rows)
	b.ar, b.ac = make([]float64, cols), make([]float64, rows)
	b.ui, b.vj, b.inverse = make([]float64, rows), make([]float64, cols), make([]float64, cols)
}

// score is y_ij − δ_ij for Q_HH δ = a_H.
func (b *both) score(e Edge) float64 {
	p := b.p
	for k := range b.ui {
		b.ui[k] = p.rows.u.Row(k)[e.Row]
	}
	for l := range b.vj {
		b.vj[l] = p.cols.u.Row(l)[e.Col]
		b.inverse[l] = 1 / b.byRow.Row(e.Row)[l]
	}
	column := make([]float64, len(b.ac))
	for i := range column {
		column[i] = b.a.Row(i)[e.Col]
	}
	linalg.Gemv(linalg.NoTrans, 1, p.cols.u, b.a.Row(e.Row), 0, b.ar)
	linalg.Gemv(linalg.NoTrans, 1, p.rows.u, column, 0, b.ac)
	b.couple(e.Col)
	// Column j less what the row explains; the entry of the common edge is 0.
	scaled := make([]float64, len(b.ar))
	for l, v := range b.ar {
		scaled[l] = v * b.inverse[l]
	}
	z := append([]float64(nil), b.ac...)
	linalg.Gemv(linalg.NoTrans, -1, b.t, scaled, 1, z)
	off := linalg.Dot(z, b.ui)
	linalg.Axpy(-off, b.ui, z) // rounding
	linalg.CholeskySolve(linalg.Lower, b.n, linalg.Mat{Rows: len(z), Cols: 1, Stride: 1, Data: z})
	rest := append([]float64(nil), b.ar...)
	linalg.Gemv(linalg.T, -1, b.t, z, 1, rest)
	delta := 0.0
	for l, v := range rest {
		delta += b.vj[l] * b.inverse[l] * v
	}
	return p.y.Row(e.Row)[e.Col] - delta
}

// couple sets T and the factor of N. The edge that row and column share makes N
// singular along u_i; the multiple of u_i u_iᵀ that is added is never met, since
// nothing else lies along u_i.
func (b *both) couple(j int) {
	size := 0.0
	for k, u := range b.ui {
		row := b.t.Row(k)
		for l, m := range b.m.Row(k) {
			row[l] = u * m * b.vj[l]
		}
		size = max(size, b.byCol.Row(k)[j])
	}
	scaled := compact(b.t)
	for k := range b.ui {
		row := scaled.Row(k)
		for l, v := range b.inverse {
			row[l] *= v
		}
	}
	linalg.Gemmt(linalg.Lower, linalg.NoTrans, linalg.T, -1, scaled, b.t, 0, b.n)
	for k := range b.ui {
		linalg.Axpy(size*b.ui[k], b.ui[:k+1], b.n.Row(k)[:k+1])
		b.n.Row(k)[k] += b.byCol.Row(k)[j]
	}
	linalg.Cholesky(linalg.Lower, b.n)
}
