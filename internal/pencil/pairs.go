package pencil

import (
	"context"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// LeavePairs computes, for every pair of rows i < j and each output c, the
// predictions f_i and f_j when both rows are left out of the loss, at one λ.
// emit receives them for a row i and all j > i, in ascending j; it is called
// from several goroutines, told apart by worker in [0,parallel.Workers()), and
// must not keep the slices.
//
// Each pair is the 2×2 system Q_HH δ = a_H in closed form, so that all of them
// cost products of m×k with k×m and O(m²) more for each output (Pahikkala,
// Airola, Boberg and Salakoski 2008, Exact and efficient leave-pair-out
// cross-validation for ranking RLS). For a single list and for regression Q and
// GL are symmetric but for a constant in each column, and half a product gives
// each of them; in the primal form one gives both. In general it is one and a
// half products. It needs a loss for which any two rows may be held out.
func (p *Pencil) LeavePairs(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	s := p.newPairSweep(lambda)
	m := p.L.Dim()
	const panel = 256
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(m, lo+panel)
		s.fill(lo, hi)
		parallel.For(hi-lo, func(worker, a int) { s.row(worker, lo, a, emit) })
	}
	return ctx.Err()
}

// pairSweep holds what the pairs of one λ share. With weight c > 0 the loss is c
// times the centring of a single list, or plain regression with c = 1, and
// V = WE/c + 1v̄ᵀ with E = I in the primal form and diag(d) in the dual one: then
// GL = WEDWᵀ/c + 1gᵀ with gᵀ = v̄ᵀDWᵀ.
type pairSweep struct {
	p       *Pencil
	weight  float64    // c, or 0
	v, w    linalg.Mat // m×k; V in the general case only
	scaled  linalg.Mat // a panel of rows of W or V times a diagonal
	inv     []float64  // 1/(d+λ)
	ratio   []float64  // ED/c
	f, a    linalg.Mat // v×m: predictions and a, λa in the primal form
	fsize   linalg.Mat // v×m: the sizes of the terms that f and a are sums of
	asize   linalg.Mat
	qii     []float64  // diagonal of Q, of λQ in the primal form
	gii     []float64  // diagonal of GL
	beside  []float64  // g, what is added to each column of GL; 0 in the general case
	q       linalg.Mat // a panel of rows of Q from column lo on
	g, gt   linalg.Mat // the same of GL − 1gᵀ and of its transpose
	rows    []pairRow  // memory of each worker
	partner []int32    // the other row of a component of two, else −1
	twin    []int32    // the first row that is alike, see twins
}

func (p *Pencil) newPairSweep(lambda float64) *pairSweep {
	m, k := p.L.Dim(), len(p.D)
	s := &pairSweep{p: p, inv: make([]float64, k), ratio: make([]float64, k),
		qii: make([]float64, m), gii: make([]float64, m), beside: make([]float64, m)}
	if b, ok := p.L.(*pref.Blocks); ok {
		s.weight, _ = b.ListWeight()
	}
	mean := s.takeRows()
	for j, d := range p.D {
		s.inv[j] = 1 / (d + lambda)
		s.ratio[j] = s.inv[j] / max(s.weight, 1e-300)
		if p.dual {
			s.ratio[j] *= d
		}
	}
	s.predict(lambda, mean)
	s.diagonals()
	s.partner = p.partners()
	s.twin = p.twins()
	s.rows = make([]pairRow, parallel.Workers())
	return s
}

// takeRows sets W, and V where it is needed; mean is v̄, nil where there is none.
func (s *pairSweep) takeRows() (mean []float64) {
	p := s.p
	if r, ok := p.rows.(*dualRows); ok {
		s.w = r.w
		if s.weight == 0 {
			s.v = r.full()
		} else if p.Centred {
			mean = r.means().Row(0)
		}
		return mean
	}
	stored := p.stored().(*storedRows)
	s.w = stored.w
	if s.weight == 0 {
		s.v = stored.v
	} else if p.Centred {
		mean = make([]float64, stored.v.Cols)
		for i := range stored.v.Rows {
			linalg.Axpy(1/float64(stored.v.Rows), stored.v.Row(i), mean)
		}
	}
	return mean
}

