package pencil

import (
	"sync"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// Moments are RᵀLR (its upper triangle), k×k, and Rᵀr, k×v.
type Moments struct {
	A, B linalg.Mat
}

// Source gives rows of R and the moments of part of the problem.
type Source interface {
	// RowsTo fills dst, h×k, with the rows H of R.
	RowsTo(dst linalg.Mat, h []int32)
	// RowsView is the rows H where they lie in one piece of memory.
	RowsView(h []int32) (rows linalg.Mat, ok bool)
	// MomentsTo sets m to the moments of the rows H, whole components.
	MomentsTo(m Moments, h []int32)
	// ListMomentsTo sets m to the sums of c (x−x̄)(x−x̄)ᵀ and (x−x̄) rᵀ over some
	// rows H of a single list with weight c, and sumX and sumR to those of x−x̄
	// and of r.
	ListMomentsTo(m Moments, sumX, sumR []float64, h []int32)
}

// FactorPrimal factors RᵀLR: one k×k eigenproblem. It keeps the moments. tell is that of FactorDual.
func FactorPrimal(moments Moments, source Source, problem Problem, tell func(share float64)) *Pencil {
	k := moments.A.Rows
	p := &Pencil{Problem: problem, Eigenvalues: make([]float64, k), coef: linalg.NewMat(k, k), Total: moments}
	moments.A = moments.A.Clone()
	linalg.SymEigenTold(moments.A, p.Eigenvalues, p.coef, tell)
	p.clampNegative()
	if k > 0 {
		p.EigenError = relativeEigenError * p.Eigenvalues[k-1]
	}
	p.C = p.coef.Mul(moments.B)
	p.rows = newPrimalRows(p, source)
	p.setSizes(0, linalg.Nrm2(p.Eigenvalues), k)
	return p
}

// relativeEigenError is the rounding error of an eigenvalue, relative to the largest.
const relativeEigenError = 4 * epsilon

// SolvePrimal solves for one λ by Cholesky: w = (RᵀLR + λI)⁻¹ Rᵀr, k×v. It overwrites the moments.
func SolvePrimal(moments Moments, lambda float64) (linalg.Mat, error) {
	diagonal := make([]float64, moments.A.Rows)
	for j := range diagonal {
		diagonal[j] = moments.A.Row(j)[j] + lambda
	}
	if err := solveShifted(moments.A, lambda, moments.B); err != nil {
		return linalg.Mat{}, err
	}
	const dependent = 1e-10 // of its diagonal: a pivot with six digits left
	for j, d := range diagonal {
		if pivot := moments.A.Row(j)[j]; pivot*pivot < dependent*d && lambda < dependent*d {
			return linalg.Mat{}, ErrNotPositive
		}
	}
	return moments.B, nil
}

// primalRows computes V_H = R_H U and W_H = L_HH V_H for whole components.
type primalRows struct {
	source   Source
	u        linalg.Mat // rows are eigenvectors
	l        goals.Laplacian
	centred  bool
	constant []float64 // added to each row of V; nil is none

	packing sync.Once
	packed  linalg.Packed // Uᵀ
}

// turnTo sets v = R_H U.
func (p *primalRows) turnTo(v, rows linalg.Mat) {
	const most = 1 << 11 // columns: beyond, the memory counts
	if rows.Cols > most {
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, rows, p.u, 0, v)
		return
	}
	p.packing.Do(func() { p.packed.Pack(linalg.T, p.u) })
	p.packed.MulTo(v, rows)
}

func newPrimalRows(p *Pencil, source Source) *primalRows {
	return &primalRows{source: source, u: p.coef, l: p.L, centred: p.Centred, constant: p.constantRow()}
}

func (p *primalRows) rowsTo(v, w linalg.Mat, h []int32, _ bool) {
	k := v.Cols
	r := linalg.NewMat(len(h), k)
	p.source.RowsTo(r, h)
	p.turnTo(v, r)
	p.centredTo(w, w, v, h)
	addToRows(v, p.constant)
}

// centredTo sets w to the rows v of whole components h less their means, and lw to L_HH times them. All are without
// gaps; w and lw may be the same.
func (p *primalRows) centredTo(w, lw, v linalg.Mat, h []int32) {
	local := p.l.Restrict(h)
	copy(w.Data, v.Data)
	if p.centred {
		goals.Centre(local.Components(), w.Data, w.Cols) // L would subtract the means, and lose digits
	}
	local.MulTo(lw.Data, w.Data, w.Cols)
}
