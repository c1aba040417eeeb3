package pencil

import (
	"math"

	"pairrank/internal/linalg"
)

// lemmaSizes holds the numbers that the bounds of a group by the lemma need in addition to its
// system.
type lemmaSizes struct {
	omega     []float64  // ω_a: norms of the rows of W_H
	kappa     []float64  // κ_h
	squares   linalg.Mat // v_hᵀDv_h, a row for each λ
	diagonal  linalg.Mat // q_a, a row for each λ
	least     []float64  // the least pivot of each λ
	solutions []float64  // ‖x‖ for output c of λ l at l·v + c
	bounds    linalg.Mat // h×v
	// For one row: ‖g_h‖ and X_h, and memory. factored is the λ whose system is in s.q, −1 for
	// none; indefinite says that it has no factor.
	g          float64
	x, row     []float64
	factored   int
	indefinite bool
}

// prepareSizes sets the sizes that do not depend on λ.
func (s *scratch) prepareSizes(p *Pencil, lambdas int) {
	n := s.w.Rows
	s.omega, s.kappa = grown(s.omega, n), grown(s.kappa, n)
	for a := range n {
		s.omega[a], s.kappa[a] = linalg.Nrm2(s.w.Row(a)), p.sizes.row
		if !p.dual {
			s.kappa[a] += linalg.Nrm2(s.v.Row(a))
		}
	}
	sized(&s.diagonal, lambdas, n)
	if n > 1 {
		of := sized(&s.values, n, s.v.Cols)
		squaresTo(of.Data, s.v.Data)
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, s.res.inverse, of, 0, sized(&s.squares, lambdas, n))
	}
	s.least = grown(s.least, lambdas)
}

// takeDiagonal keeps q_a of the system at λ l, before it is factored.
func (s *scratch) takeDiagonal(p *Pencil, l int) {
	from := s.q
	if !p.dual {
		from = s.lhh
	}
	for a := range s.diagonal.Row(l) {
		s.diagonal.Row(l)[a] = sqrt(from.Row(a)[a])
	}
}

// terms are ‖x‖, E and γ + Σ_b q_b|δ_b| of output c at λ l.
func (s *scratch) terms(p *Pencil, l, c int) (x, right, inner float64) {
	at := l*p.Outputs() + c
	x, inner = s.solutions[at], s.res.gamma[at]
	right = p.sizes.right[c] + (p.sizes.system+s.res.lambdas[l])*x
	for b, q := range s.diagonal.Row(l) {
		size := math.Abs(s.delta.Row(b)[at])
		right += s.omega[b] * size
		inner += q * size
	}
	return x, right, inner
}

// lemmaRounding is the rounding of the predictions f at λ l. The bounds of a single row are known.
// For several rows they need another system, and Most comes from norms of its parts, with D over
// the columns where v_h is not 0. μ stands for the least eigenvalue of Q, its estimate divided by
// 4h:
//
//	‖g_h‖² ≤ ‖D‖ v_hᵀDv_h               ‖X_h‖² ≤ v_hᵀDv_h/μ          dual
//	‖g_h‖ ≤ ‖D‖ ‖v_h‖ (1 + max q_a²/μ)  ‖X_h‖² ≤ max q_a² v_hᵀDv_h/μ²  primal
func (s *scratch) lemmaRounding(p *Pencil, l int, f linalg.Mat) *Rounding {
	s.rounding = Rounding{maxAbs: largestOf(f), each: sized(&s.bounds, f.Rows, f.Cols)}
	s.indefinite = false
	if f.Rows == 1 {
		s.lemmaBound(p, l, 0)
		s.rounding.most = largestAbs(s.rounding.each.Row(0))
		return &s.rounding
	}
	s.factored = -1
	s.known = grown(s.known, f.Rows)
	s.rounding.later(s.known, func(a int) { s.lemmaBound(p, l, a) })
	root := s.res.root.Row(l)
	t := largestAbs(s.squares.Row(l))
	least := s.least[l] / float64(4*f.Rows)
	g, x := root[p.nullity()]*sqrt(t), sqrt(t/least)
	if !p.dual {
		whole := largestAbs(s.diagonal.Row(l))
		g, x = root[0]*root[0]*largestAbs(s.kappa)*(1+whole*whole/least), x*whole/sqrt(least)
	}
	for c := range f.Cols {
		size, right, inner := s.terms(p, l, c)
		below := 0.0
		for a, q := range s.diagonal.Row(l) {
			below = math.Hypot(below, s.omega[a]*size+q*inner)
		}
		s.rounding.most = max(s.rounding.most, atMost*errorUnit*(largestAbs(s.kappa)*size+g*right+x*below))
	}
	return &s.rounding
}

// lemmaBound sets the bounds of row a at λ l, in O(h(k + h)). For the first row of a λ it factors
// the system again.
func (s *scratch) lemmaBound(p *Pencil, l, a int) {
	x := s.sensitivity(p, l, a)
	bounds := s.rounding.each.Row(a)
	for c := range bounds {
		size, right, inner := s.terms(p, l, c)
		sum := s.kappa[a]*size + s.g*right
		for b, q := range s.diagonal.Row(l) {
			sum += math.Abs(x[b]) * (s.omega[b]*size + q*inner)
		}
		bounds[c] = errorUnit * sum
		if s.indefinite {
			bounds[c] = s.rounding.most
		}
	}
}

// sensitivity sets ‖g_h‖ of row a at λ l, and returns X_h.
func (s *scratch) sensitivity(p *Pencil, l, a int) (x []float64) {
	n, sign, null := s.w.Rows, 1.0, p.nullCount(s.res.lambdas[l])
	if p.dual {
		sign = -1
	}
	s.x = grown(s.x, n)
	v, inverse := s.v.Row(a)[null:], s.res.inverse.Row(l)[null:]
	if n == 1 {
		w, sum, norm := s.w.Row(0)[null:][:len(v)], 0.0, 0.0
		for j, d := range inverse[:len(v)] {
			sum += v[j] * d * w[j]
		}
		sum /= s.least[l]
		s.x[0] = sum
		sum *= sign
		for j, d := range inverse[:len(v)] {
			g := d * (v[j] + sum*w[j])
			norm += g * g
		}
		s.g = sqrt(norm)
		return s.x
	}
	if s.factored != l {
		p.residualMatrix(s, l)
		_, ok := linalg.Cholesky(linalg.Upper, s.q)
		s.factored, s.indefinite = l, !ok
	}
	k := s.w.Cols
	g, root := grown(s.row, k), s.res.root.Row(l)
	s.row = g
	clear(g[:null])
	for j := null; j < k; j++ {
		g[j] = s.v.Row(a)[j] * root[j]
	}
	for b := range n {
		s.x[b] = linalg.Dot(s.scaled.Row(b), g) // W D v
	}
	if s.indefinite {
		return s.x
	}
	linalg.Trsv(linalg.Upper, linalg.T, s.q, s.x)
	linalg.Trsv(linalg.Upper, linalg.NoTrans, s.q, s.x)
	for b, y := range s.x {
		linalg.Axpy(sign*y, s.scaled.Row(b), g)
	}
	for j := range g {
		g[j] *= root[j]
	}
	s.g = linalg.Nrm2(g)
	return s.x
}

// nullity is the number of eigenvectors, from the first, that are constants of components. v_h is 0
// in them.
func (p *Pencil) nullity() int {
	if !p.dual || !p.Centred {
		return 0
	}
	return min(p.L.Components().Len(), len(p.Eigenvalues)-1)
}