// predict fills f and a, and g.
func (s *pairSweep) predict(lambda float64, mean []float64) {
	p := s.p
	m, v := p.L.Dim(), p.Outputs()
	dc := p.shifted(lambda)
	s.f, s.a = linalg.NewMat(v, m), linalg.NewMat(v, m)
	linalg.Gemm(linalg.T, linalg.T, 1, dc, s.w, 0, s.a)
	if s.weight == 0 {
		linalg.Gemm(linalg.T, linalg.T, 1, dc, s.v, 0, s.f)
		s.sizes(dc, dc, make([]float64, v))
		return
	}
	rc := linalg.NewMat(len(s.inv), v) // EDC/c
	for j, r := range s.ratio {
		linalg.Axpy(r, p.C.Row(j), rc.Row(j))
	}
	linalg.Gemm(linalg.T, linalg.T, 1, rc, s.w, 0, s.f)
	weighted, shift := make([]float64, len(s.inv)), make([]float64, v)
	defer func() { s.sizes(dc, rc, shift) }()
	if mean == nil {
		return
	}
	for j, x := range mean {
		weighted[j] = x * s.inv[j]
		linalg.Axpy(x, dc.Row(j), shift)
	}
	linalg.Gemv(linalg.NoTrans, 1, s.w, weighted, 0, s.beside)
	for c := range v {
		for i := range m {
			s.f.Row(c)[i] += shift[c]
		}
	}
}

// sizes fills fsize and asize, by which rounding in f and a is measured. shift is
// what is added to every f.
func (s *pairSweep) sizes(dc, fc linalg.Mat, shift []float64) {
	m, v := s.w.Rows, dc.Cols
	s.fsize, s.asize = linalg.NewMat(v, m), linalg.NewMat(v, m)
	vRows := s.w
	if s.weight == 0 {
		vRows = s.v
	}
	parallel.Chunks(m, 64, func(_, lo, hi int) {
		f, a := make([]float64, v), make([]float64, v)
		for i := lo; i < hi; i++ {
			clear(a)
			for c := range f {
				f[c] = math.Abs(shift[c])
			}
			if v == 1 {
				f[0] += sumOfSizes(vRows.Row(i), fc.Data)
				a[0] = sumOfSizes(s.w.Row(i), dc.Data)
			} else {
				addSizes(f, vRows.Row(i), fc)
				addSizes(a, s.w.Row(i), dc)
			}
			for c := range f {
				if !s.p.dual {
					a[c] += math.Abs(s.p.R.Row(i)[c])
				}
				s.fsize.Row(c)[i], s.asize.Row(c)[i] = f[c], a[c]
			}
		}
	})
}

// sumOfSizes is Σ |x_j c_j|.
func sumOfSizes(x, c []float64) float64 {
	s, t := 0.0, 0.0
	c = c[:len(x)]
	j := 0
	for ; j+2 <= len(x); j += 2 {
		s += math.Abs(x[j] * c[j])
		t += math.Abs(x[j+1] * c[j+1])
	}
	if j < len(x) {
		s += math.Abs(x[j] * c[j])
	}
	return s + t
}

// addSizes adds Σ_j |x_j c_j| to sums, for each column of c.
func addSizes(sums, x []float64, c linalg.Mat) {
	for j, v := range x {
		for o, e := range c.Row(j) {
			sums[o] += math.Abs(v * e)
		}
	}
}

// diagonals fills those of Q and GL, and in the primal form turns WDWᵀ and WDC
// into λQ and λa.
func (s *pairSweep) diagonals() {
	p := s.p
	m := p.L.Dim()
	parallel.For(m, func(_, i int) {
		w := s.w.Row(i)
		q, g := 0.0, 0.0
		if s.weight == 0 {
			for j, x := range w {
				q += x * s.inv[j] * x
				g += s.v.Row(i)[j] * s.inv[j] * x
			}
		} else {
			for j, x := range w {
				q += x * s.inv[j] * x
				g += x * s.ratio[j] * x
			}
		}
		s.qii[i], s.gii[i] = q, g+s.beside[i]
	})
	if !p.dual {
		diagonal := diagonalOf(p.L)
		for i := range m {
			s.qii[i] = diagonal[i] - s.qii[i]
			for c, r := range p.R.Row(i) {
				s.a.Row(c)[i] = r - s.a.Row(c)[i]
			}
		}
	}
	for i, q := range s.qii {
		if q == 0 {
			s.qii[i] = 1 // a row without any comparison: a_i is 0, and so is δ_i
		}
	}
}

// twins are, for each row, the first row with the same row of K in the dual form;
// in the primal form the row itself, since equal features give equal scores to
// the rounding that row looks for.
func (p *Pencil) twins() []int32 {
	twin := all(p.L.Dim())
	if r, ok := p.rows.(*dualRows); ok {
		for i, j := range r.twin() {
			twin[i] = j
		}
	}
	return twin
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
	if b, ok := l.(*pref.Blocks); ok {
		b.DiagonalTo(diagonal)
		return diagonal
	}
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
	s.times(&s.q, s.w, s.inv, s.w, lo, hi)
	switch {
	case s.weight == 0:
		s.times(&s.g, s.v, s.inv, s.w, lo, hi)
		s.times(&s.gt, s.w, s.inv, s.v, lo, hi)
	case s.p.dual:
		s.times(&s.g, s.w, s.ratio, s.w, lo, hi)
		s.gt = s.g
	default:
		g := sized(&s.g, s.q.Rows, s.q.Cols)
		for x, v := range s.q.Data {
			g.Data[x] = v / s.weight
		}
		s.gt = s.g
	}
	if !s.p.dual {
		s.subtractFromL(lo, hi)
	}
}

