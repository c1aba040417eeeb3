// Package student computes the 97.5 % quantile, and probabilities, of Student's t distribution.
package student

import "math"

// Normal975 is the 97.5 % quantile of the normal distribution.
const Normal975 = 1.959963984540054

// Quantile975 is the 97.5 % quantile of Student's t distribution with df degrees
// of freedom, df ≥ 1, rounded to ten decimals, so that it is the same on every
// machine: for df ≤ 60 by bisection of the finite sums
// for its distribution function, above by an expansion in 1/df whose next term
// is below 10⁻¹⁰. Source: Abramowitz and Stegun, Handbook of mathematical
// functions, 1964, 26.7.3, 26.7.4 and 26.7.5.
func Quantile975(df int) float64 {
	t := 0.0
	if df > 60 {
		const (
			x  = Normal975
			x3 = x * x * x
			x5 = x3 * x * x
			x7 = x5 * x * x
			x9 = x7 * x * x
		)
		v := float64(df)
		t = x + ((x3+x)/4+((5*x5+16*x3+3*x)/96+((3*x7+19*x5+17*x3-15*x)/384+
			(79*x9+776*x7+1482*x5-1920*x3-945*x)/92160/v)/v)/v)/v
	} else {
		lo, hi := 1.0, 13.0
		for range 60 {
			if mid := (lo + hi) / 2; within(mid, df) < 0.95 {
				lo = mid
			} else {
				hi = mid
			}
		}
		t = hi
	}
	return math.Round(t*1e10) / 1e10
}

// within is the probability that |t| with df degrees of freedom is at
// most x.
func within(x float64, df int) float64 {
	theta := math.Atan(x / math.Sqrt(float64(df)))
	sin, cos := math.Sincos(theta)
	if df%2 == 0 {
		sum, term := 0.0, sin
		for k := 0; k < df; k += 2 {
			sum += term
			term *= cos * cos * float64(k+1) / float64(k+2)
		}
		return sum
	}
	sum, term := 0.0, sin*cos
	for k := 1; k < df; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	return 2 / math.Pi * (theta + sum)
}

// Below is the probability that a variable of Student's t distribution with df degrees of freedom, df ≥ 1, is at most
// x. Cost O(df).
func Below(x float64, df int) float64 { return (1 + within(x, df)) / 2 }
