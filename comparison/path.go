package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/comparison/internal/dense"
)

// Path is a problem of the squared loss with features, factored once for every λ > 0.
//
// With the rows B of the items, N×k, and the Laplacian L of the comparisons, BᵀLB = U diag(d) Uᵀ and Z = BU, the
// system of a board is diagonal, ZᵀLZ + λ = diag(d + λ), and
//
//	RA⁻¹Rᵀ = Z (d+λ)⁻¹ Zᵀ
//
// (Pahikkala et al. 2009, section 3.2). It is immutable and safe for concurrent use.
type Path struct {
	p    *Problem
	path *dense.Path
}

// NewPath factors a problem, in O(C k + N k² + k³), with memory for three matrices N×k. It returns the error of
// Problem.Check, and one for a problem without features or with covariates.
func NewPath(p *Problem) (*Path, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if p.Features == nil || p.X != nil {
		return nil, errors.New("a path is of items with features, and of comparisons without covariates")
	}
	p = p.InRows()
	path, err := dense.NewPath(p.dense(&Options{Loss: Squared}))
	return &Path{p, path}, err
}

// Eigenvalues returns d, ascending, k of them, none negative. The caller must not change them.
func (f *Path) Eigenvalues() []float64 { return f.path.D }

// Squares returns the diagonal of BᵀLB, Σ w (b_left − b_right)² for each column of B. The caller must not change it.
func (f *Path) Squares() []float64 { return f.path.Squares }

// Predict is Board.Predict of the board at λ, in O(N k) and, for h lines that leave together, O(h²k + h³), or where
// that is more than k lines O(h k² + k³). It panics unless λ is positive and finite.
func (f *Path) Predict(ctx context.Context, lambda float64, u Unit, seed uint64) (*HeldOut, error) {
	return f.board(lambda).Predict(ctx, u, seed)
}

// board is the board at λ.
func (f *Path) board(lambda float64) *Board {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		panic(fmt.Sprintf("comparison: λ of a path is positive and finite, not %v", lambda))
	}
	b := &Board{p: f.p, o: &Options{Loss: Squared, Ties: Half, Lambda: lambda}}
	b.take(f.path.At(lambda))
	return b
}
