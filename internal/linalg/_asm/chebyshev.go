package main

import (
	"math/big"
)

const precision = 256

func number(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }

func zero() *big.Float { return number(0) }

// expCoefficients are the coefficients, constant first, of a polynomial close
// to exp on |r| ≤ ln 2/2: the Chebyshev series of exp, broken off. Its error,
// about 2 I_{degree+1}(ln 2/2), is 3e-18 at degree 11.
func expCoefficients(degree int) []float64 {
	half, _, err := big.ParseFloat("0.34657359027997265470861606072908828403775006718013", 10, precision,
		big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	sum := make([]*big.Float, degree+1) // powers of x = r/half
	for i := range sum {
		sum[i] = zero()
	}
	before, now := []*big.Float{number(1)}, []*big.Float{zero(), number(1)} // T_0, T_1
	for n := range degree + 1 {
		c := bessel(n, half)
		if n > 0 {
			c.Mul(c, number(2))
		}
		for i, t := range before {
			sum[i].Add(sum[i], zero().Mul(c, t))
		}
		before, now = now, nextChebyshev(before, now)
	}
	out := make([]float64, degree+1)
	scale := number(1)
	for i, v := range sum {
		out[i], _ = zero().Quo(v, scale).Float64()
		scale.Mul(scale, half)
	}
	return out
}

// nextChebyshev is T_{n+1} = 2x T_n - T_{n-1}.
func nextChebyshev(before, now []*big.Float) []*big.Float {
	next := []*big.Float{zero()}
	for _, v := range now {
		next = append(next, zero().Mul(number(2), v))
	}
	for i, v := range before {
		next[i].Sub(next[i], v)
	}
	return next
}

// bessel is the modified Bessel function I_n(a) = Σ (a/2)^(2m+n) / (m! (m+n)!).
func bessel(n int, a *big.Float) *big.Float {
	h := zero().Quo(a, number(2))
	term := number(1)
	for i := 1; i <= n; i++ {
		term.Mul(term, h)
		term.Quo(term, number(float64(i)))
	}
	sum := zero()
	for m := 1; m < 60; m++ {
		sum.Add(sum, term)
		term.Mul(term, h)
		term.Mul(term, h)
		term.Quo(term, number(float64(m*(m+n))))
	}
	return sum
}
