package main

import (
	"math"
	"time"

	"pairrank/evidence/papers/experiment"
)

// none stands for a number that was not measured.
var none = math.NaN()

// megabytes are 10^6 bytes; none where the system does not tell.
func megabytes(bytes int) float64 {
	if bytes == 0 {
		return none
	}
	return float64(bytes) / 1e6
}

// repeat is the median of the seconds that work takes in so many runs, or fewer
// where patience ends before.
func repeat(runs int, patience time.Duration, work func() error) (seconds float64, err error) {
	var all []float64
	for began := time.Now(); len(all) < runs && (len(all) == 0 || time.Since(began) < patience); {
		run := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(run).Seconds())
	}
	return experiment.Median(all), nil
}

// power is the law that v grows with m^slope, fitted by least squares to the logarithms
// of both from some m on. Error is the standard error of the slope, none of two points.
type power struct {
	slope, error float64
	points       int
}

// growth fits the numbers that there are.
func growth(sizes []int, values []float64, from int) power {
	var xs, ys []float64
	for i, m := range sizes {
		if m >= from && !math.IsNaN(values[i]) {
			xs, ys = append(xs, math.Log(float64(m))), append(ys, math.Log(values[i]))
		}
	}
	n := len(xs)
	if n < 2 {
		return power{none, none, n}
	}
	mx, my := experiment.Mean(xs), experiment.Mean(ys)
	var sxx, sxy, left float64
	for i, x := range xs {
		sxx += (x - mx) * (x - mx)
		sxy += (x - mx) * (ys[i] - my)
	}
	slope := sxy / sxx
	for i, x := range xs {
		r := ys[i] - my - slope*(x-mx)
		left += r * r
	}
	if n == 2 {
		return power{slope, none, n}
	}
	return power{slope, math.Sqrt(left / float64(n-2) / sxx), n}
}

// linearithmic is the slope that m log m has over the same rows.
func linearithmic(sizes []int, from int) float64 {
	var values []float64
	for _, m := range sizes {
		values = append(values, float64(m)*math.Log(float64(m)))
	}
	return growth(sizes, values, from).slope
}
