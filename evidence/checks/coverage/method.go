package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/eval/compare"
	"pairrank/internal/student"
)

// method is a way to make an interval of the mean at level 95 %. means are those
// of samples drawn with replacement, in order; most is the largest magnitude of a
// difference.
type method struct {
	name     string
	interval func(d, means []float64, most float64, s settings, seed uint64) (lo, hi float64)
}

// methods are the intervals measured; the last is the one that compare prints.
var methods = []method{
	{"percentile",
		func(_, means []float64, _ float64, _ settings, _ uint64) (lo, hi float64) { return percentile(means) }},
	{"BCa", func(d, means []float64, _ float64, _ settings, _ uint64) (lo, hi float64) { return bca(d, means) }},
	{"studentised", func(d, _ []float64, most float64, s settings, seed uint64) (lo, hi float64) {
		return studentised(d, most, s.resamples, seed)
	}},
	{"**as printed**", func(d, _ []float64, most float64, s settings, seed uint64) (lo, hi float64) {
		return compare.Interval(d, most, s.resamples, seed)
	}},
}

// bootstrapMeans are the means of samples of d drawn with replacement, in order.
func bootstrapMeans(d []float64, resamples int, rng *rand.Rand) []float64 {
	means := make([]float64, resamples)
	for k := range means {
		sum := 0.0
		for range d {
			sum += d[rng.IntN(len(d))]
		}
		means[k] = sum / float64(len(d))
	}
	slices.Sort(means)
	return means
}

// percentile is the ⌊(N+1)·0.025⌋-th of N means from either end (Efron and
// Tibshirani 1993, section 13.3).
func percentile(means []float64) (lo, hi float64) {
	at := max(1, (len(means)+1)/40)
	return means[at-1], means[len(means)-at]
}

// rounding is how far sums of the same differences may be apart by their order.
const rounding = 1e-12

// bca is the bias-corrected and accelerated interval (Efron, Better bootstrap
// confidence intervals, JASA 82, 1987; Efron and Tibshirani 1993, section 14.3):
// other positions among the means, by their share below the mean and by the
// skewness of d.
func bca(d, means []float64) (lo, hi float64) {
	m, squares, cubes := moments(d)
	if squares <= rounding*rounding {
		return percentile(means)
	}
	n := float64(len(means))
	below := 0.0
	for _, x := range means {
		switch {
		case x < m-rounding:
			below++
		case x <= m+rounding:
			below += 0.5
		}
	}
	bias := normalQuantile(min(max(below, 0.5), n-0.5) / n)
	acceleration := cubes / (6 * math.Pow(squares, 1.5))
	at := func(z float64) float64 {
		z = bias + (bias+z)/(1-acceleration*(bias+z))
		rank := int(math.Round((n + 1) * 0.5 * math.Erfc(-z/math.Sqrt2)))
		return means[min(max(rank, 1), len(means))-1]
	}
	const z = student.Normal975
	return at(-z), at(z)
}

func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// moments are the mean, Σ(x − mean)² and Σ(x − mean)³.
func moments(d []float64) (m, squares, cubes float64) {
	for _, x := range d {
		m += x / float64(len(d))
	}
	for _, x := range d {
		squares += (x - m) * (x - m)
		cubes += (x - m) * (x - m) * (x - m)
	}
	return m, squares, cubes
}

// studentised is the studentised bootstrap as textbooks have it (Efron and
// Tibshirani 1993, section 12.5), infinite where a sample has one value, and
// ended by the range.
func studentised(d []float64, most float64, resamples int, seed uint64) (lo, hi float64) {
	rng := rand.New(rand.NewPCG(seed, 0x73747564))
	m, squares, _ := moments(d)
	if squares <= rounding*rounding {
		return m, m
	}
	q := float64(len(d))
	ts := make([]float64, resamples)
	for k := range ts {
		sum, within := 0.0, 0.0
		for range d {
			x := d[rng.IntN(len(d))] - m
			sum += x
			within += x * x
		}
		if within -= sum * sum / q; within <= rounding*squares {
			within = 0
		}
		if math.Abs(sum) > rounding {
			ts[k] = sum / math.Sqrt(within*q/(q-1))
		}
	}
	slices.Sort(ts)
	low, high := percentile(ts)
	unit := math.Sqrt(squares / (q - 1) / q)
	return max(-most, m-high*unit), min(most, m-low*unit)
}
