package kernel

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Lower returns k minus its limit for γ → 0: 1 for a Gaussian kernel, Coef0^Degree for a polynomial
// one. It computes the difference directly, as expm1 computes eˣ − 1, and so keeps the digits that
// k rounds off where its values are nearly equal. A learner whose coefficients sum to 0 within
// every list, such as RankRLS, learns the same function from both. Lower returns nil for other
// kernels. A matrix costs as much as that of k, and for a Gaussian kernel about 10 ns more per
// entry. String returns the String of k.
func Lower(k Kernel) Kernel {
	switch k := k.(type) {
	case Gaussian:
		return lowerGaussian{k}
	case Polynomial:
		if k.Coef0 > 0 {
			return lowerPolynomial{k}
		}
	}
	return nil
}

// lowerGaussian is exp(−γ‖x−z‖²) − 1.
type lowerGaussian struct{ of Gaussian }

func (k lowerGaussian) String() string { return k.of.String() }

// MatrixTo is that of Gaussian, less 1.
func (k lowerGaussian) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	check(dst, a, b)
	da, denseA := a.(*data.Dense)
	db, denseB := b.(*data.Dense)
	switch {
	case a == b:
		k.upperTo(dst, a)
		linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
	case denseA && denseB:
		linalg.LowerGaussianCross(linalg.Mat(*dst), linalg.Mat(*da), linalg.Mat(*db), k.of.Gamma)
	default:
		k.of.sparseTo(dst, a, b, expm1)
	}
}

func (k lowerGaussian) upperTo(dst *data.Dense, x data.Matrix) {
	if d, dense := x.(*data.Dense); dense {
		linalg.LowerGaussianUpper(linalg.Mat(*dst), linalg.Mat(*d), k.of.Gamma)
		return
	}
	k.of.sparseTo(dst, x, x, expm1)
}

func expm1(dst, x []float64) {
	for j, v := range x {
		dst[j] = math.Expm1(v)
	}
}

// lowerPolynomial is (γ⟨x,z⟩ + c)^d − c^d.
type lowerPolynomial struct{ of Polynomial }

func (k lowerPolynomial) String() string { return k.of.String() }

// MatrixTo is that of Polynomial, less c^d.
func (k lowerPolynomial) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	appliedProducts(dst, a, b, k.apply)
}

func (k lowerPolynomial) upperTo(dst *data.Dense, x data.Matrix) {
	upperAppliedProducts(dst, x, k.apply)
}

// apply turns inner products into values. With u = γ⟨x,z⟩ + c it is
//
//	u^d − c^d = γ⟨x,z⟩ (u^(d−1) + u^(d−2) c + … + c^(d−1))
//
// where only the sum of a negative u cancels, which is not near c.
func (k lowerPolynomial) apply(row []float64) {
	c := k.of.Coef0
	for j, v := range row {
		t := k.of.Gamma * v
		u, sum, power := t+c, 1.0, 1.0
		for range k.of.Degree - 1 {
			power *= c
			sum = sum*u + power
		}
		row[j] = t * sum
	}
}
