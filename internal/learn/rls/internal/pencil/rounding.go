package pencil

import (
	"math"
	"slices"

	"pairrank/internal/linalg"
)

// A held-out prediction is f_h = v_hᵀx, where x solves a system that was set up and factored in
// double precision. In the primal form x may be the weights without H. By the lemma, in both forms,
// x is the upper part of the solution of
//
//	[ A+λ  W_Hᵀ ] [ x ]   [ C ]
//	[ W_H  S    ] [ δ ] = [ s ]      S = 0, s = 0 in the dual form, L_HH and r_H in the primal
//
// with A = diag(d). Eigenvectors, factorisations and products are backward stable: the computed x
// solves a system whose numbers are each off by some ε of the size of their summands. Let g_h be
// the row of the inverse for v_h, the derivative of f_h in the right side: g_h = (A'+λ)⁻¹v_h
// without H, and X_h = Q_HH⁻¹(GL)_Hh in the rows below. To first order
//
//	|error of f_h| ≤ η ( κ_h‖x‖ + ‖g_h‖ E + Σ_a |X_ha| e_a )
//	E   = β + (α+λ)‖x‖ + Σ_b ω_b |δ_b|
//	e_a = ω_a‖x‖ + q_a (γ + Σ_b q_b |δ_b|)
//
// with the sizes of the summands, by Cauchy–Schwarz:
//
//	κ_h  of v_h: ‖v_h‖ in the primal form; in the dual one, where v_h = Kw_h cancels, max|K|‖F‖√m
//	α    of A: ‖d‖, and in the dual form max|K|‖F‖²√m, since F takes means off
//	β    of C: ‖C‖ in the dual form; √(tr A · c) in the primal one, where c is the loss of f = 0
//	ω_a  of row a of W: ‖w_a‖
//	q_a  √Q_aa in the dual form, √L_aa in the primal one
//	γ    √(CᵀDC) in the dual form, √c in the primal one
//
// (Higham 2002, Accuracy and stability of numerical algorithms, theorems 7.2, 10.3 and 18.6, with
// the square roots of the dimensions, as for independent rounding errors.) Scores that are equal in
// exact arithmetic differ by no more than the sum of their bounds.

// errorUnit is η. A product of k terms has an error of about √k ε/2, not the worst case of k;
// several products follow one another.
const errorUnit = 16 * epsilon

// atMost is a factor of Most, since Most is rounded itself.
const atMost = 1 + 1e-6

// sizes are the scales of the errors of a pencil.
type sizes struct {
	system float64   // α
	norm   float64   // a bound of ‖F‖ in the dual form
	row    float64   // κ of every row in the dual form; the part of a constant in the primal one
	right  []float64 // β of each output
	zero   []float64 // √c of each output in the primal form
}

// setSizes sets the sizes of a factored matrix of k rows, by its Frobenius norm; norm is the bound of ‖F‖ in the dual
// form.
func (p *Pencil) setSizes(norm, frobenius float64, k int) {
	p.sizes = sizes{system: frobenius, norm: norm}
	if p.dual {
		root := sqrt(float64(k))
		p.sizes.system = max(p.sizes.system, root*p.largest*norm*norm)
		p.sizes.row = root * norm * largestAbs(p.Constant)
		if norm > 0 {
			p.sizes.row += p.sizes.system / norm
		}
	} else {
		p.sizes.row = linalg.Nrm2(p.Constant)
	}
	p.setRightSizes()
}

// setRightSizes sets the sizes of the right side.
func (p *Pencil) setRightSizes() {
	v := p.Outputs()
	if p.dual {
		p.sizes.right = columnNormsTo(nil, p.C)
		return
	}
	trace := 0.0
	for _, d := range p.Eigenvalues {
		trace += d
	}
	p.sizes.right, p.sizes.zero = make([]float64, v), make([]float64, v)
	for c, zero := range p.Zero {
		p.sizes.zero[c] = sqrt(zero)
		p.sizes.right[c] = sqrt(trace) * sqrt(zero)
	}
}

// Rounding bounds the rounding in the predictions of a group, h×v: two of them that are equal in
// exact arithmetic differ by no more than the sum of their bounds. The bound of a row is computed
// at its first use.
type Rounding struct {
	most, maxAbs float64
	each         linalg.Mat // h×v
	known        []bool     // rows whose bounds are in each; nil for all
	bound        func(a int)
}

// later makes bound compute the bounds of a row; known is memory.
func (r *Rounding) later(known []bool, bound func(a int)) {
	clear(known)
	r.known, r.bound = known, bound
}

// At is the bound of row a of the group and output c.
func (r *Rounding) At(a, c int) float64 {
	if r.known != nil && !r.known[a] {
		r.known[a] = true
		r.bound(a)
	}
	return r.each.Row(a)[c]
}

// Most is at least At of every row and output, from norms alone.
func (r *Rounding) Most() float64 { return r.most }

// Widest is the largest |f| of the group's predictions; NaN where one is.
func (r *Rounding) Widest() float64 { return r.maxAbs }

// columnNormsTo fills dst with the norms of the columns of a.
func columnNormsTo(dst []float64, a linalg.Mat) []float64 {
	if cap(dst) < a.Cols {
		dst = make([]float64, a.Cols)
	}
	dst = dst[:a.Cols]
	clear(dst)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			dst[j] += v * v
		}
	}
	for j, v := range dst {
		if dst[j] = sqrt(v); v < 0x1p-960 || v > 0x1p960 {
			dst[j] = columnNorm(a, j)
		}
	}
	return dst
}

// columnNorm is the norm of a column whose squares may overflow or underflow.
func columnNorm(a linalg.Mat, j int) float64 {
	norm := 0.0
	for i := range a.Rows {
		norm = math.Hypot(norm, a.Row(i)[j])
	}
	return norm
}

// largestAbs is the largest magnitude of numbers, 0 of none; NaN where one is NaN.
func largestAbs(numbers []float64) float64 {
	most := 0.0
	for _, v := range numbers {
		most = max(most, v, -v)
	}
	return most
}

// largestOf is largestAbs of a matrix.
func largestOf(a linalg.Mat) float64 {
	most := 0.0
	for i := range a.Rows {
		most = max(most, largestAbs(a.Row(i)))
	}
	return most
}

// equateDuplicates gives equal rows of a group the same predictions, as they have in exact
// arithmetic.
func (p *Pencil) equateDuplicates(f linalg.Mat, h []int32) {
	equal := p.Equal()
	if !slices.ContainsFunc(h, func(i int32) bool { return equal[i] != i }) {
		return
	}
	first := make(map[int32]int, len(h))
	for a, i := range h {
		if b, seen := first[equal[i]]; seen {
			copy(f.Row(a), f.Row(b))
		} else {
			first[equal[i]] = a
		}
	}
}
