package kernelsum

import (
	"math"

	"pairrank/internal/linalg"
)

// heldEdges is the held-out error of a complete graph in the coordinates where leaving out is diagonal: nodes, or the
// eigenvectors of a side whose nodes are all left out together. There r = h/n and u = g/n, with n the diagonal of N.
type heldEdges struct {
	*Edges
	left, right     *eigen
	leftSq, rightSq linalg.Mat // squares, made once
	z               linalg.Mat // U₁ᵀyU₂

	lambda  float64
	f       linalg.Mat // 1/(d_k d_l + λ)
	n, r, u linalg.Mat
}

func newHeldEdges(e *Edges, rows, cols *eigen) *heldEdges {
	return &heldEdges{Edges: e, left: rows, right: cols, leftSq: rows.squares(), rightSq: cols.squares(),
		z: rows.u.Mul(e.y).MulT(cols.u)}
}

// byRow and byCol report whether the row, or the column, is a node in the coordinates.
func (e *heldEdges) byRow() bool { return e.leave != Col }
func (e *heldEdges) byCol() bool { return e.leave != Row }

// coordinates turns a matrix over eigenvectors into the coordinates.
func (e *heldEdges) coordinates(a linalg.Mat) linalg.Mat {
	if e.byRow() {
		a = e.left.u.TMul(a)
	}
	if e.byCol() {
		a = a.Mul(e.right.u)
	}
	return a
}

// solve sets f, n, r and u at λ, and returns E.
func (e *heldEdges) solve(lambda float64) float64 {
	e.lambda, e.f = lambda, linalg.NewMat(len(e.left.d), len(e.right.d))
	h := linalg.NewMat(e.f.Rows, e.f.Cols)
	for k, d := range e.left.d {
		for l, g := range e.right.d {
			e.f.Row(k)[l] = 1 / (d*g + lambda)
			h.Row(k)[l] = e.f.Row(k)[l] * e.z.Row(k)[l]
		}
	}
	e.r, e.n = e.coordinates(h), e.f
	if e.byRow() {
		e.n = e.leftSq.Mul(e.n)
	}
	if e.byCol() {
		e.n = e.n.MulT(e.rightSq)
	}
	divide(e.r, e.n)
	e.u = e.r.Clone()
	if e.ranking && e.byCol() {
		centreRows(e.u)
	}
	loss := linalg.Dot(e.r.Data, e.u.Data)
	divide(e.u, e.n)
	return loss
}

func divide(a, n linalg.Mat) {
	for i, v := range n.Data {
		a.Data[i] /= v
	}
}

// turned is the same with rows and columns exchanged.
func (e *heldEdges) turned() *heldEdges {
	t := *e
	other := *e.Edges
	other.leave = map[Leave]Leave{Edge: Edge, Row: Col, Col: Row}[e.leave]
	t.Edges, t.left, t.right, t.leftSq, t.rightSq = &other, e.right, e.left, e.rightSq, e.leftSq
	t.z, t.f, t.n, t.r, t.u = e.z.T(), e.f.T(), e.n.T(), e.r.T(), e.u.T()
	return &t
}

// slopes are matrices of the nodes of each side, whose inner products with A are half of dE in the direction A of K, or
// of CGC.
func (e *heldEdges) slopes() (rows, cols linalg.Mat) { return e.slope(), e.turned().slope() }

// slope is that of the left side: U₁TU₁ᵀ for T_kk' = Σ_l d_l Σ_S q_kl p_k'l. The sums over l of f_kl f_k'l d_l in it are
// −(f_kl − f_k'l)/(d_k − d_k'), so that they cost one product for all pairs k, k', and −df_kl/dd_k where both are near.
func (e *heldEdges) slope() linalg.Mat {
	t, q := e.ofResiduals(), hadamard(e.embedded(), e.f)
	for k := range q.Rows {
		for l, d := range e.right.d {
			q.Row(k)[l] *= d
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, -1, q, hadamard(e.z, e.f), 1, t)
	for k := range t.Rows {
		for j := range k {
			mean := (t.Row(k)[j] + t.Row(j)[k]) / 2
			t.Row(k)[j], t.Row(j)[k] = mean, mean
		}
	}
	return e.left.u.TMul(t).Mul(e.left.u)
}

// embedded is u over eigenvectors.
func (e *heldEdges) embedded() linalg.Mat {
	u := e.u
	if e.byRow() {
		u = e.left.u.Mul(u)
	}
	if e.byCol() {
		u = u.MulT(e.right.u)
	}
	return u
}

// near reports whether eigenvalues of the left side are so near that the quotient of their difference would lose more
// digits than the derivative errs: 1e-4 of the scale on which f changes loses 1e-12, and errs by 1e-8.
func (e *heldEdges) near(a, b float64) bool {
	most := e.right.d[len(e.right.d)-1] // eigenvalues ascend
	return math.Abs(a-b)*most <= 1e-4*(a*most+e.lambda)
}

// ofResiduals is the part of T with the residuals r: Σ_S (N_:S u_S)(N_:S r_S)ᵀ.
func (e *heldEdges) ofResiduals() linalg.Mat {
	slope := e.f.Clone() // d_l f²
	for k := range slope.Rows {
		for l, f := range e.f.Row(k) {
			slope.Row(k)[l] = e.right.d[l] * f * f
		}
	}
	if e.byRow() {
		w := hadamard(e.r, e.u)
		if e.byCol() {
			w = w.Mul(e.rightSq)
		}
		u := e.left.u
		of := func(f linalg.Mat) linalg.Mat { return u.Mul(hadamard(w.MulT(f), u.T())).T() } // Σ_i u_ik u_ik' Σ_l w_il f_kl
		far, close := of(e.f), of(slope)
		return e.quotients(far, far.T(), close, close.T())
	}
	slope = slope.MulT(e.rightSq)
	return e.quotients(hadamard(e.u, e.n).MulT(e.r), e.u.MulT(hadamard(e.r, e.n)),
		hadamard(e.u, slope).MulT(e.r), e.u.MulT(hadamard(e.r, slope)))
}

// quotients are (a − b)/(d_k' − d_k), or the mean of two derivatives where both are near.
func (e *heldEdges) quotients(a, b, first, second linalg.Mat) linalg.Mat {
	for k, dk := range e.left.d {
		row := a.Row(k)
		for j, dj := range e.left.d {
			if e.near(dk, dj) {
				row[j] = (first.Row(k)[j] + second.Row(k)[j]) / 2
			} else {
				row[j] = (row[j] - b.Row(k)[j]) / (dj - dk)
			}
		}
	}
	return a
}

// hadamard is a∘b.
func hadamard(a, b linalg.Mat) linalg.Mat {
	a = a.Clone()
	for i, v := range b.Data {
		a.Data[i] *= v
	}
	return a
}
