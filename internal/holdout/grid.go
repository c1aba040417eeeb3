package holdout

import (
	"math"
	"slices"
)

// gridSize is the default number of values of λ.
const gridSize = 31

// Lambdas returns the default path of λ, 31 values, ascending, for a factored problem with the
// given k eigenvalues of RᵀLR: powers of two with equal steps, up to 8 times the largest eigenvalue
// d₁, rounded up. From there on the ranking hardly changes: the weights are Σ u_k c_k/(d_k+λ), and
// every d_k + λ is within an eighth of λ. The step is a factor of 2 if the first value is then
// below an eighth of the least eigenvalue above rounding, where the ranking hardly changes either.
// Otherwise it is 2^1.5, which reaches rounding, 2⁻⁴²d₁. Where the scales of the features spread
// the problem (see Spread) the step is larger, so that the path reaches as far below the size of
// most features. The path depends on the problem because the loss is a sum over pairs, and useful
// values of λ grow with it: of 18 choices from 2⁻¹⁵ … 2¹⁵, the values of the papers, on nine of their data sets four
// were 2¹⁵. Without a positive eigenvalue the values are 2⁻¹⁵ … 2¹⁵. Cost O(k).
func Lambdas(eigenvalues []float64, spread float64) []float64 {
	least, largest := extent(eigenvalues)
	return LambdasBetween(least, largest, spread)
}

// LambdasBetween is Lambdas from the least eigenvalue above rounding and the largest, as
// Factored.Extent returns them: +∞ and 0 where none is positive. Cost O(1).
func LambdasBetween(least, largest, spread float64) []float64 {
	const octaves = gridSize - 1
	top, down := topExponent(largest), float64(octaves)
	if largest > 0 && math.Exp2(top-octaves) > least/8 {
		down = 1.5 * octaves
	}
	down = max(down, octaves+octavesOf(spread))
	return powersDown(top, math.Ceil(2*down/octaves)/2, gridSize)
}

// LambdasToRounding is LambdasBetween where the least eigenvalue is not known: it goes
// down to rounding, 2⁻⁴² of the largest. Cost O(1).
func LambdasToRounding(largest, spread float64) []float64 { return LambdasBetween(0, largest, spread) }

// IterativeLambdas returns the default path of λ, ascending, for training by conjugate gradients:
// 16 powers of two up to 8 times the largest eigenvalue. At the least value the condition number is
// at most 2¹², and training takes some hundreds of iterations. Where the scales of features spread
// the problem it has more values, at most 31 with larger steps; the diagonal preconditioner
// compensates for these scales. Smaller values of λ must be given explicitly.
func IterativeLambdas(largest, spread float64) []float64 {
	return further(topExponent(largest), 1, 16, spread)
}

// HingeLambdas returns the default path of λ, ascending, for the mean of the hinge loss over pairs,
// or of its square: 12 powers of four up to the mean squared distance s of two rows of a query, and
// more where the scales of features spread the problem. At λ ≥ s the weights, whose length is at
// most √(1/λ), leave every pair within the margin, and their direction is that for all larger λ.
func HingeLambdas(distance, spread float64) []float64 {
	return further(topExponent(distance/8), 2, 12, spread)
}

// FeatureLambdas returns the default values of λ for the selection of features, ascending, for the n diagonal entries
// of XᵀLX: seven powers of eight up to eight times the median of those that are not 0, rounded up. A single feature of
// median size is then shrunk between hardly and almost to nothing. They are few, since each costs a search in each
// fold. Cost O(n log n).
func FeatureLambdas(squares []float64) []float64 {
	sizes := slices.DeleteFunc(slices.Clone(squares), func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
	slices.Sort(sizes)
	median := 0.0
	if len(sizes) > 0 {
		median = sizes[len(sizes)/2]
	}
	return powersDown(topExponent(median), 3, 7)
}

// Spread returns how the scales of n features spread the problem: the mean of their sums of squares
// over the median of those that are not 0, at least 1. It is 1 where all scales are equal, or there
// are no features, and about 10¹²/n where the unit of one feature is a millionth of the unit of the
// others. Cost O(n log n).
func Spread(squares []float64) float64 {
	var sizes []float64
	sum := 0.0
	for _, v := range squares {
		if v > 0 && !math.IsInf(v, 0) {
			sizes = append(sizes, v)
			sum += v
		}
	}
	if len(sizes) == 0 {
		return 1
	}
	slices.Sort(sizes)
	return max(1, sum/float64(len(sizes))/sizes[len(sizes)/2])
}

// octavesOf is the number of powers of two by which a path extends further down for a spread; 0 for
// the spread of scaled features.
func octavesOf(spread float64) float64 {
	const usual = 1 << 6
	if !(spread > usual) {
		return 0
	}
	return math.Ceil(math.Log2(spread))
}

// further is powersDown with n values, or as many as the spread needs, at most gridSize; beyond
// that the step is larger.
func further(top, step float64, n int, spread float64) []float64 {
	down := step*float64(n-1) + octavesOf(spread)
	n = min(gridSize, int(math.Ceil(down/step))+1)
	return powersDown(top, max(step, math.Ceil(2*down/float64(n-1))/2), n)
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
