package pencil

import (
	"slices"

	"pairrank/internal/linalg"
)

// productSizes holds the numbers for bounds of predictions from weights that solve a system of
// moments.
type productSizes struct {
	kappa   []float64  // κ_h
	weights []float64  // ‖x‖ for output c of λ l at l·v + c
	longest float64    // the largest κ_h
	turned  linalg.Mat // Qᵀv_h for QTQᵀ = A' of the rows that are known
	known   []bool
	least   float64    // a number below the eigenvalues of A', or 0
	bounds  linalg.Mat // h×v
	g       []float64  // memory of a row
}

func (r *productSizes) prepare(p *Pencil, w, rows linalg.Mat) {
	r.kappa, r.weights, r.known = grown(r.kappa, rows.Rows), grown(r.weights, w.Rows), grown(r.known, rows.Rows)
	clear(r.known)
	sized(&r.turned, rows.Rows, w.Cols)
	for a := range r.kappa {
		r.kappa[a] = linalg.Nrm2(rows.Row(a)) + p.sizes.row
	}
	for l := range r.weights {
		r.weights[l] = linalg.Nrm2(w.Row(l))
	}
	r.longest = largestAbs(r.kappa)
}

// setLeast finds, to a factor of four, a lower bound on the eigenvalues of A', unless it is much
// below the least λ: T minus this bound is positive definite.
func (s *scratch) setLeast(p *Pencil, lambdas []float64) {
	r, k := &s.products, len(p.Eigenvalues)
	r.g, r.least = grown(r.g, k), 0
	if k == 0 {
		return
	}
	clear(r.g)
	for try := p.Eigenvalues[k-1] / 2; 4*try > slices.Min(lambdas); try /= 4 {
		if s.tri.SolveShifted(-try, r.g, r.g) {
			r.least = try
			return
		}
	}
}

// right is E of output c.
func (r *productSizes) right(p *Pencil, lambda float64, c int, x float64) float64 {
	return p.sizes.right[c] + (p.sizes.system+lambda)*x
}

// productRounding is the rounding of the predictions f of rows at λ number l. Most uses ‖g_h‖ ≤
// κ_h/(λ + least).
func (s *scratch) productRounding(p *Pencil, lambda float64, l int, rows, f linalg.Mat) *Rounding {
	r, v := &s.products, p.Outputs()
	s.rounding = Rounding{maxAbs: largestOf(f), each: sized(&r.bounds, f.Rows, v)}
	s.known = grown(s.known, f.Rows)
	s.rounding.later(s.known, func(a int) { s.productBound(p, lambda, l, rows, a) })
	for c, x := range r.weights[l*v : (l+1)*v] {
		s.rounding.most = max(s.rounding.most, atMost*errorUnit*r.longest*(x+r.right(p, lambda, c, x)/(lambda+r.least)))
	}
	return &s.rounding
}

// productBound sets the bounds of row a at λ number l, in O(k² + vk).
func (s *scratch) productBound(p *Pencil, lambda float64, l int, rows linalg.Mat, a int) {
	r, v := &s.products, p.Outputs()
	turned := r.turned.Row(a)
	if !r.known[a] {
		r.known[a] = true
		copy(turned, rows.Row(a))
		if p.Constant != nil {
			linalg.Axpy(1, p.Constant, turned)
		}
		s.tri.MulQT(r.turned.Slice(a, a+1, 0, len(turned)))
	}
	p.solveTridiagonal(s.tri, lambda, r.g, turned)
	g := linalg.Nrm2(r.g)
	for c, x := range r.weights[l*v : (l+1)*v] {
		s.rounding.each.Row(a)[c] = errorUnit * (r.kappa[a]*x + g*r.right(p, lambda, c, x))
	}
}
