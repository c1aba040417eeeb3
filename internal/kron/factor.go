package kron

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// ErrNotPSD is wrapped by the error for a kernel matrix with an eigenvalue well below zero.
var ErrNotPSD = errors.New("the kernel matrix is not positive semidefinite")

// NoClosedFormError is the error of Factor for symmetric and reciprocal ranking, which only [Solve] learns
// (section 4.4 of the paper).
type NoClosedFormError struct{ Relation Relation }

func (e *NoClosedFormError) Error() string {
	return fmt.Sprintf("the ranking loss has no closed form for a %s relation", e.Relation)
}

// Path is a factored problem of a complete graph; every λ follows from it. It is safe for concurrent use.
//
// With K = U₁D₁U₁ᵀ, and G = U₂D₂U₂ᵀ or, for the ranking loss, CGC = U₂D₂U₂ᵀ over
// the vectors orthogonal to 1 (C the centring matrix), the coefficients are
//
//	A(λ) = U₁ (E ∘ M) U₂ᵀ     E = U₁ᵀYU₂     M_kl = 1/(d₁_k d₂_l + λ)
//
// and the scores F = KAG = U₁D₁ (E ∘ M) W₂ with W₂ = U₂ᵀG (propositions 2 and 3, lemma 2 of the paper). The
// vectors orthogonal to 1 have an orthonormal basis here, so the ranking loss takes singular kernels, too. If
// Ku_k or u_lG is 0, the coefficients change no score of any node: there Coef is 0, and not E/λ.
type Path struct {
	o        Options
	y        *data.Dense // labels; for symmetric and reciprocal relations those of one direction
	labels   *data.Dense // the given labels
	rows     *eigen
	cols     *eigen     // its u has one row less for the ranking loss
	weighted linalg.Mat // W₂: rows u_l G
	means    []float64  // of the rows of W₂; nil for the regression loss
	idle     []bool     // u_l G = 0
	e        linalg.Mat // E

	projected  *projected
	weights    *weights
	relabelled bool
}

// Options choose the problem.
type Options struct {
	Loss     Loss     // "" is Ranking
	Relation Relation // "" is Arbitrary
}

func (o Options) resolved() (Options, error) {
	if o.Loss == "" {
		o.Loss = Ranking
	}
	if o.Relation == "" {
		o.Relation = Arbitrary
	}
	switch {
	case o.Loss != Ranking && o.Loss != Regression:
		return o, fmt.Errorf("unknown loss %q: known are %s, %s", o.Loss, Ranking, Regression)
	case o.Relation != Arbitrary && o.Relation != Symmetric && o.Relation != Reciprocal:
		return o, fmt.Errorf("unknown relation %q: known are %s, %s, %s", o.Relation, Arbitrary, Symmetric, Reciprocal)
	}
	return o, nil
}

// Factor factors the problem of labels y, p×r, for kernel matrices rows, p×p, and cols, r×r (Pahikkala et al.
// 2013, sections 4.2 and 4.3). The same matrix for both is one domain, decomposed once for the regression loss.
// Factor keeps the matrices. It costs a symmetric eigenproblem for each kernel, O(p³ + r³), and two products.
// It needs memory for about 4(p² + r²) numbers in addition to the matrices, and up to p² + r² + pr more once
// something is held out. It returns a *NoClosedFormError for symmetric or reciprocal ranking, an error that
// wraps ErrNotPSD, and that of ctx. It panics when the shapes do not fit.
func Factor(ctx context.Context, rows, cols, y *data.Dense, o Options) (*Path, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	data.Check("kron: rows", rows)
	data.Check("kron: cols", cols)
	data.Check("kron: y", y)
	p, r := y.Rows, y.Cols
	if rows.Rows != p || rows.Cols != p || cols.Rows != r || cols.Cols != r || o.Relation != Arbitrary && p != r {
		panic(fmt.Sprintf("kron: labels of %d×%d with kernels of %d×%d and %d×%d",
			p, r, rows.Rows, rows.Cols, cols.Rows, cols.Cols))
	}
	if o.Relation != Arbitrary && o.Loss == Ranking {
		return nil, &NoClosedFormError{o.Relation}
	}
	path := &Path{o: o, y: oneDirection(y, o.Relation), labels: y, weights: newWeights()}
	if path.rows, path.cols, err = decomposeBoth(ctx, rows, cols, o.Loss == Ranking); err != nil {
		return nil, err
	}
	path.weigh(cols)
	path.project()
	return path, nil
}

