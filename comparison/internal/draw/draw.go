// Package draw draws from the gamma and the binomial distribution.
package draw

import (
	"math"
	"math/rand/v2"
)

// Gamma draws from the gamma distribution of a shape above 0 and scale 1, whose mean and variance are the shape
// (Marsaglia and Tsang 2000, A simple method for generating gamma variables).
func Gamma(rng *rand.Rand, shape float64) float64 {
	switch {
	case shape == 1:
		return rng.ExpFloat64()
	case shape < 1:
		return Gamma(rng, shape+1) * math.Pow(1-rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// Binomial draws the number of successes of probability p in n trials: trial by trial or by inversion where they are
// few, else by transformed rejection (Hörmann 1993, The generation of binomial random variates, algorithm BTRS).
func Binomial(rng *rand.Rand, n, p float64) float64 {
	if p > 0.5 {
		return n - Binomial(rng, n, 1-p)
	}
	switch {
	case n*p >= 10:
		return transformed(rng, n, p)
	case n <= 4:
		k := 0.0
		for range int(n) {
			if rng.Float64() < p {
				k++
			}
		}
		return k
	}
	u, term := rng.Float64(), math.Exp(n*math.Log1p(-p))
	for k := 0.0; ; k++ {
		if u -= term; u < 0 || k == n {
			return k
		}
		term *= (n - k) / (k + 1) * p / (1 - p)
	}
}

// transformed is Hörmann's rejection for p ≤ ½ and np ≥ 10. The constants are the paper's.
func transformed(rng *rand.Rand, n, p float64) float64 {
	root := math.Sqrt(n * p * (1 - p))
	b := 1.15 + 2.53*root
	a := -0.0873 + 0.0248*b + 0.01*p
	alpha, most := (2.83+5.1/b)*root, math.Floor((n+1)*p)
	logOf := func(k float64) float64 {
		x, _ := math.Lgamma(k + 1)
		y, _ := math.Lgamma(n - k + 1)
		return k*math.Log(p/(1-p)) - x - y
	}
	for {
		u, v := rng.Float64()-0.5, 1-rng.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + n*p + 0.5)
		switch {
		case k < 0 || k > n:
		case us >= 0.07 && v <= 0.92-4.2/b, math.Log(v*alpha/(a/(us*us)+b)) <= logOf(k)-logOf(most):
			return k
		}
	}
}
