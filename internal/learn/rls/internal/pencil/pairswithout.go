package pencil

import (
	"context"
	"math"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// PairsWithout leaves out every two rows at one λ after a term xxᵀ of the kernel matrix is taken away, as that of a
// feature x of a linear kernel. For the dual form of a single list, or of regression, with Q and a of LeavePairs,
//
//	Q' = Q + uuᵀ/s    a' = a + u xᵀa/s    u = Qx    s = 1 − xᵀu
//
// (Sherman and Morrison 1950), and the two rows differ by y_i − y_j − (δ_i − δ_j) with Q'_HH δ = a'_H.
type PairsWithout struct {
	y, a []float64
	q, u linalg.Mat // m×m; J×m: a row for each term
	s    []float64  // of each term
	xa   []float64  // xᵀa of each term
}

// CanLeavePairsWithout reports whether a λ is neither so small nor so large, compared with the eigenvalues, that
// PairsWithout loses digits, and whether the problem has the form that it needs.
func (p *Pencil) CanLeavePairsWithout(lambda float64) bool {
	const least, most = 1e-6, 1e4 // of the largest eigenvalue
	b := goals.BlocksOf(p.L)
	if !p.dual || b == nil || p.Outputs() != 1 || p.Degenerate() {
		return false
	}
	if weight, list := b.ListWeight(); !list || weight == 0 {
		return false
	}
	first := 0
	if p.Centred {
		first = 1 // the constant
	}
	largest := p.Eigenvalues[len(p.Eigenvalues)-1]
	return len(p.Eigenvalues) > 4 && p.nullCount(lambda) <= first && p.Eigenvalues[first]+lambda >= least*largest &&
		lambda <= most*largest
}

// NewPairsWithout prepares terms, the rows of x, J×m, for labels y. It costs O(m³ + m²J).
func (p *Pencil) NewPairsWithout(lambda float64, y []float64, x linalg.Mat) *PairsWithout {
	m, w := p.L.Dim(), p.rows.(*dualRows).w
	scaled, inverse := w.Clone(), make([]float64, len(p.Eigenvalues))
	p.shiftTo(inverse, lambda)
	for i := range m {
		row := scaled.Row(i)
		for j, e := range inverse {
			row[j] /= e
		}
	}
	o := &PairsWithout{y: y, a: make([]float64, m), q: linalg.NewMat(m, m), u: linalg.NewMat(x.Rows, m),
		s: make([]float64, x.Rows), xa: make([]float64, x.Rows)}
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, scaled, w, 0, o.q)
	for i := range m {
		for j, c := range p.C.Data[:len(inverse)] {
			o.a[i] += scaled.Row(i)[j] * c
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, x, o.q, 0, o.u)
	for n := range x.Rows {
		o.s[n], o.xa[n] = 1-linalg.Dot(x.Row(n), o.u.Row(n)), linalg.Dot(x.Row(n), o.a)
	}
	return o
}

// Can reports whether enough digits are left without term n.
func (o *PairsWithout) Can(n int) bool {
	const least = 1e-2 // the share of a row of the kernel matrix that stays, in the worst direction
	return o.s[n] >= least
}

// LeavePairs is Pencil.LeavePairs without term n, in O(m²). It emits the difference of each pair as the first score, 0
// as the second. A difference within rounding is 0.
func (o *PairsWithout) LeavePairs(ctx context.Context, n int, emit func(worker, i, c int, fi, fj []float64)) error {
	const rounding = 0x1p-42
	m, u, s := len(o.y), o.u.Row(n), o.s[n]
	diagonal, a := make([]float64, m), make([]float64, m)
	for i, v := range u {
		diagonal[i], a[i] = o.q.Row(i)[i]+v*v/s, o.a[i]+v*o.xa[n]/s
	}
	zeros := make([]float64, m)
	scratch := make([][]float64, parallel.Workers())
	parallel.For(m-1, func(worker, i int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, m)
		}
		dst, share, own, ai, yi := scratch[worker][:m-i-1], u[i]/s, diagonal[i], a[i], o.y[i]
		q, us, ds, as, ys := o.q.Row(i)[i+1:m], u[i+1:m], diagonal[i+1:m], a[i+1:m], o.y[i+1:m]
		for b, cross := range q {
			cross += share * us[b]
			over := 1 / (own*ds[b] - cross*cross)
			first, second, apart := (ds[b]+cross)*ai*over, (own+cross)*as[b]*over, yi-ys[b]
			dst[b] = apart - (first - second)
			if math.Abs(dst[b]) <= rounding*(math.Abs(apart)+math.Abs(first)+math.Abs(second)) {
				dst[b] = 0
			}
		}
		emit(worker, i, 0, dst, zeros[:len(dst)])
	})
	return ctx.Err()
}
