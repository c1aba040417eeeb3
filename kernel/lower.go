package kernel

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Lower returns a Gaussian kernel minus 1, its limit for γ → 0. It computes the difference directly,
// as expm1 computes eˣ − 1, and so keeps the digits that k rounds off where its values are nearly
// equal. A learner whose coefficients sum to 0 within every list, such as RankRLS, learns the same
// function from both. Lower returns nil for other kernels; see About. A matrix costs as much as that
// of k, and about 10 ns more per entry. String returns the String of k.
func Lower(k Kernel) Kernel {
	if k, is := k.(Gaussian); is {
		return lowerGaussian{k}
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
