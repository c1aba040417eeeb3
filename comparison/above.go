package comparison

import (
	"math"

	"pairrank/internal/student"
)

// above returns the probability that item i is above item j: 1 less the one-sided p-value, or the posterior probability
// under a flat prior of the difference. With d the difference of the scores, s its standard error and T the
// distribution function of Student's t with the covariance's degrees of freedom, or of the normal distribution, it is
// T(d/s). It is NaN for items of different components, and if s is unknown or 0.
func (b *Board) above(v *Covariance, i, j int) float64 {
	if h := b.s.Pins; h != nil && h.Parts.Of()[i] != h.Parts.Of()[j] {
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
