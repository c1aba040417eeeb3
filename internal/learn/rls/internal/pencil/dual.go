package pencil

import (
	"math"
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

func sqrt(v float64) float64 { return math.Sqrt(v) }

// FactorDual factors FKF for the m×m kernel matrix k, which is only read: one
// symmetric eigenproblem and O(m²) more for an L of the form of goals.Blocks.
// tell hears the share of the time that is over; nil hears nothing.
func FactorDual(k linalg.Mat, problem Problem, tell func(share float64)) *Pencil {
	m := k.Rows
	root, pinv := problem.roots()
	a := congruence(root, k)
	p := &Pencil{Problem: problem, Eigenvalues: make([]float64, m), dual: true, largest: largestEntry(k)}
	norm := root.normBound()
	size := congruenceSize(norm, p.largest)
	p.PSDTolerance = congruenceError(size, m)
	u := linalg.NewMat(m, m)
	linalg.SymEigenTold(a, p.Eigenvalues, u, tell)
	p.clampNegative()
	if m > 0 {
		p.EigenError = relativeEigenError * max(size, p.Eigenvalues[m-1])
	}
	t := linalg.NewMat(m, problem.R.Cols)
	pinv.MulTo(t.Data, problem.R.Data, t.Cols)
	p.C = u.Mul(t)
	p.setSizes(norm, linalg.Nrm2(p.Eigenvalues), m)
	w := a // its memory is free again
	linalg.TransposeTo(w, u)
	root.MulTo(w.Data, w.Data, m)
	p.coef = w
	p.rows = newDualRows(k, w, p)
	return p
}

// dualCoordinates is C = Uᵀ G r = Wᵀ Gᵀ G r of another r for the same L, with the inverse G of F.
func (p *Pencil) dualCoordinates(r linalg.Mat) linalg.Mat {
	t := linalg.NewMat(r.Rows, r.Cols)
	_, inv := p.roots()
	inv.MulTo(t.Data, r.Data, r.Cols)
	inv.mulTransTo(t.Data, t.Data, r.Cols)
	return p.coef.TMul(t)
}

// losesDigits reports whether the scores A x of a solution of (A + λI) x = t have fewer than six
// correct digits; size is the Frobenius norm of A. Where λ is small and A singular, most of x
// changes no score.
func losesDigits(x, t linalg.Mat, size, lambda float64) bool {
	const digits = 1e-6
	score := make([]float64, x.Rows)
	for c := range x.Cols {
		terms := 0.0
		for i := range score {
			v := x.Row(i)[c]
			score[i] = t.Row(i)[c] - lambda*v
			terms = math.Hypot(terms, v)
		}
		if epsilon*size*terms > digits*linalg.Nrm2(score) {
			return true
		}
	}
	return false
}

// congruence is the congruence transformation Fᵀ K F of K by the root F.
func congruence(f root, k linalg.Mat) linalg.Mat {
	m := k.Rows
	a := linalg.NewMat(m, m)
	if k.Stride == m {
		f.mulTransTo(a.Data, k.Data[:m*m], m)
	} else {
		for i := range m {
			copy(a.Row(i), k.Row(i))
		}
		f.mulTransTo(a.Data, a.Data, m)
	}
	parallel.For(m, func(_, i int) { f.mulTransTo(a.Row(i), a.Row(i), 1) })
	return a
}

// congruenceError bounds the rounding error of the eigenvalues of F K F, m×m, for numbers of the
// given size: each entry is off by some ε, and an eigenvalue by m times as much.
func congruenceError(size float64, m int) float64 {
	const entry = 8 // ε in an entry of two products with F
	return entry * epsilon * float64(m) * size
}

// largestEntry is max|K|.
func largestEntry(k linalg.Mat) float64 {
	most := make([]float64, k.Rows)
	parallel.For(k.Rows, func(_, i int) { most[i] = largestAbs(k.Row(i)) })
	return largestAbs(most)
}

// congruenceSize is the size of the summands of F K F: max|K| times the square of a bound on ‖F‖.
func congruenceSize(norm, largest float64) float64 {
	const normal = 0x1p-1022 // below which numbers have fewer digits
	return norm * norm * max(normal, largest)
}

// normBound is twice the largest diagonal entry, since the null space has one vector per component. With weights of
// rows that does not hold of S, whose norm is at most the largest d_i and eigenvalue between classes: they are those
// of a diagonal plus a part of rank one.
func (f blocksRoot) normBound() float64 {
	bound, largest := 0.0, 1.0
	if f.weights != nil {
		largest = slices.Max(f.weights)
		return f.Norm() * largest
	}
	for _, v := range goals.Diagonal(f) {
		bound = max(bound, 2*v)
	}
	return bound
}

// normBound is the largest sum of a row.
func (b *blockOperator) normBound() float64 {
	bound := 0.0
	for _, block := range b.blocks {
		for i := range block.Rows {
			sum := 0.0
			for _, v := range block.Row(i) {
				sum += math.Abs(v)
			}
			bound = max(bound, sum)
		}
	}
	return bound
}
