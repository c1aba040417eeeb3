package kron

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
	"pairrank/relation/pairwise"
)

// SolveOptions are the options of Solve and SolveLinear. Zero values are the defaults.
type SolveOptions struct {
	Loss Loss // "" is Ranking
	// Tolerance is the relative residual to reach; 0 is DefaultTolerance.
	Tolerance float64
	// Scores, unless 0, ends an iteration where the residual is this part of the length of the scores Lf, too, and in
	// SolveLinear as krylov.Options says. The error of Lf is at most the residual, so that few pairs of edges change
	// their order.
	Scores float64
	// Pads solves for the Kronecker kernel in the eigenvectors of the node kernels, where that pays: see padded. Each
	// then has the coefficients of the start, until the last iterations.
	Pads bool
	// MaxIterations bounds the iterations; 0 is DefaultIterations. In Solve a small number regularises, as λ
	// does (section 4.4 of the paper).
	MaxIterations int
	// Start has the coefficients to start from, such as those of another λ; nil is 0.
	Start []float64
	// Each, unless nil, is called with the coefficients after every iteration, which it must not change. It
	// stops the iteration by returning false.
	Each func(iteration int, residual float64, coef []float64) (goOn bool)
}

// The defaults of SolveOptions.
const (
	DefaultTolerance  = krylov.DefaultTolerance
	DefaultIterations = krylov.DefaultIterations
)

// ErrNumerical is the error of a result without a digit above rounding: values are not finite, or an iteration
// diverges because λ is too small for double precision, compared with the kernel values.
var ErrNumerical = errors.New("no solution in double precision: λ is too small beside the kernel values, or these " +
	"or the labels are of a size that leaves the numbers")

func (o SolveOptions) resolved() (SolveOptions, error) {
	if o.Loss == "" {
		o.Loss = Ranking
	}
	o.Tolerance = cmp.Or(o.Tolerance, DefaultTolerance)
	o.MaxIterations = cmp.Or(o.MaxIterations, DefaultIterations)
	if o.Loss != Ranking && o.Loss != Regression {
		return o, fmt.Errorf("unknown loss %q: known are %s, %s", o.Loss, Ranking, Regression)
	}
	return o, nil
}

// System is a problem over any edges, which need not be complete and may repeat.
type System struct {
	Kernel     pairwise.Kernel
	Rows, Cols *data.Dense // kernel matrices of the nodes, p×p and r×r; the same for one domain
	Edges      Edges       // m of them
	Y          []float64   // their labels
}

// Solve trains on the m edges of s by conjugate gradients on the symmetric system
//
//	(LQL + λI)a = Ly
//
// with Q the m×m matrix of the pairwise kernel between the edges, given by its products, and L = I for the
// regression loss (Pahikkala, Airola, Stock, De Baets and Waegeman 2013, Efficient regularized least-squares
// algorithms for conditional ranking on relational data, lemma 2). An iteration costs one product with Q; see
// [Operator.MulTo]. If the tolerance is not reached, if Each ends the iteration, and on cancellation, the fit
// is the last iterate; on cancellation together with the error of ctx. Solve returns [ErrNumerical] if no digit
// of the solution is above rounding. It panics unless λ is positive and finite and the shapes fit.
func Solve(ctx context.Context, s System, lambda float64, o SolveOptions) (*EdgeFit, error) {
	checkLambda(lambda)
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	y := s.Y
	if len(y) != s.Edges.Len() || o.Start != nil && len(o.Start) != len(y) {
		panic(fmt.Sprintf("kron: %d edges with %d labels and a start of %d", s.Edges.Len(), len(y), len(o.Start)))
	}
	a := s.operator(o.Loss, lambda)
	b := append([]float64(nil), y...)
	a.means.takeOff(b)
	fit := &EdgeFit{Lambda: lambda, Coef: make([]float64, len(y)), Scores: make([]float64, len(y))}
	copy(fit.Coef, o.Start)
	a.means.takeOff(fit.Coef)
	const rounding = 1e-12
	strict := linalg.Nrm2(b) > rounding*linalg.Nrm2(y) // else only rounding is left to learn
	before := 0
	if o.Pads && o.Start == nil && strict && s.pads() {
		if before, err = s.startTo(ctx, fit.Coef, a, b, o); err != nil {
			return fit, err
		}
	}
	err = iterate(ctx, equations{Operator: a, strict: strict, ridge: lambda, edges: true}, b, fit, o)
	fit.Iterations += before
	if errors.Is(err, ErrNumerical) {
		return nil, err
	}
	a.q.MulTo(fit.Scores, fit.Coef)
	fit.Objective = a.means.loss(y, fit.Scores) + lambda*linalg.Dot(fit.Coef, fit.Scores)
	if err == nil && (math.IsNaN(fit.Objective) || math.IsInf(fit.Objective, 0)) {
		return nil, ErrNumerical
	}
	return fit, err
}