// times sets dst to rows [lo,hi) of A diag(d) Bᵀ, from column lo on.
func (s *pairSweep) times(dst *linalg.Mat, a linalg.Mat, d []float64, b linalg.Mat, lo, hi int) {
	m, k, n := a.Rows, a.Cols, hi-lo
	scaled := sized(&s.scaled, n, k)
	parallel.Chunks(n, 16, func(_, from, to int) {
		for r := from; r < to; r++ {
			row := scaled.Row(r)
			for j, x := range a.Row(lo + r) {
				row[j] = x * d[j]
			}
		}
	})
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, scaled, b.Slice(lo, m, 0, k), 0, sized(dst, n, m-lo))
}

// subtractFromL turns the panel of WDWᵀ into that of λQ = L − WDWᵀ.
func (s *pairSweep) subtractFromL(lo, hi int) {
	m, n := s.p.L.Dim(), hi-lo
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

// pairRow is what the pairs of one row share over the outputs: the held-out
// predictions are f_i − α a_i − β a_j and f_j − γ a_i − δ a_j.
//
// onI and onJ are |α|+|γ| and |β|+|δ|.
type pairRow struct{ alpha, beta, gamma, delta, onI, onJ, fi, fj []float64 }

// row emits the pairs of row lo+a for every output.
func (s *pairSweep) row(worker, lo, a int, emit func(worker, i, c int, fi, fj []float64)) {
	i, m := lo+a, len(s.qii)
	n := m - i - 1
	if n == 0 {
		return
	}
	r := &s.rows[worker]
	if r.fi == nil {
		for _, part := range []*[]float64{&r.alpha, &r.beta, &r.gamma, &r.delta, &r.onI, &r.onJ, &r.fi, &r.fj} {
			*part = make([]float64, m)
		}
	}
	s.combine(r, i, s.q.Row(a)[a+1:], s.g.Row(a)[a+1:], s.gt.Row(a)[a+1:])
	alpha, beta, gamma, delta := r.alpha[:n], r.beta[:n], r.gamma[:n], r.delta[:n]
	onI, onJ, fi, fj := r.onI[:n], r.onJ[:n], r.fi[:n], r.fj[:n]
	for b := range onI {
		onI[b] = math.Abs(alpha[b]) + math.Abs(gamma[b])
		onJ[b] = math.Abs(beta[b]) + math.Abs(delta[b])
	}
	twin, twins := s.twin[i], s.twin[i+1:]
	for c := range s.f.Rows {
		f, ai, fc, ac := s.f.Row(c)[i], s.a.Row(c)[i], s.f.Row(c)[i+1:], s.a.Row(c)[i+1:]
		fsize, asize, fsizes, asizes := s.fsize.Row(c)[i], s.asize.Row(c)[i], s.fsize.Row(c)[i+1:], s.asize.Row(c)[i+1:]
		for b, aj := range ac {
			x := f - alpha[b]*ai - beta[b]*aj
			y := fc[b] - gamma[b]*ai - delta[b]*aj
			// Within rounding of each other they are equal: rows that are alike,
			// or of which nothing is known, tie in exact arithmetic.
			if math.Abs(x-y) <= 16*epsilon*(fsize+fsizes[b]+onI[b]*asize+onJ[b]*asizes[b]) || twins[b] == twin {
				y = x
			}
			fi[b], fj[b] = x, y
		}
		emit(worker, i, c, fi, fj)
	}
}

// combine fills r from the parts of row i of Q, GL and (GL)ᵀ right of the
// diagonal: GL times the inverse of Q_HH for each pair.
func (s *pairSweep) combine(r *pairRow, i int, q, g, gt []float64) {
	qi, gii := s.qii[i], s.gii[i]
	for b := range q {
		j := i + 1 + b
		qj, qij, gjj := s.qii[j], q[b], s.gii[j]
		gij, gji := g[b]+s.beside[j], gt[b]+s.beside[i]
		if int32(j) == s.partner[i] {
			// The pair is a component: its constant has no effect, and δ is
			// along (1,−1), where Q is qi + qj − 2 qij.
			curvature := 1 / (qi + qj - 2*qij)
			r.alpha[b], r.gamma[b] = (gii-gij)*curvature, (gji-gjj)*curvature
			r.beta[b], r.delta[b] = -r.alpha[b], -r.gamma[b]
			continue
		}
		det := 1 / (qi*qj - qij*qij)
		r.alpha[b], r.beta[b] = (gii*qj-gij*qij)*det, (gij*qi-gii*qij)*det
		r.gamma[b], r.delta[b] = (gji*qj-gjj*qij)*det, (gjj*qi-gji*qij)*det
	}
}
