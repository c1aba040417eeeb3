package pencil

import (
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// inverted is what the pairs of a single list, or of regression, need in the dual form at one λ: Q = F (FKF + λI)⁻¹ F
// by Cholesky, without eigenvectors. With L = cC, C the centring or I,
//
//	a = Qr/c   CKQ = (L − λQ)/c   CKa = (r − λa)/c   1gᵀ = 1k̄ᵀQ with the mean k̄ of the rows of K
//
// The bounds of rounding take norms, which eigenvectors do not change: of x = a/√c, DW_i = Q_i/√c, and DV_i = (C_i −
// λQ_i/c + g)/√c. C of the Pencil is F⁺r.
type inverted struct {
	lambda  float64
	q       linalg.Mat
	mean, g []float64 // k̄, with Constant, nil for regression, and g
	squares []float64 // ‖Q_i‖²
}

// InvertDual factors as FactorDual does, for the pairs at one λ alone: a Cholesky factor and an inverse, m³ operations
// instead of some 9 m³, with the digits of the eigenvectors. k is only read. It returns ErrNotPositive unless L is that
// of a single list of at least three rows, or of regression, and λ is so large that no eigenvector counts as null, but
// not so much above all eigenvalues that the differences lose digits.
func InvertDual(k linalg.Mat, problem Problem, lambda float64) (*Pencil, error) {
	m := k.Rows
	c, list := goals.BlocksOf(problem.L).ListWeight()
	if !list || m < 3 {
		return nil, ErrNotPositive
	}
	root, _ := problem.roots()
	q, p := k.Clone(), &Pencil{Problem: problem, dual: true, largest: largestEntry(k)}
	root.upperCongruence(q)
	size, trace, norm := frobenius(q), 0.0, root.normBound()
	for i := range m {
		trace += q.Row(i)[i]
		q.Row(i)[i] += lambda
	}
	p.EigenError = relativeEigenError * max(congruenceSize(norm, p.largest), size)
	if !(lambda >= scoreDigits*p.EigenError && lambda*trace <= digits*size*size) { // the largest is size²/trace at least
		return nil, ErrNotPositive
	}
	if p.Centred { // F removes constants: their inverse is to be no larger than others, for 1/λ takes digits of all
		for i := range m {
			for j := range q.Row(i)[i:] {
				q.Row(i)[i+j] += size / float64(m)
			}
		}
	}
	if _, ok := linalg.Cholesky(linalg.Upper, q); !ok {
		return nil, ErrNotPositive
	}
	linalg.CholeskyInverse(q)
	root.upperCongruence(q)
	linalg.Symmetrize(linalg.Upper, q)
	o := &inverted{lambda: lambda, q: q, g: make([]float64, m), squares: make([]float64, m)}
	if p.Centred {
		o.mean = averages(k, [][]int32{all(m)}, nil).Row(0)
		if p.Constant != nil {
			linalg.Axpy(1, p.Constant, o.mean)
		}
		linalg.Symv(linalg.Upper, 1, q, o.mean, 0, o.g)
	}
	parallel.For(m, func(_, i int) { o.squares[i] = linalg.Dot(q.Row(i), q.Row(i)) })
	p.inverted = o
	p.setCoordinates(c)
	p.setSizes(norm, size, m)
	return p, nil
}

// setCoordinates sets C = F⁺r = r/√c.
func (p *Pencil) setCoordinates(c float64) {
	p.C = linalg.NewMat(p.R.Rows, p.R.Cols)
	for i := range p.R.Rows {
		linalg.Axpy(1/sqrt(c), p.R.Row(i), p.C.Row(i))
	}
}

// fromInverse is the solver of all pairs at the λ of the inverse, in O(m²) for each output.
func (r *pairRows) fromInverse() *pairSolver {
	p, o, c := r.p, r.p.inverted, r.weight
	m, v := p.L.Dim(), p.Outputs()
	s := &pairSolver{pairRows: r, lambda: o.lambda, rows: make([]pairRow, parallel.Workers())}
	s.f, s.a, s.fsize, s.asize = linalg.NewMat(v, m), linalg.NewMat(v, m), linalg.NewMat(v, m), linalg.NewMat(v, m)
	s.terms = make([]pairTerms, v)
	right := make([]float64, m)
	for k := range v {
		a, f := s.a.Row(k), s.f.Row(k)
		for i := range right {
			right[i] = p.R.Row(i)[k] / c
		}
		linalg.Symv(linalg.Upper, 1, o.q, right, 0, a)
		shift := 0.0
		if o.mean != nil {
			shift = linalg.Dot(o.mean, a)
		}
		for i, y := range right {
			f[i] = y - o.lambda/c*a[i] + shift
		}
		x := linalg.Nrm2(a) / sqrt(c)
		s.terms[k] = pairTerms{x, p.sizes.right[k] + (p.sizes.system+o.lambda)*x, sqrt(max(0, linalg.Dot(right, a)))}
	}
	s.qii, s.gii, s.columnConstant = make([]float64, m), make([]float64, m), o.g
	s.dv, s.dw, s.inners = make([]float64, m), make([]float64, m), make([]float64, m)
	mean := linalg.Nrm2(o.g) / sqrt(c)
	for i := range m {
		q, whole, share := o.q.Row(i)[i], r.omega[i]*r.omega[i]/c, o.lambda/c
		s.qii[i], s.gii[i] = q, whole-share*q+o.g[i]
		moved := whole - 2*share*q + share*share*o.squares[i] // ‖C_i − λQ_i/c‖²
		s.setSizes(i, sqrt((max(0, moved)+4*epsilon*whole)/c)+mean, sqrt(o.squares[i]/c))
	}
	return s
}

// pairNorms are those of pairSolver.
func (o *inverted) pairNorms(s *pairSolver, h pairSystem, di, dj float64) (x, g float64) {
	a, qi, qj, of := s.a.Row(h.c), o.q.Row(h.i), o.q.Row(h.j), make([]float64, len(s.qii))
	for l, v := range a {
		of[l] = v - qi[l]*di - qj[l]*dj
	}
	x = linalg.Nrm2(of)
	off, share := s.offDiagonal()/s.weight, s.lambda/s.weight
	for k, i := range [2]int{h.i, h.j} {
		for l, v := range o.q.Row(i) {
			of[l] = s.columnConstant[l] + off - share*v - h.on[2*k]*qi[l] - h.on[2*k+1]*qj[l]
		}
		of[i]++
		g += linalg.Nrm2(of)
	}
	return x / sqrt(s.weight), g / sqrt(s.weight)
}
