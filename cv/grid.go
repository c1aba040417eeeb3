package cv

import "math"

// gridSize is the number of values of λ that are tried where none are given.
const gridSize = 31

// Lambdas is the default path of λ for a factored problem, whose eigenvalues are
// those of RᵀLR: 31 powers of two with equal steps, down from 8 times the largest
// eigenvalue d₁ or a little more. There the ranking is flat: the weights are
// Σ u_k c_k/(d_k+λ), and every d_k + λ is λ but for an eighth. The step is a factor
// of 2 where the last value is below an eighth of the least eigenvalue that is not
// rounding, where the ranking is flat again, and else 2^1.5, which goes down to
// rounding, 2⁻⁴²d₁. The loss is a sum over pairs, so that λ that are useful grow with
// the problem: no fixed numbers serve all. Without a positive eigenvalue the values
// are 2⁻¹⁵ … 2¹⁵.
func Lambdas(eigenvalues []float64) []float64 {
	largest := 0.0
	for _, v := range eigenvalues {
		largest = max(largest, v)
	}
	rounding := float64(len(eigenvalues)) * 0x1p-52 * largest
	least := math.Inf(1)
	for _, v := range eigenvalues {
		if v > rounding {
			least = min(least, v)
		}
	}
	return LambdasBetween(least, largest)
}

// LambdasBetween is Lambdas of a problem of which only the least eigenvalue that is
// not rounding and the largest are known.
func LambdasBetween(least, largest float64) []float64 {
	top := topExponent(largest)
	if math.Exp2(top-(gridSize-1)) > least/8 {
		return powersDown(top, 1.5, gridSize)
	}
	return powersDown(top, 1, gridSize)
}

// IterativeLambdas is the default path of λ where each value is trained by
// conjugate gradients: 16 powers of two down from 8 times the largest eigenvalue, at
// the last of which the condition is 2¹² at most and the iterations some hundreds.
// Values below have to be asked for.
func IterativeLambdas(largest float64) []float64 {
	return powersDown(topExponent(largest), 1, 16)
}

// HingeLambdas is the default path of λ for the mean of the hinge loss over pairs,
// or of its square: 12 powers of four down from the mean squared distance s of two
// rows of a query. At λ ≥ s the weights, of length √(1/λ) at most, leave every pair
// within the margin, and point where they do for all larger λ.
func HingeLambdas(distance float64) []float64 {
	return powersDown(topExponent(distance/8), 2, 12)
}

// topExponent is that of the least power of two that is at least 8 times largest,
// 15 where largest is 0 or not finite.
func topExponent(largest float64) float64 {
	if !(largest > 0) || math.IsInf(largest, 0) {
		return 15
	}
	return min(math.Ceil(math.Log2(largest)-1e-9)+3, 1020)
}

// powersDown is n powers of two down from 2^top, ascending, the exponents a step
// apart; none is below the normal numbers.
func powersDown(top, step float64, n int) []float64 {
	const least = -1000
	if top-step*float64(n-1) < least {
		top = least + step*float64(n-1)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Pow(2, top-step*float64(n-1-i)) // as 2^x is read
	}
	return out
}