// equations are the system that iterate solves.
type equations struct {
	krylov.Operator
	precondition func(z, r []float64) // or nil
	strict       bool                 // if rounding ends the iteration far from the solution, there is none
	ridge        float64              // λ, for SolveOptions.Scores
	edges        bool                 // the unknowns are coefficients of edges
}

// iterate runs conjugate gradients into the coefficients of fit.
func iterate(ctx context.Context, a equations, b []float64, fit *EdgeFit, o SolveOptions) error {
	if size := linalg.Dot(b, b); size == 0 && linalg.Nrm2(b) > 0 || math.IsInf(size, 1) || math.IsNaN(size) {
		return ErrNumerical // squares of the labels overflow
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	options := krylov.Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Precondition: a.precondition,
		Scores: o.Scores, Ridge: a.ridge, Coefficients: a.edges}
	if o.Each != nil {
		options.Progress = func(iteration int, residual float64) {
			if !o.Each(iteration, residual, fit.Coef) {
				stop()
			}
		}
	}
	result, err := krylov.CG(inner, a, b, fit.Coef, options)
	fit.Iterations, fit.Residual, fit.Converged = result.Iterations, result.Residual, result.Converged
	fit.ScoreError = result.ScoreError
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil || fit.Converged:
		return nil // or Each has ended the iteration
	case a.strict && fit.Iterations < o.MaxIterations && fit.Residual > max(rough, o.Tolerance):
		return ErrNumerical
	case !(fit.Residual <= 1) && diverged(a, b, fit.Coef):
		return ErrNumerical
	}
	return nil
}

// rough is the relative residual up to which an iteration that rounding ended still gives a solution.
const rough = 1e-4

// diverged reports whether x is no better than 0 by the function ½xᵀAx − bᵀx, which every step of conjugate
// gradients reduces up to rounding. Then the largest eigenvalue is too far above λ for double precision.
func diverged(a krylov.Operator, b, x []float64) bool {
	ax := make([]float64, len(x))
	a.MulTo(ax, x)
	return !(linalg.Dot(x, ax)/2 < linalg.Dot(b, x))
}

// operator is the matrix of the system for one λ.
func (s System) operator(loss Loss, lambda float64) *edgeSystem {
	return &edgeSystem{q: NewOperator(s.Kernel, s.Rows, s.Cols, s.Edges, s.Edges),
		means: newMeans(s.Edges.Row, s.Rows.Rows, loss), lambda: lambda,
		centred: make([]float64, s.Edges.Len()), product: make([]float64, s.Edges.Len())}
}

// edgeSystem is LQL + λI.
type edgeSystem struct {
	q                *Operator
	means            *means
	lambda           float64
	centred, product []float64
}

// MulTo sets dst = (LQL + λI)x.
func (s *edgeSystem) MulTo(dst, x []float64) {
	copy(s.centred, x)
	s.means.takeOff(s.centred)
	s.q.MulTo(s.product, s.centred)
	s.means.takeOff(s.product)
	for i, v := range s.product {
		dst[i] = v + s.lambda*x[i]
	}
}

// means is L for the ranking loss: it subtracts the mean over the edges of each row from a vector.
type means struct {
	row   []int32
	count []float64 // nil for the regression loss
	sum   []float64
}

func newMeans(row []int32, rows int, loss Loss) *means {
	if loss == Regression {
		return &means{}
	}
	m := &means{row: row, count: make([]float64, rows), sum: make([]float64, rows)}
	for _, i := range row {
		m.count[i]++
	}
	return m
}

// takeOff sets x = Lx.
func (m *means) takeOff(x []float64) {
	if m.count == nil {
		return
	}
	clear(m.sum)
	for e, i := range m.row {
		m.sum[i] += x[e]
	}
	for i, n := range m.count {
		if n > 0 {
			m.sum[i] /= n
		}
	}
	for e, i := range m.row {
		x[e] -= m.sum[i]
	}
}

// loss is (y−f)ᵀL(y−f).
func (m *means) loss(y, f []float64) float64 {
	d := make([]float64, len(y))
	for e := range d {
		d[e] = y[e] - f[e]
	}
	m.takeOff(d)
	return linalg.Dot(d, d)
}
