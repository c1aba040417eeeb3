package pencil

import (
	"math"
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
	g       linalg.Mat // memory of a row: its g_h at a few λ
	norms   linalg.Mat // ‖g_h‖, a row for each row of the group
	done    []bool     // which few λ of a row have norms
	table   []int32    // memory of equalRows: places of rows plus one, by their norms
	equal   [][2]int32
}

func (r *productSizes) prepare(p *Pencil, w, rows linalg.Mat) {
	n := w.Rows / p.Outputs() // λ
	few := (n + fewLambdas - 1) / fewLambdas
	r.kappa, r.weights, r.known = grown(r.kappa, rows.Rows), grown(r.weights, w.Rows), grown(r.known, rows.Rows)
	r.done = grown(r.done, rows.Rows*few)
	clear(r.known)
	clear(r.done)
	sized(&r.norms, rows.Rows, n)
	sized(&r.turned, rows.Rows, w.Cols)
	for a := range r.kappa {
		r.kappa[a] = linalg.Nrm2(rows.Row(a)) + p.sizes.row
	}
	for l := range r.weights {
		r.weights[l] = linalg.Nrm2(w.Row(l))
	}
	r.longest = largestAbs(r.kappa)
}

// equalRows returns the places of rows that equal an earlier row, each with one that it equals, in
// O(hk). It looks for them among few rows of the same norm, and so may miss some where many
// different rows have one norm.
func (r *productSizes) equalRows(rows linalg.Mat) [][2]int32 {
	const probes = 8
	size := 16
	for size < 2*rows.Rows {
		size *= 2
	}
	r.table, r.equal = grown(r.table, size), r.equal[:0]
	clear(r.table)
	for b, norm := range r.kappa {
		at := math.Float64bits(norm) * 0x9e3779b97f4a7c15 >> 20
		for range probes {
			at %= uint64(size)
			first := int(r.table[at]) - 1
			if first < 0 {
				r.table[at] = int32(b + 1)
				break
			}
			if r.kappa[first] == norm && slices.Equal(rows.Row(first), rows.Row(b)) {
				r.equal = append(r.equal, [2]int32{int32(b), int32(first)})
				break
			}
			at++
		}
	}
	return r.equal
}

// setLeast finds, to a factor of four, a lower bound on the eigenvalues of A', unless it is much
// below the least λ: T minus this bound is positive definite.
func (s *scratch) setLeast(p *Pencil, lambdas []float64) {
	r, k := &s.products, len(p.Eigenvalues)
	g := sized(&r.g, fewLambdas, k).Data[:k]
	r.least = 0
	if k == 0 {
		return
	}
	clear(g)
	for try := p.Eigenvalues[k-1] / 2; 4*try > slices.Min(lambdas); try /= 4 {
		if s.tri.SolveShifted(-try, g, g) {
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
func (s *scratch) productRounding(p *Pencil, lambdas []float64, l int, rows, f linalg.Mat) *Rounding {
	r, v, lambda := &s.products, p.Outputs(), lambdas[l]
	s.rounding = Rounding{maxAbs: largestOf(f), each: sized(&r.bounds, f.Rows, v)}
	s.known = grown(s.known, f.Rows)
	s.rounding.later(s.known, func(a int) { s.productBound(p, lambdas, l, rows, a) })
	for c, x := range r.weights[l*v : (l+1)*v] {
		s.rounding.most = max(s.rounding.most, atMost*errorUnit*r.longest*(x+r.right(p, lambda, c, x)/(lambda+r.least)))
	}
	return &s.rounding
}

// productBound sets the bounds of row a at λ number l, in O(k² + vk).
func (s *scratch) productBound(p *Pencil, lambdas []float64, l int, rows linalg.Mat, a int) {
	r, v := &s.products, p.Outputs()
	g := s.productNorm(p, lambdas, l, rows, a)
	for c, x := range r.weights[l*v : (l+1)*v] {
		s.rounding.each.Row(a)[c] = errorUnit * (r.kappa[a]*x + g*r.right(p, lambdas[l], c, x))
	}
}

// fewLambdas are solved for at once: a row whose bound is needed at one λ often needs it at the
// next ones, and four systems take little longer than one.
const fewLambdas = 4

// productNorm is ‖g_h‖ of row a at λ number l.
func (s *scratch) productNorm(p *Pencil, lambdas []float64, l int, rows linalg.Mat, a int) float64 {
	r, few := &s.products, l/fewLambdas
	at := a*((len(lambdas)+fewLambdas-1)/fewLambdas) + few
	if r.done[at] {
		return r.norms.Row(a)[l]
	}
	r.done[at] = true
	turned := r.turned.Row(a)
	if !r.known[a] {
		r.known[a] = true
		copy(turned, rows.Row(a))
		if p.Constant != nil {
			linalg.Axpy(1, p.Constant, turned)
		}
		s.tri.MulQT(r.turned.Slice(a, a+1, 0, len(turned)))
	}
	lo := few * fewLambdas
	some := lambdas[lo:min(lo+fewLambdas, len(lambdas))]
	g := sized(&r.g, len(some), len(turned))
	for _, k := range s.tri.SolveShiftedTo(g, some, turned) {
		p.solveTridiagonal(s.tri, some[k], g.Row(k), turned)
	}
	for k := range some {
		r.norms.Row(a)[lo+k] = linalg.Nrm2(g.Row(k))
	}
	return r.norms.Row(a)[l]
}
