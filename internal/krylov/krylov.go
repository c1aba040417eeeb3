// Package krylov solves linear systems by products with the matrix alone.
package krylov

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"pairrank/fault"
)

// Operator is a symmetric positive definite n×n matrix.
type Operator interface {
	// MulTo computes dst = A x; the slices do not overlap.
	MulTo(dst, x []float64)
}

// Defaults for systems of pairwise least squares.
const (
	DefaultTolerance  = 1e-9
	DefaultIterations = 10_000
)

// DefaultScores is the part of the differences of scores by which those of trainings that rank held-out rows or edges
// may be off; see rls.DefaultScores.
const DefaultScores = 0.0025

// CheckStops returns a *fault.Error for a tolerance, or a number of iterations, that nobody can ask for.
func CheckStops(tolerance float64, iterations int) error {
	return cmp.Or(
		fault.Refuse(!(tolerance > 0 && tolerance < 1), "Tolerance", "is between 0 and 1, not %v", tolerance),
		fault.Refuse(iterations < 1, "MaxIterations", "is at least 1, not %d", iterations))
}

// Options of CG.
type Options struct {
	// Tolerance bounds ‖b − Ax‖/‖b‖. The result says whether it was reached.
	Tolerance float64
	// Scores, where it is not 0, replaces Tolerance. With A = B + Ridge I and B positive
	// semidefinite, the iteration ends when
	//
	//	‖b − Ax‖²/Ridge  ≤  Scores² xᵀBx
	//
	// or DefaultTolerance is reached. The left side is at least the energy of the error, (x −
	// A⁻¹b)ᵀA(x − A⁻¹b). It costs two sums of n products an iteration.
	Scores, Ridge float64
	// Coefficients says that x has the coefficients of the scores Bx. With Scores the iteration then ends when ‖b − Ax‖
	// ≤ Scores ‖Bx‖. The left side is at least the error of the scores, ‖B(x − A⁻¹b)‖.
	Coefficients bool
	// MaxIterations bounds the products with A.
	MaxIterations int
	// Diagonal is the diagonal of A, all positive, as a preconditioner; nil for
	// none.
	Diagonal []float64
	// Precondition sets z to the solution of Pz = r for a positive definite P
	// near A, when it is not nil.
	Precondition func(z, r []float64)
	// Direction uses the recursive residual in place of the true one, which saves two products. It
	// is for rough solutions that need only be a descent direction.
	Direction bool
	// Progress is called after each iteration, when it is not nil.
	Progress func(iteration int, residual float64)
}

// Result says how a solve ended.
type Result struct {
	Iterations int
	Residual   float64 // ‖b − Ax‖/‖b‖, computed anew from x
	ScoreError float64 // with Scores ‖b − Ax‖/√(Ridge xᵀBx), or with Coefficients ‖b − Ax‖/‖Bx‖, else 0
	Converged  bool
}

// CG improves x, the start, towards A⁻¹b by preconditioned conjugate gradients (Hestenes and
// Stiefel 1952, Methods of conjugate gradients for solving linear systems): one product with A and
// O(n) more an iteration, 4n numbers of memory. When the recursive residual meets the tolerance, CG
// computes the true one, and continues from it if rounding has separated them. On cancellation x is
// the last iterate and the error that of ctx. It panics when b, x and the diagonal differ in
// length. A and P must be positive definite; CG does not check this, and may not converge
// otherwise.
func CG(ctx context.Context, a Operator, b, x []float64, o Options) (Result, error) {
	if len(b) != len(x) || o.Diagonal != nil && len(o.Diagonal) != len(b) {
		panic(fmt.Sprintf("krylov: CG with vectors of %d, %d and %d", len(b), len(x), len(o.Diagonal)))
	}
	if exp := farExponent(b); exp != 0 {
		// squares would overflow or underflow: solve for b and x over 2^exp
		scaled := append([]float64(nil), b...)
		shiftExponent(scaled, -exp)
		shiftExponent(x, -exp)
		defer shiftExponent(x, exp)
		b = scaled
	}
	if o.Scores > 0 {
		o.Tolerance = DefaultTolerance
	}
	s := state{a: a, b: b, x: x, o: o, norm: norm(b),
		r: make([]float64, len(b)), p: make([]float64, len(b)), ap: make([]float64, len(b)), z: make([]float64, len(b))}
	if s.norm == 0 {
		clear(x)
		return Result{Converged: true}, nil
	}
	for {
		done, err := s.run(ctx)
		if done || err != nil {
			return s.result, err
		}
	}
}

