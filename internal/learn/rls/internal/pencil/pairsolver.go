package pencil

import (
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// pairRows holds the numbers that the pairs share at every λ.
type pairRows struct {
	p           *Pencil
	weight      float64    // c, or 0
	v, w        linalg.Mat // m×k; V in the general case only
	right       linalg.Mat // m×v: r
	mean        []float64  // v̄, nil where there is none
	partner     []int32    // the other row of a component of two, else −1
	duplicateOf []int32    // the first row that equals it
	diagonal    []float64  // of L; nil in the dual form
	omega       []float64  // norms of the rows of W
	kappa       []float64  // κ of the bounds of rounding; nil where it is that of all rows
	list        *massList  // of a single list of rows with weights, else nil
}

// newPairRows computes V and W, in O(mk²) in the primal form. The dual form of a single list has
// them.
func (p *Pencil) newPairRows() *pairRows {
	s := &pairRows{p: p, right: p.R, partner: p.partners(), duplicateOf: p.Equal()}
	if !p.dual {
		s.diagonal = goals.Diagonal(p.L)
	}
	s.weight, _ = goals.BlocksOf(p.L).ListWeight()
	switch r, dual := p.rows.(*dualRows); {
	case p.inverted != nil:
		s.w = linalg.Mat{Rows: p.L.Dim()} // only its rows are counted
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
	if s.weight == 0 {
		s.list = newMassList(goals.BlocksOf(p.L), s.v)
	}
	s.setNorms()
	return s
}

// setNorms sets the norms of the rows.
func (s *pairRows) setNorms() {
	m := s.w.Rows
	s.omega = make([]float64, m)
	if !s.p.dual {
		s.kappa = make([]float64, m)
	}
	mean := linalg.Nrm2(s.mean)
	parallel.Chunks(m, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.omega[i] = linalg.Nrm2(s.w.Row(i))
			switch {
			case s.p.inverted != nil:
				s.omega[i] = sqrt(s.weight)
				if s.p.Centred {
					s.omega[i] *= sqrt(1 - 1/float64(m))
				}
			case s.p.dual:
			case s.weight != 0:
				s.kappa[i] = s.omega[i]/s.weight + mean + s.p.sizes.row
			default:
				s.kappa[i] = linalg.Nrm2(s.v.Row(i)) + s.p.sizes.row
			}
		}
	})
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
	if r.p.inverted != nil {
		return r.fromInverse()
	}
	if r.weight != 0 {
		b := &pairBlock{r: r}
		b.compute([]float64{lambda})
		return b.solver()
	}
	p, s := r.p, &pairSolver{rows: make([]pairRow, parallel.Workers())}
	m, k := r.w.Rows, len(p.Eigenvalues)
	s.pairRows, s.lambda, s.inv = r, lambda, make([]float64, k)
	s.qii, s.gii, s.columnConstant = make([]float64, m), make([]float64, m), make([]float64, m)
	s.dv, s.dw, s.inners = make([]float64, m), make([]float64, m), make([]float64, m)
	p.shiftTo(s.inv, lambda)
	for j, e := range s.inv {
		s.inv[j] = 1 / e
	}
	s.predict()
	s.diagonals()
	if s.comparesList() {
		s.ratio = make([]float64, k)
		s.setConstants()
	}
	return s
}

// predict fills f and a in the general case.
func (s *pairSolver) predict() {
	m, v := s.w.Rows, s.p.Outputs()
	dc := s.p.shifted(s.lambda)
	s.f, s.a = linalg.NewMat(v, m), linalg.NewMat(v, m)
	s.fsize, s.asize = linalg.NewMat(v, m), linalg.NewMat(v, m)
	linalg.Gemm(linalg.T, linalg.T, 1, dc, s.w, 0, s.a)
	linalg.Gemm(linalg.T, linalg.T, 1, dc, s.v, 0, s.f)
	s.setTerms()
}

// diagonals fills those of Q and GL in the general case, and in the primal form turns WDWᵀ
// and WDC into λQ and λa.
func (s *pairSolver) diagonals() {
	m := s.w.Rows
	parallel.For(m, func(_, i int) {
		q, g, dv, dw := 0.0, 0.0, 0.0, 0.0
		for j, x := range s.w.Row(i) {
			d := s.inv[j]
			v := s.v.Row(i)[j] * d
			q += x * d * x
			g += v * x
			dv += v * v
			dw += x * d * x * d
		}
		s.qii[i], s.gii[i] = q, g
		s.setSizes(i, sqrt(dv), sqrt(dw))
	})
	if !s.p.dual {
		for i := range m {
			s.qii[i] = s.diagonal[i] - s.qii[i]
			for c, r := range s.right.Row(i) {
				s.a.Row(c)[i] = r - s.a.Row(c)[i]
			}
		}
	}
	s.setLone(0, m)
}

// setLone makes Q invertible at rows of [lo,hi) without any comparison, where a_i is 0 and so
// is δ_i.
func (s *pairSolver) setLone(lo, hi int) {
	for i := lo; i < hi; i++ {
		if s.qii[i] == 0 {
			s.qii[i] = 1
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
