package main

import (
	"math"
	"math/rand/v2"
)

// law is a distribution of the difference of two rankings on a query.
type law struct {
	name string
	mean float64
	most float64 // the largest magnitude there is; +Inf: any
	draw func(rng *rand.Rand) float64
}

// counts are the numbers of queries.
var counts = []int{3, 5, 10, 20, 50, 100, 300}

// madeLaws are distributions by formula.
var madeLaws = []law{
	{"normal", 0.05, math.Inf(1), func(rng *rand.Rand) float64 { return 0.05 + 0.1*rng.NormFloat64() }},
	{"long tails: t₃", 0.05, math.Inf(1), func(rng *rand.Rand) float64 {
		squares := 0.0
		for range 3 {
			z := rng.NormFloat64()
			squares += z * z
		}
		return 0.05 + 0.05*rng.NormFloat64()/math.Sqrt(squares/3)
	}},
	{"skewed: log-normal", 0.05 * math.Exp(0.5), math.Inf(1), logNormal},
	{"70 % zeros, else normal", 0.3 * 0.05, 1, func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.7 {
			return 0
		}
		return max(-1, min(1, 0.05+0.15*rng.NormFloat64()))
	}},
	{"p@1: 20 % +1, 10 % −1, else 0", 0.1, 1, func(rng *rand.Rand) float64 {
		switch u := rng.Float64(); {
		case u < 0.2:
			return 1
		case u < 0.3:
			return -1
		}
		return 0
	}},
	{"AUC of 6 pairs, 0.95 and 0.8", 0.15, 1, func(rng *rand.Rand) float64 {
		return float64(rightPairs(rng, 6, 0.95)-rightPairs(rng, 6, 0.8)) / 6
	}},
}

func logNormal(rng *rand.Rand) float64 { return 0.05 * math.Exp(rng.NormFloat64()) }

// rightPairs is how many of n pairs are ordered rightly, each with probability p.
func rightPairs(rng *rand.Rand, n int, p float64) (right int) {
	for range n {
		if rng.Float64() < p {
			right++
		}
	}
	return right
}

// exchanged is the law with the names of the rankings exchanged by a coin in every
// query: the rankings are then alike.
func (l law) exchanged() law {
	l.mean = 0
	draw := l.draw
	l.draw = func(rng *rand.Rand) float64 {
		d := draw(rng)
		if rng.Uint64()&1 == 0 {
			return -d
		}
		return d
	}
	return l
}
