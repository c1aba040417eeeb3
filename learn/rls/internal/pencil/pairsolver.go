package pencil

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// pairRows is what the pairs share at every λ.
type pairRows struct {
	p           *Pencil
	weight      float64    // c, or 0
	v, w        linalg.Mat // m×k; V in the general case only
	mean        []float64  // v̄, nil where there is none
	partner     []int32    // the other row of a component of two, else −1
	duplicateOf []int32    // the first row that equals it
}

// newPairRows computes V and W, in O(mk²) in the primal form and at once in the dual one of
// a single list.
func (p *Pencil) newPairRows() *pairRows {
	s := &pairRows{p: p, partner: p.partners(), duplicateOf: p.Equal()}
	if b, ok := p.L.(*pref.Blocks); ok {
		s.weight, _ = b.ListWeight()
	}
	switch r, dual := p.rows.(*dualRows); {
	case dual:
		s.w = r.w
		if s.weight == 0 {
			s.v = r.full()
		} else if p.Centred {
			s.mean = r.means().Row(0)
		}
	case s.weight == 0:
		stored := p.stored().(*storedRows)
		s.v, s.w = stored.v, stored.w
	default:
		s.setListRows(p.rows.(*primalRows))
	}
	return s
}

// setListRows sets W and v̄ of a single list, or of regression, in the primal form, panel by
// panel: V is W/c and v̄.
func (s *pairRows) setListRows(rows *primalRows) {
	m, k := s.p.L.Dim(), len(s.p.Eigenvalues)
	s.w = linalg.NewMat(m, k)
	const panel = 4096
	r, every := linalg.NewMat(min(panel, m), k), all(m)
	for lo := 0; lo < m; lo += panel {
		hi := min(lo+panel, m)
		part := r.Slice(0, hi-lo, 0, k)
		rows.source.RowsTo(part, every[lo:hi])
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, part, rows.u, 0, s.w.Slice(lo, hi, 0, k))
	}
	if !s.p.Centred {
		return
	}
	s.mean = make([]float64, k)
	for i := range m {
		linalg.Axpy(1/float64(m), s.w.Row(i), s.mean)
	}
	parallel.Chunks(m, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := s.w.Row(i)
			for j, v := range s.mean {
				row[j] = s.weight * (row[j] - v)
			}
		}
	})
	for j, v := range rows.constant {
		s.mean[j] += v
	}
}

// at is the solver of all pairs at one λ, in O(mk) for each output.
func (r *pairRows) at(lambda float64) *pairSolver {
	p := r.p
	m, k := p.L.Dim(), len(p.Eigenvalues)
	s := &pairSolver{pairRows: r, lambda: lambda, inv: make([]float64, k), ratio: make([]float64, k),
		qii: make([]float64, m), gii: make([]float64, m), columnConstant: make([]float64, m)}
	p.shiftTo(s.inv, lambda)
	for j, d := range p.Eigenvalues {
		s.inv[j] = 1 / s.inv[j]
		s.ratio[j] = s.inv[j] / max(s.weight, 1e-300)
		if p.dual {
			s.ratio[j] *= d
		}
	}
	clear(s.ratio[:p.nullCount(lambda)])
	s.predict(lambda, s.mean)
	s.diagonals()
	s.rows = make([]pairRow, parallel.Workers())
	return s
}

// predict fills f and a, and g.
func (s *pairSolver) predict(lambda float64, mean []float64) {
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
	linalg.Gemv(linalg.NoTrans, 1, s.w, weighted, 0, s.columnConstant)
	for c := range v {
		for i := range m {
			s.f.Row(c)[i] += shift[c]
		}
	}
}

// sizes fills fsize and asize, by which rounding in f and a is measured. shift is
// what is added to every f.
func (s *pairSolver) sizes(dc, fc linalg.Mat, shift []float64) {
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
func (s *pairSolver) diagonals() {
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
		s.qii[i], s.gii[i] = q, g+s.columnConstant[i]
	})
	if !p.dual {
		diagonal := pref.Diagonal(p.L)
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
