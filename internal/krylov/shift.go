package krylov

import (
	"math"
	"slices"
)

// Shift computes the solution x of (A + λI)x = b for one λ from the steps of the Lanczos process of
// A, A V = V T, whose start b has length 1. It is the iterate of conjugate gradients for that λ;
// the LDLᵀ factors of T + λI give its recurrences
//
//	p_k = v_k − ℓ_k p_(k−1)    x_k = x_(k−1) + ζ_k p_k
//
// so that no λ needs further products with A (Frommer and Maass 1999, Fast CG-based methods for
// Tikhonov-Phillips regularization, section 3; Saad 2003, Iterative methods for sparse linear
// systems, section 6.7.1). It keeps the images of x and p under a linear map, the identity or a
// product with other rows; the same recurrences hold for the images.
type Shift struct {
	Lambda    float64
	X         []float64 // image of the solution
	Residual  float64   // ‖b − (A + λI)x_k‖
	Steps     int
	Ended     bool // no step changes x any more
	Converged bool

	p            []float64 // image
	pivot, along float64   // d_k and ζ_k
	pp, xp, xx   float64   // ‖p_k‖², ⟨x_k, p_k⟩, ‖x_k‖²
	energy       float64   // ‖x_k‖² in the norm of A + λI
	bound        float64   // at least ‖x − x_k‖² in the norm of A + λI
}

// NewShift returns the shift of a λ > 0 before its first step, with images of length size.
func NewShift(lambda float64, size int) *Shift {
	return &Shift{Lambda: lambda, X: make([]float64, size), p: make([]float64, size)}
}

// step takes the scalars of the next step: alpha and beta of T, and next, that of the step
// after it. It returns ℓ.
//
// The bound is ‖r_k‖²/(λ‖p'‖²) for the next direction p' in the scale of v: the eigenvalues
// of A + λI are λ or more (Meurant and Tichý 2019, Approximating the extreme Ritz values
// and upper bounds for the A-norm of the error in CG, section 4).
func (s *Shift) step(alpha, beta, next float64) float64 {
	s.Steps++
	l := 0.0
	if s.Steps == 1 {
		s.pivot = alpha + s.Lambda
		s.along, s.pp = 1/s.pivot, 1
	} else {
		l = beta / s.pivot
		s.pivot = alpha + s.Lambda - beta*l
		s.along *= -beta / s.pivot
		s.pp, s.xp = 1+l*l*s.pp, -l*s.xp
	}
	s.xx += s.along * (2*s.xp + s.along*s.pp)
	s.xp += s.along * s.pp
	s.energy += s.pivot * s.along * s.along
	s.Residual = next * math.Abs(s.along)
	ahead := next / s.pivot
	s.bound = s.Residual * s.Residual / (s.Lambda * (1 + ahead*ahead*s.pp))
	if !(s.pivot > 0) || math.IsInf(s.pivot, 1) {
		s.Ended, s.Residual = true, math.NaN() // not positive definite in double precision
	}
	return l
}

// Advance takes a step, moves to it with the image v of the Lanczos vector, and ends the iteration where it meets the
// tolerance, or with scores above 0 that of Options.Scores.
func (s *Shift) Advance(alpha, beta, next float64, v []float64, tolerance, scores float64) {
	if l := s.step(alpha, beta, next); !s.Ended {
		s.move(v, l)
		s.judge(tolerance, scores)
	}
}

// move adds the step to the images, for the image v of the Lanczos vector.
func (s *Shift) move(v []float64, l float64) {
	x, along := s.X[:len(v)], s.along
	for i, p := range s.p[:len(v)] {
		p = v[i] - l*p
		s.p[i] = p
		x[i] += along * p
	}
}

func (s *Shift) judge(tolerance, scores float64) {
	near := s.Residual <= tolerance
	if scores > 0 {
		near = s.Residual <= DefaultTolerance || s.bound <= scores*scores*(s.energy-s.Lambda*s.xx)
	}
	if near {
		s.Ended, s.Converged = true, true
	}
}

// Image is the length of Ax_k beside that of b, of 1. It grows as λ falls. Since b − Ax − λx is orthogonal to b and x,
// it is that of b − λx with the residual.
func (s *Shift) Image() float64 {
	return math.Sqrt(max(0, 1-2*s.Lambda*s.energy+s.Lambda*s.Lambda*s.xx) + s.Residual*s.Residual)
}

// ScoreError is the bound on the error of the scores relative to their spread, a ratio of lengths.
func (s *Shift) ScoreError() float64 {
	return math.Sqrt(s.bound / (s.energy - s.Lambda*s.xx))
}

// Distance returns the largest logarithm of how many times the residual of a shift that has not ended, or with scores
// above 0 its error of scores, is above what ends it; 0 where all have ended.
func Distance(shifts []*Shift, tolerance, scores float64) float64 {
	largest := 0.0
	for _, h := range shifts {
		switch {
		case h.Ended:
		case scores > 0:
			largest = max(largest, math.Log(h.ScoreError()/scores))
		default:
			largest = max(largest, math.Log(h.Residual/tolerance))
		}
	}
	return largest
}

// AllEnded reports whether every shift has ended.
func AllEnded(shifts []*Shift) bool {
	return !slices.ContainsFunc(shifts, func(h *Shift) bool { return !h.Ended })
}

// EndAt ends the shifts that are still running where the Lanczos process ends: it finds no further vector, next is 0
// and each has its solution; or next is not finite, and none has.
func EndAt(shifts []*Shift, next float64) {
	if next > 0 && !math.IsInf(next, 1) {
		return
	}
	for _, h := range shifts {
		if !h.Ended {
			h.Ended, h.Converged = true, next == 0
		}
	}
}
