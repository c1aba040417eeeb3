package comparison

import (
	"math"

	"pairrank/internal/student"
)

// Above is the probability that item i is above item j: that a normal variable, or one of Student's distribution with
// the covariance's degrees of freedom, is above 0 whose mean is the difference of the scores and whose standard
// deviation is its standard error. It is what a flat prior of the difference comes to, and 1 less the one-sided
// p-value. It is NaN for items of different components, and where the standard error is not known or 0.
func (b *Board) Above(v *Covariance, i, j int) float64 {
	if h := b.s.pins; h != nil && h.parts.Of()[i] != h.parts.Of()[j] {
		return math.NaN()
	}
	se, own, other := v.Of(i, j), v.Of(i, -1), v.Of(j, -1)
	if !(se*se > equal*(own*own+other*other)) {
		return math.NaN()
	}
	t := (b.Scores[i] - b.Scores[j]) / se
	if v.Freedom > 0 {
		return student.Below(t, v.Freedom)
	}
	return math.Erfc(-t/math.Sqrt2) / 2
}
