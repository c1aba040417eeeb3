package kron

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
)

// SolveOptions of Solve and SolveLinear. Zero values give the defaults.
type SolveOptions struct {
	Loss Loss // "" is Ranking
	// Tolerance on the relative residual; 0 is 1e-9.
	Tolerance float64
	// MaxIterations; 0 is 10,000. In Solve few of them regularise, as a λ does
	// (section 4.4 of the paper).
	MaxIterations int
	// Start is the coefficients to start from, those of another λ; nil is 0.
	Start []float64
	// Each is called with the coefficients after every iteration, when it is not
	// nil; it only reads them. It stops the iteration by returning false.
	Each func(iteration int, residual float64, coef []float64) (goOn bool)
}

// EdgeFit is a function of the span of a pairwise kernel at the training edges.
type EdgeFit struct {
	Lambda float64
	// Coef is a coefficient for each training edge, or the weights of SolveLinear.
	Coef       []float64
	Scores     []float64 // of the training edges
	Objective  float64
	Iterations int
	Residual   float64 // relative
	Converged  bool
}

// ErrNumerical is returned where rounding is all that there is: values that are
// not finite, or an iteration that diverges, as λ is too small beside the kernel
// values for double precision.
var ErrNumerical = errors.New("no solution in double precision: λ is too small beside the kernel values, or these or the labels are of a size that leaves the numbers")

func (o SolveOptions) resolved() (SolveOptions, error) {
	if o.Loss == "" {
		o.Loss = Ranking
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-9
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 10_000
	}
	if o.Loss != Ranking && o.Loss != Regression {
		return o, fmt.Errorf("unknown loss %q: known are %s, %s", o.Loss, Ranking, Regression)
	}
	return o, nil
}

// Solve learns from any edges e, with labels y, by conjugate gradients on the
// symmetric system (LQL + λI)a = Ly of lemma 2 of the paper, Q the matrix of the
// pairwise kernel between the edges and L = I for the regression loss: one product
// with Q an iteration. rows and cols are the kernel matrices of the nodes. Edges
// may be missing and may repeat. When the tolerance is not reached, when Each says
// stop, and on cancellation the fit is the last iterate; on cancellation with the
// error of ctx. It panics when λ is not positive or the shapes do not fit.
func Solve(ctx context.Context, k Kernel, rows, cols *data.Dense, e Edges, y []float64, lambda float64, o SolveOptions) (*EdgeFit, error) {
	checkLambda(lambda)
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	if len(y) != e.Len() || o.Start != nil && len(o.Start) != e.Len() {
		panic(fmt.Sprintf("kron: %d edges with %d labels and a start of %d", e.Len(), len(y), len(o.Start)))
	}
	s := &edgeSystem{q: NewOperator(k, rows, cols, e, e), means: newMeans(e.Row, rows.Rows, o.Loss), lambda: lambda,
		centred: make([]float64, len(y)), product: make([]float64, len(y))}
	b := append([]float64(nil), y...)
	s.means.takeOff(b)
	fit := &EdgeFit{Lambda: lambda, Coef: make([]float64, len(y)), Scores: make([]float64, len(y))}
	copy(fit.Coef, o.Start)
	s.means.takeOff(fit.Coef)
	const rounding = 1e-12
	strict := linalg.Nrm2(b) > rounding*linalg.Nrm2(y) // else there is nothing but rounding to learn
	if err = iterate(ctx, system{Operator: s, strict: strict}, b, fit, o); errors.Is(err, ErrNumerical) {
		return nil, err
	}
	s.q.MulTo(fit.Scores, fit.Coef)
	fit.Objective = s.means.loss(y, fit.Scores) + lambda*linalg.Dot(fit.Coef, fit.Scores)
	if err == nil && (math.IsNaN(fit.Objective) || math.IsInf(fit.Objective, 0)) {
		return nil, ErrNumerical
	}
	return fit, err
}

// system is what iterate solves with.
type system struct {
	krylov.Operator
	precondition func(z, r []float64) // or nil
	strict       bool                 // where rounding ends the iteration far from the solution, there is none
}

// iterate runs conjugate gradients into the coefficients of fit.
func iterate(ctx context.Context, a system, b []float64, fit *EdgeFit, o SolveOptions) error {
	if size := linalg.Dot(b, b); size == 0 && linalg.Nrm2(b) > 0 || math.IsInf(size, 1) || math.IsNaN(size) {
		return ErrNumerical // squares of the labels leave the numbers
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	options := krylov.Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Precondition: a.precondition}
	if o.Each != nil {
		options.Progress = func(iteration int, residual float64) {
			if !o.Each(iteration, residual, fit.Coef) {
				stop()
			}
		}
	}
	result, err := krylov.CG(inner, a, b, fit.Coef, options)
	fit.Iterations, fit.Residual, fit.Converged = result.Iterations, result.Residual, result.Converged
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil || fit.Converged:
		return nil // or Each has seen enough
	case a.strict && fit.Iterations < o.MaxIterations && fit.Residual > max(rough, o.Tolerance):
		return ErrNumerical
	case !(fit.Residual <= 1) && diverged(a, b, fit.Coef):
		return ErrNumerical
	}
	return nil
}

// rough is the relative residual up to which an iteration that rounding has ended
// still gives a solution.
const rough = 1e-4

// diverged tells whether x is no better than 0 by the function ½xᵀAx − bᵀx, which
// conjugate gradients reduce in every step but for rounding: the largest
// eigenvalue is then too far above λ for double precision.
func diverged(a krylov.Operator, b, x []float64) bool {
	ax := make([]float64, len(x))
	a.MulTo(ax, x)
	return !(linalg.Dot(x, ax)/2 < linalg.Dot(b, x))
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

// means is L: it takes the mean over the edges of each row off a vector, for the
// ranking loss.
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
