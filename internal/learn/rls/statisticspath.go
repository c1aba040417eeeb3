package rls

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// StatisticsFit is a linear function trained from Statistics for one λ. It is immutable.
type StatisticsFit struct {
	// Lambda is the regularisation parameter.
	Lambda float64
	// Coef are the weights of the features, n×v.
	Coef *data.Dense
	// Objectives are J(f) of Fit.Objective at the minimum, for each output.
	Objectives []float64
}

// StatisticsPath is a factorisation of Statistics, which gives the weights for any λ. It is
// immutable and safe for concurrent use; later changes of the Statistics do not affect it.
type StatisticsPath struct {
	pencil    *pencil.Pencil
	graded    bool
	constants []float64
	zero      bool // the rows that are compared are equal
}

// Solve trains for one λ from all folds by Cholesky, (A + λI)w = B, in O(n³/3), as the function
// Solve does from rows. Where the system is singular in double precision it works as Factor and At
// do. Where no pair is compared, or all compared rows are equal, the weights are 0. It panics
// unless λ is positive and finite. It returns ErrNumerical where the solution cannot be computed in
// double precision, and the error of ctx.
func (m *Statistics) Solve(ctx context.Context, lambda float64) (*StatisticsFit, error) {
	checkLambda(lambda)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.flush()
	sum := m.total(-1)
	moments := sum.moments(m.features)
	b := moments.B.Clone()
	w, err := pencil.SolvePrimal(moments, lambda)
	if err != nil || m.degenerate(sum, moments.A) {
		path, err := m.factor(ctx, sum)
		if err != nil {
			return nil, err
		}
		return path.Refit(lambda)
	}
	return newStatisticsFit(lambda, w, b, sum.constant.hi)
}

// Factor makes the StatisticsPath of all folds: one symmetric eigenproblem of A, n×n, in
// O(n³). Each λ then costs O(n²v). It returns ErrNumerical where a sum overflows, and the
// error of ctx.
func (m *Statistics) Factor(ctx context.Context) (*StatisticsPath, error) {
	m.flush()
	return m.factor(ctx, m.total(-1))
}

func (m *Statistics) factor(ctx context.Context, sum *foldSums) (*StatisticsPath, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &StatisticsPath{pencil: pencil.FactorPrimal(sum.moments(m.features), nil,
		pencil.Problem{Centred: !m.options.Regression}, nil), constants: sum.constant.hi}
	if !linalg.Finite(p.pencil.Eigenvalues) || !linalg.Finite(p.pencil.C.Data) {
		return nil, errProductsOverflow
	}
	p.graded = isGraded(p.pencil)
	p.zero = m.degenerate(sum, p.pencil.Total.A)
	return p, ctx.Err()
}

// degenerate reports whether the rows that are compared are equal up to rounding. The
// trace of A bounds its largest eigenvalue from above.
func (m *Statistics) degenerate(sum *foldSums, a linalg.Mat) bool {
	if m.options.Regression {
		return false
	}
	trace := 0.0
	for j := range a.Rows {
		trace += a.Row(j)[j]
	}
	return pencil.WithinRounding(trace, sum.size.hi[0])
}

// At returns the weights for λ from the factorisation, in O(n²v), with λ as in Path.At. It
// panics unless λ is positive and finite.
func (p *StatisticsPath) At(lambda float64) *StatisticsFit {
	checkLambda(lambda)
	if p.zero {
		return p.zeros(lambda)
	}
	w := p.pencil.Coefficients(effective(p.pencil, p.graded, lambda))
	return statisticsFit(lambda, w, p.pencil.Total.B, p.constants)
}

// Refit is At by a Cholesky factorisation, in O(n³/3), with the bits of Solve. It keeps the digits
// of features of small scale; see Path.Refit. It panics unless λ is positive and finite, and
// returns ErrNumerical where the solution cannot be computed in double precision.
func (p *StatisticsPath) Refit(lambda float64) (*StatisticsFit, error) {
	checkLambda(lambda)
	if p.zero {
		return p.zeros(lambda), nil
	}
	w, err := refit(p.pencil, p.graded, lambda)
	if err != nil {
		return nil, err
	}
	return newStatisticsFit(lambda, w, p.pencil.Total.B, p.constants)
}

// Eigenvalues returns the n eigenvalues of A, ascending, none negative; see Path.Eigenvalues. The
// caller must not change them.
func (p *StatisticsPath) Eigenvalues() []float64 { return p.pencil.Eigenvalues }

// Squares returns the diagonal of A, of length n; see Path.Squares. Cost O(n).
func (p *StatisticsPath) Squares() []float64 { return squares(p.pencil) }

// Outputs returns v.
func (p *StatisticsPath) Outputs() int { return p.pencil.Outputs() }

func (p *StatisticsPath) zeros(lambda float64) *StatisticsFit {
	b := p.pencil.Total.B
	return statisticsFit(lambda, linalg.NewMat(b.Rows, b.Cols), b, p.constants)
}

// newStatisticsFit is statisticsFit with a check that the weights are finite.
func newStatisticsFit(lambda float64, w, b linalg.Mat, constants []float64) (*StatisticsFit, error) {
	if !linalg.Finite(w.Data) {
		return nil, errOverflow
	}
	return statisticsFit(lambda, w, b, constants), nil
}

// statisticsFit is the fit of weights w, whose objective is c − Bᵀw.
func statisticsFit(lambda float64, w, b linalg.Mat, constants []float64) *StatisticsFit {
	f := &StatisticsFit{Lambda: lambda, Coef: dense(w), Objectives: make([]float64, len(constants))}
	for c, constant := range constants {
		gain := 0.0
		for j := range w.Rows {
			gain += w.Row(j)[c] * b.Row(j)[c]
		}
		f.Objectives[c] = constant - gain
	}
	return f
}

var errProductsOverflow = fmt.Errorf("%w: the products of the features with the weights of the pairs overflow",
	ErrNumerical)
