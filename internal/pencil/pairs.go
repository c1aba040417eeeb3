package pencil

import (
	"context"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// LeavePairs computes, for every pair of rows i < j and each output c, the
// predictions f_i and f_j when both rows are left out of the loss, at one λ.
// emit receives them for a row i and all j > i, in ascending j; it is called
// from several goroutines and must not keep the slices.
//
// Each pair is the 2×2 system Q_HH δ = a_H in closed form, so all of them cost
// one and a half products of m×k with k×m, and O(m²) more for each output
// (Pahikkala, Airola, Boberg and Salakoski 2008, Exact and efficient
// leave-pair-out cross-validation for ranking RLS). It needs a loss of one
// component, or regression, and keeps 2mk numbers and three panels of rows.
func (p *Pencil) LeavePairs(ctx context.Context, lambda float64, emit func(i, c int, fi, fj []float64)) error {
	rows, ok := p.rows.(*dualRows)
	source := &storedRows{}
	if ok {
		source.v, source.w = rows.v(), rows.w
	} else {
		source = p.stored().(*storedRows)
	}
	s := p.newPairSweep(source, lambda)
	m := p.L.Dim()
	const panel = 128
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(m, lo+panel)
		s.fill(lo, hi)
		parallel.For(hi-lo, func(worker, a int) {
			for c := range p.Outputs() {
				s.row(worker, lo, a, c, emit)
			}
		})
	}
	return ctx.Err()
}

// pairSweep holds what the pairs of one λ share.
type pairSweep struct {
	p       *Pencil
	v, w    linalg.Mat // m×k
	vd, wd  linalg.Mat // a panel of rows of VD and WD
	inv     []float64
	f, a    linalg.Mat // m×v: predictions and a, λa in the primal form
	qii     []float64  // diagonal of Q, of λQ in the primal form
	gii     []float64  // diagonal of GL
	q       linalg.Mat // a panel of rows of Q from column lo on
	g, gt   linalg.Mat // the same of GL and of its transpose
	fi, fj  [][]float64
	partner []int32 // the other row of a component of two, else −1
}

func (p *Pencil) newPairSweep(rows *storedRows, lambda float64) *pairSweep {
	m, k := p.L.Dim(), len(p.D)
	s := &pairSweep{p: p, v: rows.v, w: rows.w, inv: make([]float64, k), qii: make([]float64, m), gii: make([]float64, m)}
	p.inverse(s.inv, lambda)
	dc := p.shifted(lambda)
	s.f, s.a = linalg.NewMat(m, p.Outputs()), linalg.NewMat(m, p.Outputs())
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.v, dc, 0, s.f)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.w, dc, 0, s.a)
	parallel.For(m, func(_, i int) {
		v, w := s.v.Row(i), s.w.Row(i)
		for j, d := range s.inv {
			s.gii[i] += v[j] * d * w[j]
			s.qii[i] += w[j] * d * w[j]
		}
	})
	if !p.dual {
		diagonal := diagonalOf(p.L)
		for i := range m {
			s.qii[i] = diagonal[i] - s.qii[i]
			for c, r := range p.R.Row(i) {
				s.a.Row(i)[c] = r - s.a.Row(i)[c]
			}
		}
	}
	s.partner = p.partners()
	for i, q := range s.qii {
		if q == 0 {
			s.qii[i] = 1 // a row without any comparison: a_i is 0, and so is δ_i
		}
	}
	workers := parallel.Workers()
	s.fi, s.fj = make([][]float64, workers), make([][]float64, workers)
	for i := range workers {
		s.fi[i], s.fj[i] = make([]float64, m), make([]float64, m)
	}
	return s
}

// partners finds the components of two rows on which a constant has no effect.
func (p *Pencil) partners() []int32 {
	partner := make([]int32, p.L.Dim())
	for i := range partner {
		partner[i] = -1
	}
	parts := p.L.Components()
	for g := range parts.Len() {
		if rows := parts.Part(g); p.Centred && len(rows) == 2 {
			partner[rows[0]], partner[rows[1]] = rows[1], rows[0]
		}
	}
	return partner
}

// diagonalOf is the diagonal of L, from products with blocks of columns.
func diagonalOf(l pref.Laplacian) []float64 {
	m := l.Dim()
	diagonal := make([]float64, m)
	const width = 64
	for lo := 0; lo < m; lo += width {
		n := min(width, m-lo)
		x := make([]float64, m*n)
		for a := range n {
			x[(lo+a)*n+a] = 1
		}
		l.MulTo(x, x, n)
		for a := range n {
			diagonal[lo+a] = x[(lo+a)*n+a]
		}
	}
	return diagonal
}

// fill computes the panels of Q, GL and (GL)ᵀ for rows [lo,hi) and columns
// from lo on.
func (s *pairSweep) fill(lo, hi int) {
	m, k, n := s.p.L.Dim(), len(s.inv), hi-lo
	wd, vd := sized(&s.wd, n, k), sized(&s.vd, n, k)
	parallel.For(n, func(_, a int) {
		v, w := s.v.Row(lo+a), s.w.Row(lo+a)
		for j, d := range s.inv {
			vd.Row(a)[j], wd.Row(a)[j] = v[j]*d, w[j]*d
		}
	})
	w, v := s.w.Slice(lo, m, 0, k), s.v.Slice(lo, m, 0, k)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, wd, w, 0, sized(&s.q, n, m-lo))
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, vd, w, 0, sized(&s.g, n, m-lo))
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, wd, v, 0, sized(&s.gt, n, m-lo))
	if s.p.dual {
		return
	}
	l := linalg.NewMat(m, n)
	for a := range n {
		l.Row(lo + a)[a] = 1
	}
	s.p.L.MulTo(l.Data, l.Data, n)
	parallel.For(n, func(_, a int) {
		row := s.q.Row(a)
		for b := range row {
			row[b] = l.Row(lo + b)[a] - row[b]
		}
	})
}

// row emits the pairs of row lo+a for output c.
func (s *pairSweep) row(worker, lo, a, c int, emit func(i, c int, fi, fj []float64)) {
	i, m := lo+a, len(s.qii)
	n := m - i - 1
	if n == 0 {
		return
	}
	q, g, gt := s.q.Row(a)[a+1:], s.g.Row(a)[a+1:], s.gt.Row(a)[a+1:]
	fi, fj := s.fi[worker][:n], s.fj[worker][:n]
	qi, gi, ai, f := s.qii[i], s.gii[i], s.a.Row(i)[c], s.f.Row(i)[c]
	for b := range n {
		j := i + 1 + b
		qj, aj := s.qii[j], s.a.Row(j)[c]
		var di, dj float64
		if int32(j) == s.partner[i] {
			// The pair is a component: its constant has no effect, and δ is
			// along (1,−1), where Q is qi + qj − 2 qij.
			di = (ai - aj) / (qi + qj - 2*q[b])
			dj = -di
		} else {
			det := qi*qj - q[b]*q[b]
			di = (qj*ai - q[b]*aj) / det
			dj = (qi*aj - q[b]*ai) / det
		}
		fi[b] = f - gi*di - g[b]*dj
		fj[b] = s.f.Row(j)[c] - gt[b]*di - s.gii[j]*dj
	}
	emit(i, c, fi, fj)
}