// project sets E.
func (p *Path) project() {
	half := p.rows.u.Mul(linalg.Mat(*p.y))
	p.e = half.MulT(p.cols.u)
	p.projected = newProjected(p)
}

// projected is the labels in the eigenvectors of one side, for HoldOut: each is made on first use.
type projected struct {
	right func() linalg.Mat // YU₂
	left  func() linalg.Mat // U₁ᵀY, the rows of Y centred for ranking
}

func newProjected(p *Path) *projected {
	u1, u2, y := p.rows.u, p.cols.u, linalg.Mat(*p.y)
	return &projected{
		right: sync.OnceValue(func() linalg.Mat { return y.MulT(u2) }),
		left: sync.OnceValue(func() linalg.Mat {
			return u1.Mul(p.centredLabels())
		}),
	}
}

// Relabel returns the Path of the same problem with other labels y, p×r, which it keeps, without factoring
// again. It costs two products, O(p²r + pr²), and panics when y has another shape.
func (p *Path) Relabel(y *data.Dense) *Path {
	data.Check("kron: Relabel: y", y)
	if y.Rows != p.y.Rows || y.Cols != p.y.Cols {
		panic(fmt.Sprintf("kron: labels of %d×%d for a path of %d×%d", y.Rows, y.Cols, p.y.Rows, p.y.Cols))
	}
	other := *p
	other.y, other.labels, other.relabelled = oneDirection(y, p.o.Relation), y, true
	other.project()
	return &other
}

// weigh sets W₂, and finds its rows that are 0. For the ranking loss it is UᵀG, with the rows of Uᵀ orthogonal
// to 1: UᵀGC = D₂Uᵀ, so UᵀG = D₂Uᵀ + (UᵀG1/r)1ᵀ. The second term can be far from 0 even if d is rounding: it is
// at most the root of d 1ᵀG1/r.
func (p *Path) weigh(cols *data.Dense) {
	u := p.cols.u
	p.weighted, p.idle = linalg.NewMat(u.Rows, u.Cols), make([]bool, u.Rows)
	if p.o.Loss == Ranking {
		p.means = make([]float64, u.Rows)
	}
	var mean []float64 // of the rows of G
	least := 0.0
	if p.o.Loss == Ranking {
		mean = make([]float64, cols.Rows)
		for j := range mean {
			for _, v := range cols.Row(j) {
				mean[j] += v / float64(cols.Cols)
			}
		}
		least = roundoff * float64(len(mean)) * linalg.Nrm2(mean)
	}
	parallel.Chunks(u.Rows, 64, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			row, shift := p.weighted.Row(l), 0.0
			if mean != nil {
				shift = linalg.Dot(u.Row(l), mean)
			}
			if p.idle[l] = p.cols.d[l] == 0 && math.Abs(shift) <= least; p.idle[l] {
				continue
			}
			if mean != nil {
				p.means[l] = shift // u_l is orthogonal to 1
			}
			copy(row, u.Row(l))
			linalg.Scal(p.cols.d[l], row)
			for j := range row {
				row[j] += shift
			}
		}
	})
}

// oneDirection is Y, or for a symmetric or reciprocal relation (Y ± Yᵀ)/2. From it the ordinary kernel learns
// what the symmetric or reciprocal kernel learns from Y (proposition 3 of the paper).
func oneDirection(y *data.Dense, relation Relation) *data.Dense {
	sign := 1.0
	switch relation {
	case Arbitrary:
		return y
	case Reciprocal:
		sign = -1
	}
	out := data.NewDense(y.Rows, y.Cols, nil)
	for i := range y.Rows {
		row := out.Row(i)
		for j, v := range y.Row(i) {
			row[j] = (v + sign*y.Row(j)[i]) / 2
		}
	}
	return out
}

// middle is M for one λ.
func (p *Path) middle(lambda float64) linalg.Mat {
	m := linalg.NewMat(len(p.rows.d), len(p.cols.d))
	parallel.Chunks(m.Rows, 64, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			row := m.Row(k)
			for l, d := range p.cols.d {
				row[l] = 1 / (p.rows.d[k]*d + lambda)
			}
		}
	})
	return m
}
