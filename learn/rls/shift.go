package rls

import (
	"math"

	"pairrank/internal/krylov"
)

// shift computes the solution x of (A + λI)x = b for one λ from the steps of the Lanczos process of
// A, A V = V T, whose start b has length 1. It is the iterate of conjugate gradients for that λ;
// the LDLᵀ factors of T + λI give its recurrences
//
//	p_k = v_k − ℓ_k p_(k−1)    x_k = x_(k−1) + ζ_k p_k
//
// so that no λ needs further products with A (Frommer and Maass 1999, Fast CG-based methods for
// Tikhonov-Phillips regularization, section 3; Saad 2003, Iterative methods for sparse linear
// systems, section 6.7.1). It keeps the images of x and p under a linear map, the identity or a
// product with other rows; the same recurrences hold for the images.
type shift struct {
	lambda       float64
	x, p         []float64 // images
	pivot, along float64   // d_k and ζ_k
	pp, xp, xx   float64   // ‖p_k‖², ⟨x_k, p_k⟩, ‖x_k‖²
	energy       float64   // ‖x_k‖² in the norm of A + λI
	residual     float64   // ‖b − (A + λI)x_k‖
	bound        float64   // at least ‖x − x_k‖² in the norm of A + λI
	steps        int
	ended        bool // no step changes x any more
	converged    bool
}

// step takes the scalars of the next step: alpha and beta of T, and next, that of the step
// after it. It returns ℓ.
//
// The bound is ‖r_k‖²/(λ‖p'‖²) for the next direction p' in the scale of v: the eigenvalues
// of A + λI are λ or more (Meurant and Tichý 2019, Approximating the extreme Ritz values
// and upper bounds for the A-norm of the error in CG, section 4).
func (s *shift) step(alpha, beta, next float64) float64 {
	s.steps++
	l := 0.0
	if s.steps == 1 {
		s.pivot = alpha + s.lambda
		s.along, s.pp = 1/s.pivot, 1
	} else {
		l = beta / s.pivot
		s.pivot = alpha + s.lambda - beta*l
		s.along *= -beta / s.pivot
		s.pp, s.xp = 1+l*l*s.pp, -l*s.xp
	}
	s.xx += s.along * (2*s.xp + s.along*s.pp)
	s.xp += s.along * s.pp
	s.energy += s.pivot * s.along * s.along
	s.residual = next * math.Abs(s.along)
	ahead := next / s.pivot
	s.bound = s.residual * s.residual / (s.lambda * (1 + ahead*ahead*s.pp))
	if !(s.pivot > 0) || math.IsInf(s.pivot, 1) {
		s.ended, s.residual = true, math.NaN() // not positive definite in double precision
	}
	return l
}

// advance takes a step, moves to it with the image v of the Lanczos vector, and judges.
func (s *shift) advance(alpha, beta, next float64, v []float64, o CGOptions) {
	if l := s.step(alpha, beta, next); !s.ended {
		s.move(v, l)
		s.judge(o)
	}
}

// move adds the step to the images, for the image v of the Lanczos vector.
func (s *shift) move(v []float64, l float64) {
	x, along := s.x[:len(v)], s.along
	for i, p := range s.p[:len(v)] {
		p = v[i] - l*p
		s.p[i] = p
		x[i] += along * p
	}
}

// judge ends the iteration where it meets the tolerance: see CGOptions.
func (s *shift) judge(o CGOptions) {
	spread := s.energy - s.lambda*s.xx
	near := s.residual <= o.Tolerance
	if o.Scores > 0 {
		near = s.residual <= krylov.DefaultTolerance || s.bound <= o.Scores*o.Scores*spread
	}
	if near {
		s.ended, s.converged = true, true
	}
}

// scoreError is the bound relative to the spread of the scores, a ratio of lengths.
func (s *shift) scoreError() float64 {
	return math.Sqrt(s.bound / (s.energy - s.lambda*s.xx))
}

// largestResidual is that of several λ.
func largestResidual(shifts []*shift) float64 {
	largest := 0.0
	for _, h := range shifts {
		largest = max(largest, h.residual)
	}
	return largest
}

// endAll ends those that have not.
func endAll(shifts []*shift, converged bool) {
	for _, h := range shifts {
		if !h.ended {
			h.ended, h.converged = true, converged
		}
	}
}
