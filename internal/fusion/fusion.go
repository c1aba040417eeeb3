// Package fusion makes one ranking of the scores of several tools: the mean of scores that are standardised within
// each query (Montague and Aslam 2001, Relevance score normalization for metasearch, section 2).
package fusion

import (
	"math"

	"pairrank/data"
)

// tieGrid is the grid of the means, in deviations of a query. Two means that are equal by their formula may differ by
// some rounding errors, which are below it unless a query has more than a million rows.
const tieGrid = 1.0 / (1 << 40)

// Mean returns the mean of z over some lists of scores, where z = (x − mean)/s in each query, with s² the mean square
// of x − mean. Where all x of a query tie, z is 0. Means are rounded to a grid of 2⁻⁴⁰, so that those that tie by the
// formula tie. tied has for each list the number of queries of two rows or more where all of its scores tie. It costs
// O(m) for each list of m scores.
func Mean(queries *data.Partition, lists ...[]float64) (mean []float64, tied []int) {
	mean, tied = make([]float64, len(queries.Of())), make([]int, len(lists))
	for k, scores := range lists {
		for g := range queries.Len() {
			rows := queries.Part(g)
			if !addStandardized(mean, scores, rows) && len(rows) > 1 {
				tied[k]++
			}
		}
	}
	for i, z := range mean {
		mean[i] = math.Round(z/float64(len(lists))/tieGrid)*tieGrid + 0 // not -0
	}
	return mean, tied
}

// addStandardized adds the standardised scores of rows to dst, and reports whether they differ.
func addStandardized(dst, scores []float64, rows []int32) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range rows {
		low, high = min(low, scores[i]), max(high, scores[i])
	}
	if !(low < high) {
		return false
	}
	scale := 1.0
	if math.IsInf(high-low, 0) {
		scale = 0.5
	}
	unit := func(i int32) float64 { return (scores[i]*scale - low*scale) / (high*scale - low*scale) } // in [0,1]
	mean, square := 0.0, 0.0
	for _, i := range rows {
		mean += unit(i) / float64(len(rows))
	}
	for _, i := range rows {
		d := unit(i) - mean
		square += d * d / float64(len(rows))
	}
	for _, i := range rows {
		dst[i] += (unit(i) - mean) / math.Sqrt(square)
	}
	return true
}