// farExponent is the exponent of the largest of b where its square would overflow or
// underflow, else 0.
func farExponent(b []float64) int {
	largest := maxAbs(b)
	const small, large = 0x1p-400, 0x1p400
	if largest == 0 || small < largest && largest < large || math.IsInf(largest, 1) {
		return 0
	}
	_, exp := math.Frexp(largest)
	return exp
}

func shiftExponent(x []float64, exp int) {
	for i, v := range x {
		x[i] = math.Ldexp(v, exp)
	}
}

type state struct {
	a           Operator
	b, x        []float64
	r, p, ap, z []float64
	norm        float64
	o           Options
	result      Result
}

// run iterates from the true residual until the recursive one meets the
// tolerance. It is done when the true one does too, when it no longer falls, or
// at the last iteration.
func (s *state) run(ctx context.Context) (done bool, err error) {
	before := s.startResidual()
	if s.near(before) {
		s.result.Converged = true
		return true, nil
	}
	rz := s.precondition()
	copy(s.p, s.z)
	for s.result.Iterations < s.o.MaxIterations {
		if err := ctx.Err(); err != nil {
			if !s.o.Direction {
				s.trueResidual()
			}
			return true, err
		}
		s.a.MulTo(s.ap, s.p)
		s.result.Iterations++
		curvature := dot(s.p, s.ap)
		if !(curvature > 0) {
			break // a direction without curvature in double precision
		}
		alpha := rz / curvature
		for i, v := range s.p {
			s.x[i] += alpha * v
			s.r[i] -= alpha * s.ap[i]
		}
		residual := norm(s.r) / s.norm
		if s.o.Progress != nil {
			s.o.Progress(s.result.Iterations, residual)
		}
		near := s.near(residual)
		if near && s.o.Direction {
			s.result.Residual, s.result.Converged = residual, true
			return true, nil
		}
		if near {
			after := s.trueResidual()
			s.result.Converged = s.near(after)
			return s.result.Converged || after > before/2, nil
		}
		next := s.precondition()
		beta := next / rz
		rz = next
		for i, v := range s.z {
			s.p[i] = v + beta*s.p[i]
		}
	}
	if s.o.Direction {
		s.result.Residual = norm(s.r) / s.norm
		return true, nil
	}
	s.result.Converged = s.near(s.trueResidual())
	return true, nil
}

// near reports whether x, with the given relative residual and the residual in r, meets the
// tolerance.
func (s *state) near(residual float64) bool {
	if s.o.Scores == 0 {
		return residual <= s.o.Tolerance
	}
	xbx, images := 0.0, 0.0
	for i, x := range s.x {
		bx := s.b[i] - s.r[i] - s.o.Ridge*x // Ax = b − r
		xbx += x * bx
		images += bx * bx
	}
	if !s.o.Coefficients {
		images = s.o.Ridge * xbx
	}
	s.result.ScoreError = residual * s.norm / math.Sqrt(images)
	return residual <= s.o.Tolerance || s.result.ScoreError <= s.o.Scores
}

// startResidual is the residual of the start, which needs no product where that
// is zero.
func (s *state) startResidual() float64 {
	for _, v := range s.x {
		if v != 0 {
			return s.trueResidual()
		}
	}
	copy(s.r, s.b)
	s.result.Residual = 1
	return 1
}

func (s *state) trueResidual() float64 {
	s.a.MulTo(s.r, s.x)
	for i, v := range s.b {
		s.r[i] = v - s.r[i]
	}
	s.result.Residual = norm(s.r) / s.norm
	return s.result.Residual
}

// precondition sets z and returns rᵀz.
func (s *state) precondition() float64 {
	if s.o.Precondition != nil {
		s.o.Precondition(s.z, s.r)
		return dot(s.r, s.z)
	}
	copy(s.z, s.r)
	for i, d := range s.o.Diagonal {
		s.z[i] /= d
	}
	return dot(s.r, s.z)
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }
