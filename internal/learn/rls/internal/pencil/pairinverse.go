package pencil

import (
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// inverted is what leaves rows out in the dual form at one λ, of queries with tied pairs and without weights of rows,
// or of regression: Q = F (FKF + λI)⁻¹ F by Cholesky, without eigenvectors. With L = cC, where C centres each query, or
// is I, and c is a number of each query, and with products entry by entry,
//
//	a = Q(r/c)   CKQ = (L − λQ)/c   CKa = (r − λa)/c   g = k̄ᵀQ with the mean k̄ of the rows of K of a query
//
// The bounds of rounding take norms, which eigenvectors do not change: of x = a/√c, DW_i = Q_i/√c, and DV_i = (C_i −
// λQ_i/c + g)/√c. C of the Pencil is F⁺r.
type inverted struct {
	lambda  float64
	k, q    linalg.Mat
	c       []float64  // of each row; 0 where its query compares nothing
	set     []int32    // the row of means and moves of each row; −1 for none
	means   linalg.Mat // k̄ of each query, with Constant
	moves   linalg.Mat // g of each query
	squares []float64  // ‖Q_i‖²
}

// InvertDual factors as FactorDual does, for HoldOut, and the pairs of a single list or of regression, at one λ alone:
// a Cholesky factor and an inverse, m³ operations instead of some 9 m³, with the digits of the eigenvectors. It keeps
// k, and returns ErrNotPositive unless L is that of queries with tied pairs, or of regression, of at least three rows
// without weights, the rows differ beyond rounding, and λ is so large that no eigenvector counts as null, but not so
// much above all eigenvalues that the differences lose digits.
func InvertDual(k linalg.Mat, problem Problem, lambda float64) (*Pencil, error) {
	m := k.Rows
	b := goals.BlocksOf(problem.L)
	if b == nil || b.Weights() != nil || m < 3 {
		return nil, ErrNotPositive
	}
	if classes, _ := b.Classes(); classes != nil {
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
	if !(lambda >= scoreDigits*p.EigenError && lambda*trace <= digits*size*size) || // the largest is size²/trace at least
		size <= 16*epsilon*sqrt(float64(m))*p.largest*slices.Max(b.Diag()) {
		return nil, ErrNotPositive
	}
	o := &inverted{lambda: lambda, k: k, q: q, c: b.Diag(), squares: make([]float64, m)}
	set, sets := nullSets(b, p.Centred)
	raiseConstants(q, sets, size)
	if _, ok := linalg.Cholesky(linalg.Upper, q); !ok {
		return nil, ErrNotPositive
	}
	linalg.CholeskyInverse(q)
	if !UpperSuffices(p.L) {
		linalg.Symmetrize(linalg.Upper, q)
	}
	root.upperCongruence(q)
	linalg.Symmetrize(linalg.Upper, q)
	if o.set = set; len(sets) > 0 {
		o.means = averages(k, sets, nil)
		addToRows(o.means, p.Constant)
		if o.moves = linalg.NewMat(len(sets), m); len(sets) == 1 {
			linalg.Symv(linalg.Upper, 1, q, o.means.Row(0), 0, o.moves.Row(0))
		} else {
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, o.means, q, 0, o.moves)
		}
	}
	parallel.For(m, func(_, i int) { o.squares[i] = linalg.Dot(q.Row(i), q.Row(i)) })
	p.inverted = o
	p.setCoordinates()
	p.setSizes(norm, size, m)
	return p, nil
}

// raiseConstants adds size to the eigenvalue of the constants of each set, in the upper triangle of q. F removes
// constants: their inverse is to be no larger than others, for 1/λ takes digits.
func raiseConstants(q linalg.Mat, sets [][]int32, size float64) {
	for _, rows := range sets {
		parallel.Chunks(len(rows), 16, func(_, lo, hi int) {
			for a := lo; a < hi; a++ {
				row := q.Row(int(rows[a]))
				for _, j := range rows[a:] {
					row[j] += size / float64(len(rows))
				}
			}
		})
	}
}

// invertedCoefficients are r/c and a of each output, v×m.
func (p *Pencil) invertedCoefficients() (right, a linalg.Mat) {
	v, m := p.Outputs(), len(p.inverted.c)
	right, a = linalg.NewMat(v, m), linalg.NewMat(v, m)
	for k := range v {
		for i, c := range p.inverted.c {
			if c > 0 {
				right.Row(k)[i] = p.R.Row(i)[k] / c
			}
		}
		linalg.Symv(linalg.Upper, 1, p.inverted.q, right.Row(k), 0, a.Row(k))
	}
	return right, a
}

// setCoordinates sets C = F⁺r = r/√c.
func (p *Pencil) setCoordinates() {
	p.C = linalg.NewMat(p.R.Rows, p.R.Cols)
	for i, c := range p.inverted.c {
		if c > 0 {
			linalg.Axpy(1/sqrt(c), p.R.Row(i), p.C.Row(i))
		}
	}
}

// fromInverse is the solver of all pairs at the λ of the inverse, in O(m²) for each output.
func (r *pairRows) fromInverse() *pairSolver {
	p, o, c := r.p, r.p.inverted, r.weight
	m, v := p.L.Dim(), p.Outputs()
	s := &pairSolver{pairRows: r, lambda: o.lambda, rows: make([]pairRow, parallel.Workers())}
	s.f, s.fsize, s.asize = linalg.NewMat(v, m), linalg.NewMat(v, m), linalg.NewMat(v, m)
	s.terms = make([]pairTerms, v)
	rights, coefficients := p.invertedCoefficients()
	s.a, s.columnConstant = coefficients, make([]float64, m)
	if p.Centred {
		s.columnConstant = o.moves.Row(0)
	}
	for k := range v {
		right, a, f, shift := rights.Row(k), s.a.Row(k), s.f.Row(k), 0.0
		if p.Centred {
			shift = linalg.Dot(o.means.Row(0), a)
		}
		for i, y := range right {
			f[i] = y - o.lambda/c*a[i] + shift
		}
		x := linalg.Nrm2(a) / sqrt(c)
		s.terms[k] = pairTerms{x, p.sizes.right[k] + (p.sizes.system+o.lambda)*x, sqrt(max(0, linalg.Dot(right, a)))}
	}
	s.qii, s.gii = make([]float64, m), make([]float64, m)
	s.dv, s.dw, s.inners = make([]float64, m), make([]float64, m), make([]float64, m)
	mean := linalg.Nrm2(s.columnConstant) / sqrt(c)
	for i := range m {
		q, whole, share := o.q.Row(i)[i], r.omega[i]*r.omega[i]/c, o.lambda/c
		s.qii[i], s.gii[i] = q, whole-share*q+s.columnConstant[i]
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
