package student

import "math"

// ChiSquareAbove is the probability that a variable of the χ² distribution with df > 0 degrees of freedom is above x:
// the regularised incomplete gamma function, by its series below the mean and by its continued fraction above
// (Abramowitz and Stegun, 6.5.29 and 6.5.31). Cost O(√x).
func ChiSquareAbove(x, df float64) float64 {
	a := df / 2
	x /= 2
	if !(x > 0) {
		return 1
	}
	lg, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - lg)
	if x < a+1 {
		term := 1 / a
		sum := term
		for n := 1.0; term > accurate*sum; n++ {
			term *= x / (a + n)
			sum += term
		}
		return 1 - front*sum
	}
	return front / fraction(x+1-a, func(n float64) (float64, float64) { return -n * (n - a), x + 2*n + 1 - a })
}

// FAbove is the probability that a variable of the F distribution with df1 and df2 > 0 degrees of freedom is above x:
// the regularised incomplete beta function by its continued fraction (Abramowitz and Stegun, 26.5.8 and 26.6.2).
func FAbove(x, df1, df2 float64) float64 {
	if !(x > 0) {
		return 1
	}
	y := df2 / (df2 + df1*x)
	return beta(y, df2/2, df1/2)
}

// beta is the regularised incomplete beta function I_y(a, b).
func beta(y, a, b float64) float64 {
	if y > (a+1)/(a+b+2) {
		return 1 - beta(1-y, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(a*math.Log(y)+b*math.Log1p(-y)+lab-la-lb) / a
	return front / fraction(1, func(n float64) (float64, float64) {
		m := math.Floor(n / 2)
		if 2*m == n {
			return m * (b - m) * y / ((a + 2*m - 1) * (a + 2*m)), 1
		}
		return -(a + m) * (a + b + m) * y / ((a + 2*m) * (a + 2*m + 1)), 1
	})
}

const accurate = 1e-16

// fraction is first + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method.
func fraction(first float64, term func(n float64) (a, b float64)) float64 {
	const tiny = 1e-300
	f := max(first, tiny)
	c, d := f, 0.0
	for n := 1.0; n < 1e6; n++ {
		a, b := term(n)
		if d = b + a*d; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + a/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		if math.Abs(c*d-1) < 4*accurate {
			break
		}
	}
	return f
}
