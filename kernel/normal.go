package kernel

import "math"

// normalQuantile is Φ⁻¹(u), the quantile of the standard normal distribution, for the
// uniform u = (bits>>12 + ½)·2⁻⁵² that the upper 52 of 64 random bits make: the rational
// approximations of Wichura 1988, The percentage points of the normal distribution,
// algorithm AS 241, PPND16, to a relative 1e-15 or so.
//
// Its bits are the same on every machine and in every version, since saved models depend on them.
// It uses only sums, products, quotients and square roots, each rounded separately: math.Log differs
// between processors, and rand.NormFloat64 may change. A conversion to
// float64 keeps the compiler from fusing a product and a sum.
func normalQuantile(bits uint64) float64 {
	const unit = 0x1p-52
	u := (float64(bits>>12) + 0.5) * unit // exact
	q := u - 0.5                          // exact
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*horner(r, &quantileA)) / horner(r, &quantileB)
	}
	r := math.Sqrt(-logOf(min(u, 1-u)))
	z := 0.0
	if r <= 5 {
		r -= 1.6
		z = horner(r, &quantileC) / horner(r, &quantileD)
	} else {
		r -= 5
		z = horner(r, &quantileE) / horner(r, &quantileF)
	}
	return math.Copysign(z, q)
}

// horner is the polynomial with the coefficients c, constant first.
func horner(x float64, c *[8]float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// logOf is the natural logarithm of a normal number in (0,1), to a few units of the last
// place: k ln 2 + 2 artanh((f−1)/(f+1)) for x = 2^k f with f in [√½, √2), the series up to
// s²³, after which less than 2⁻⁵⁶ of the sum follows.
func logOf(x float64) float64 {
	f, k := math.Frexp(x) // exact
	if f < math.Sqrt2/2 {
		f, k = 2*f, k-1
	}
	s := (f - 1) / (f + 1)
	squared := float64(s * s)
	sum := 0.0
	for d := 23; d >= 1; d -= 2 {
		sum = float64(sum*squared) + 1/float64(d)
	}
	return float64(float64(k)*math.Ln2) + float64(2*float64(s*sum))
}

// Coefficients of AS 241: numerator and denominator for |u − ½| ≤ 0.425, and for the
// tails by r = √(−ln min(u, 1−u)), up to 5 and beyond.
var (
	quantileA = [8]float64{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
		1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3}
	quantileB = [8]float64{1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}
	quantileC = [8]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
		3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4}
	quantileD = [8]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}
	quantileE = [8]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
		2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}
	quantileF = [8]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}
)
