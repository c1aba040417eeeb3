package rls

import (
	"context"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// Fit is a trained function for one λ. It is immutable.
type Fit struct {
	// Lambda is the regularisation parameter.
	Lambda float64
	// Coef has a column for each output: weights of the features, n×v, for a
	// primal basis; dual coefficients of the training rows, m×v, for a dual
	// one; coefficients of the basis rows, b×v, for a sparse one.
	Coef *data.Dense

	basis *Basis
	goal  *goals.Goal
	w     linalg.Mat // the solution of the factored problem
	b     linalg.Mat // Rᵀr of the factored problem; none in the dual form
	once  *once      // for a dual basis whose K was overwritten, or nil

	iterate bool // of conjugate gradients
}

// once holds the results that Solve keeps of a kernel matrix that it overwrites.
type once struct {
	f    linalg.Mat // Ka, or none where that would have taken the other half of K
	gain float64    // rᵀKa, summed over the outputs
}

// Predictions returns f on the training rows, m×v, in O(mkv) for k coefficients, or O(v)
// for each non-zero of sparse rows.
func (f *Fit) Predictions() *data.Dense { return f.plus(f.ofRows()) }

// ofRows is f on the training rows, without its constant.
func (f *Fit) ofRows() *data.Dense {
	if f.once != nil && f.once.f.Data != nil {
		return dense(f.once.f.Clone())
	}
	return f.basis.predictions(f.w)
}

// Objective returns J(f) = Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²_k over the m rows, or Σ
// (y_i−f_i)² + λ‖f‖²_k for regression, summed over the v outputs. It uses the value at the minimum,
// the loss of f = 0 minus rᵀf, in O(kv), or O(m²v) for a dual basis. For an iterate of conjugate
// gradients, which has not reached the minimum, it is the loss of f = 0 − 2rᵀf + fᵀLf + λ‖w‖², which
// costs one product with X and one with L.
func (f *Fit) Objective() float64 {
	if f.iterate {
		scores := f.ofRows()
		learnt := make([]float64, len(scores.Data))
		f.goal.L.MulTo(learnt, scores.Data, scores.Cols)
		return f.goal.Constant() - 2*linalg.Dot(f.b.Data, f.w.Data) + linalg.Dot(scores.Data, learnt) +
			f.Lambda*linalg.Dot(f.w.Data, f.w.Data)
	}
	if f.once != nil {
		return f.goal.Constant() - f.once.gain
	}
	if f.basis.kind == DualKind {
		return f.goal.Constant() - linalg.Dot(f.goal.R, f.ofRows().Data)
	}
	return f.goal.Constant() - linalg.Dot(f.b.Data, f.w.Data)
}

// Path is a factored problem. The rest costs little:
//
//	At, Refit                      the Fit of any λ
//	Exact                          which rows can be held out without training again
//	HoldOut, PredictHeldOut        predictions of groups of rows without the groups
//	LeavePairOut                   of pairs of rows without the two
//	Eigenvalues, Squares           the scales for λ
//	Retarget                       the Path of other labels
//
// It is immutable and safe for concurrent use.
type Path struct {
	basis  *Basis
	goal   *goals.Goal
	pencil *pencil.Pencil
	// labels and features say which rows leave nothing to learn when they are left out.
	labels   *degeneracy
	features func() *degeneracy
	stars    func() *pencil.Stars       // of censored times
	graded   bool                       // see isGraded
	scaled   func() *pencil.ScaledPairs // where each pair has a λ of its own
	inverse  *inverse                   // of FactorOnce, else nil; then pencil is nil
}

// prepareScaled sets scaled, which computes its numbers once they are needed.
func (p *Path) prepareScaled() *Path {
	p.scaled = sync.OnceValue(func() *pencil.ScaledPairs { return p.factored().NewScaledPairs(p.goal.LambdaScale()) })
	return p
}

// Solve trains for one λ by Cholesky,
//
//	primal, sparse   w = (RᵀLR + λI)⁻¹ Rᵀr        O(mk² + k³/3) for k columns
//	dual             a = F (FKF + λI)⁻¹ F⁺ r      O(m³/3) for the root F of L
//
// (Pahikkala et al. 2009, equations 17 and 28, with the dual system made symmetric). Where the
// system is singular in double precision, Solve works as Factor and At do. It panics unless λ is
// positive and finite, and goal and basis have the same number of rows. It returns ErrNumerical
// where the solution cannot be computed in double precision, and the error of ctx.
func Solve(ctx context.Context, b *Basis, goal *goals.Goal, lambda float64) (*Fit, error) {
	checkLambda(lambda)
	problem := newProblem(b, goal)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fit := &Fit{Lambda: lambda, basis: b, goal: goal}
	var err error
	switch {
	case b.kind != DualKind:
		var moments pencil.Moments
		b, moments = b.moments(goal)
		fit.basis = b
		if !linalg.Finite(moments.A.Data) || !linalg.Finite(moments.B.Data) {
			return nil, errProductsOverflow
		}
		fit.b = moments.B.Clone()
		fit.w, err = pencil.SolvePrimal(moments, lambda)
	case b.upper != nil:
		fit.w, fit.once, err = solveOnce(b, problem, lambda)
	default:
		fit.w, err = pencil.SolveDual(b.k, problem, lambda)
	}
	if err != nil {
		fit.once = nil
		if fit.w, err = fallBack(ctx, b, goal, lambda); err != nil {
			return nil, fmt.Errorf("%w: λ = %g", ErrNumerical, lambda)
		}
	}
	fit.Coef = b.coefficients(fit.w)
	if !linalg.Finite(fit.w.Data) || !linalg.Finite(fit.Coef.Data) {
		return nil, errOverflow
	}
	return fit, ctx.Err()
}

// solveOnce solves a dual problem in the memory of the upper triangle of its kernel matrix.
func solveOnce(b *Basis, problem pencil.Problem, lambda float64) (linalg.Mat, *once, error) {
	k := b.made(problem.Order())
	if pencil.UpperSuffices(problem.L) {
		w, gain, err := pencil.SolveDualUpper(k, problem, lambda)
		return w, &once{gain: gain}, err
	}
	linalg.Symmetrize(linalg.Upper, k)
	w, f, err := pencil.SolveDualInPlace(k, problem, lambda)
	if err != nil {
		return w, nil, err
	}
	return w, &once{f: f, gain: linalg.Dot(problem.R.Data, f.Data)}, nil
}

// fallBack solves a problem that is singular within rounding by its eigenvalues: features or rows
// are dependent, and λ is small relative to the other eigenvalues.
func fallBack(ctx context.Context, b *Basis, goal *goals.Goal, lambda float64) (linalg.Mat, error) {
	path, err := Factor(ctx, b, goal)
	if err != nil {
		return linalg.Mat{}, err
	}
	if !solves(path.pencil, path.graded) {
		return linalg.Mat{}, pencil.ErrNotPositive
	}
	return path.At(lambda).w, nil
}

// solves reports whether the eigenvalues give the solution where a Cholesky factorisation does not.
// They do not for an indefinite matrix, nor for graded features.
func solves(p *pencil.Pencil, graded bool) bool { return !graded && indefinite(p) == 0 }

// isGraded reports whether RᵀLR is graded: some features are as small as the rounding
// errors of the others, so that the eigenvalues lose them, and elimination does not.
func isGraded(p *pencil.Pencil) bool {
	const digits = 1e6 // that the smallest feature keeps
	for j := range p.Total.A.Rows {
		if size := p.Total.A.Row(j)[j]; size > 0 && size < digits*p.EigenError {
			return true
		}
	}
	return false
}

// effective is λ, or the rounding error of the eigenvalues where that is larger: a smaller λ would
// only divide rounding errors. For graded features it is λ: a small λ divides the data of the
// smaller features.
func (p *Path) effective(lambda float64) float64 {
	if p.invertsPairs(lambda) {
		return lambda
	}
	return effective(p.factored(), p.graded, lambda)
}

func effective(p *pencil.Pencil, graded bool, lambda float64) float64 {
	if graded {
		return lambda
	}
	return max(lambda, p.EigenError)
}

// Factor makes the Path: one symmetric eigenproblem, of RᵀLR, k×k, for a primal or sparse basis, in
// O(mk² + k³), and of FKF, m×m, for a dual one, in O(m³) (Pahikkala et al. 2009, section 3.2). Each
// λ then costs O(k²v) or O(m²v). It panics unless goal and basis have the same number of rows. It
// returns ErrNumerical where the matrix overflows, and the error of ctx.
func Factor(ctx context.Context, b *Basis, goal *goals.Goal) (*Path, error) {
	return FactorTold(ctx, b, goal, nil)
}

// FactorTold is Factor with progress: it calls tell with the share of the time of the eigenproblem that has passed.
// tell may be nil.
func FactorTold(ctx context.Context, b *Basis, goal *goals.Goal, tell func(share float64)) (*Path, error) {
	b = b.withMatrix()
	problem := newProblem(b, goal)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Path{basis: b, goal: goal}
	if b.kind == DualKind {
		p.pencil = pencil.FactorDual(b.k, problem, tell)
	} else {
		whole, moments := b.withRows(goal)
		p.basis, problem.Equal = whole, whole.equal
		p.pencil = pencil.FactorPrimal(moments, newDesign(whole.x, goal), problem, tell)
	}
	if !linalg.Finite(p.pencil.Eigenvalues) || !linalg.Finite(p.pencil.C.Data) {
		return nil, errProductsOverflow
	}
	p.graded = isGraded(p.pencil)
	return p.prepare(), ctx.Err()
}

// prepare sets what is computed once it is needed.
func (p *Path) prepare() *Path {
	p.labels = ofLabels(p.goal)
	p.stars = sync.OnceValue(func() *pencil.Stars { return p.factored().NewStars(p.goal) })
	p.features = sync.OnceValue(func() *degeneracy { return ofFeatures(p.goal, p.basis) })
	return p.prepareScaled()
}

// At returns the fit for λ, (RᵀLR + λI)w = Rᵀr in the primal and sparse forms, from the
// factorisation (Pahikkala et al. 2009, section 3.2). Coef is n×v (primal), m×v (dual) or
// b×v (sparse). Cost O(k²v), or O(m²v) for a dual basis. A λ below the rounding error of
// the eigenvalues, about 1e-15 of the largest, is raised to it, as in HoldOut and
// LeavePairOut. It panics unless λ is positive and finite.
func (p *Path) At(lambda float64) *Fit {
	checkLambda(lambda)
	whole := p.factored()
	w := whole.Coefficients(effective(whole, p.graded, lambda))
	return &Fit{Lambda: lambda, Coef: p.basis.coefficients(w), basis: p.basis, goal: p.goal, w: w, b: whole.Total.B}
}

// Retarget returns the Path of other labels for the same comparisons, without factoring again: goal
// must have the same Laplacian (goals.Goal.SameLaplacian), as goals of permuted labels with ties
// included do, and may have another number v of outputs. Cost: two products of m×k with m×v. It
// panics where the Laplacians differ.
func (p *Path) Retarget(goal *goals.Goal) *Path {
	problem := newProblem(p.basis, goal)
	if !goal.SameLaplacian(p.goal) {
		panic("rls: Retarget to a goal that compares other rows")
	}
	q := &Path{basis: p.basis, goal: goal, labels: ofLabels(goal), features: p.features, graded: p.graded}
	switch {
	case p.inverse != nil:
		q.inverse = p.inverse.retarget(problem)
		return q.prepareScaled()
	case p.basis.kind == DualKind:
		q.pencil = p.pencil.Retarget(problem, linalg.Mat{}, nil)
		return q.prepareScaled()
	}
	q.pencil = p.pencil.Retarget(problem, p.basis.linearTerm(problem.R), newDesign(p.basis.x, goal))
	return q.prepareScaled()
}

// Refit is At by a Cholesky factorisation of the stored moments, k×k, in O(k³/3), with the bits of
// Solve. The small eigenvalues behind At have errors relative to the largest one, so features of
// small scale lose digits; Cholesky does not lose them. Refit also does not raise a λ that is below
// the rounding of the eigenvalues, as At does. For a dual basis it costs O(m³/3), and is At where λ
// is below the rounding of the kernel matrix. It panics unless λ is positive and finite, and
// returns ErrNumerical where the solution cannot be computed in double precision.
func (p *Path) Refit(lambda float64) (*Fit, error) {
	checkLambda(lambda)
	if p.basis.kind == DualKind {
		w, err := pencil.SolveDual(p.basis.k, newProblem(p.basis, p.goal), lambda)
		if err != nil {
			return p.checked(p.At(lambda))
		}
		return p.checked(&Fit{Lambda: lambda, Coef: p.basis.coefficients(w), basis: p.basis, goal: p.goal, w: w})
	}
	w, err := refit(p.pencil, p.graded, lambda)
	if err != nil {
		return nil, err
	}
	return p.checked(&Fit{Lambda: lambda, Coef: p.basis.coefficients(w), basis: p.basis, goal: p.goal, w: w,
		b: p.pencil.Total.B})
}

// refit solves a primal problem by Cholesky, or else by its eigenvalues.
func refit(p *pencil.Pencil, graded bool, lambda float64) (linalg.Mat, error) {
	w, err := pencil.SolvePrimal(pencil.Moments{A: p.Total.A.Clone(), B: p.Total.B.Clone()}, lambda)
	switch {
	case err != nil && solves(p, graded):
		return p.Coefficients(effective(p, graded, lambda)), nil
	case err != nil:
		return w, fmt.Errorf("%w: λ = %g", ErrNumerical, lambda)
	}
	return w, nil
}

// checked refuses a fit that overflows.
func (p *Path) checked(f *Fit) (*Fit, error) {
	if !linalg.Finite(f.w.Data) || !linalg.Finite(f.Coef.Data) {
		return nil, errOverflow
	}
	return f, nil
}

// errOverflow is that of a solution that is not finite.
var errOverflow = fmt.Errorf("%w: the solution overflows", ErrNumerical)

// Rows returns the number of training rows m.
func (p *Path) Rows() int { return p.goal.L.Dim() }

// Outputs returns v.
func (p *Path) Outputs() int { return p.goal.Outputs }

// Eigenvalues returns the eigenvalues of the factored matrix, RᵀLR or FKF, ascending, k or m of
// them, none negative. The caller must not change them. They set the scale for λ: f hardly changes
// with λ below the least eigenvalue above 0, and is about proportional to 1/λ above the largest.
func (p *Path) Eigenvalues() []float64 { return p.factored().Eigenvalues }

// Indefinite returns the smallest eigenvalue of a dual problem where it is negative beyond
// rounding, relative to the largest eigenvalue and to the entries of the kernel matrix, m×m; else
// 0. Where the result is not 0, the kernel matrix is not positive semidefinite on the compared
// rows, and the objective has no minimum. It is 0 for FactorOnce. Cost O(1).
func (p *Path) Indefinite() float64 {
	if p.inverse != nil {
		return 0
	}
	return indefinite(p.pencil)
}

func indefinite(p *pencil.Pencil) float64 {
	const limit = 1e-8 // of the largest eigenvalue: a matrix stored with eight digits may have as much
	d := p.Eigenvalues
	if !p.IsDual() || len(d) == 0 || p.MostNegative >= -max(limit*d[len(d)-1], p.PSDTolerance) {
		return 0
	}
	return p.MostNegative
}

// ErrNumerical is returned where the solution cannot be computed in double precision.
var ErrNumerical = fmt.Errorf("the regularised system cannot be solved in double precision")

func newProblem(b *Basis, goal *goals.Goal) pencil.Problem {
	m, v := b.Rows(), goal.Outputs
	if goal.L.Dim() != m || len(goal.R) != m*v {
		panic(fmt.Sprintf("rls: a basis of %d rows and a goal of %d rows and %d outputs", m, goal.L.Dim(), v))
	}
	if b.constant != nil && !goal.Centred() {
		panic("rls: a basis with a constant, and a goal that sees it")
	}
	r := linalg.Mat{Rows: m, Cols: v, Stride: v, Data: goal.R}
	return pencil.Problem{L: goal.L, R: r, Zero: goal.Constants, Centred: goal.Centred(),
		Constant: b.constant, Equal: b.equal}
}

func checkLambda(lambda float64) {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		panic(fmt.Sprintf("rls: λ is positive and finite, not %v", lambda))
	}
}
