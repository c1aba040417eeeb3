package comparison

import "math"

// known fills in Exact, and takes the variance of the residuals of others from these entries. An entry that has no
// variance whatever the outcomes are, as the score of an item whose features are the means, is none of these.
func (v *Covariance) known(b *Board) *Covariance {
	common, inverse := 0.0, b.inverse()
	if inverse.Rows > 0 && b.o.Loss == Squared {
		common, _ = b.pooled()
	}
	for i := range v.cov.Rows {
		row, is := v.cov.Row(i), false
		switch large := inverse.Rows == 0; {
		case math.IsNaN(row[i]), !large && inverse.Row(i)[i] <= equal*equal:
		case row[i] <= equal*equal:
			is = true
		case !large && b.predicted(inverse.Row(i), row[i], common):
			is = true
			for j := range row {
				row[j], v.cov.Row(j)[i] = 0, 0
			}
		}
		if is {
			v.Exact = append(v.Exact, i)
		}
	}
	return v
}

// predicted reports whether all outcomes that move an entry, whose row of the inverse is influence, are what the scores
// predict, so that its variance tells of the residuals of others alone: by the leverages of Sandwich, or by the weights
// of Bootstrap. One or two outcomes that agree by chance say nothing, and keep the variance common to all outcomes:
// from three on, a variance is less than half of what it would be with common residuals.
func (b *Board) predicted(influence []float64, variance, common float64) bool {
	s, eta, e := b.s, b.eta(), 0.0
	if b.o.BiasReduced {
		return false
	}
	if s.EtaAt >= 0 {
		e = influence[s.EtaAt]
	}
	sum, alike := 0.0, 0.0
	for c := range b.p.count() {
		l := b.p.source().At(c)
		_, square := s.Loss.Line(l, b.Margins[c], eta)
		u := s.Row(c).Dot(influence)
		if sum += square[0]*u*u + 2*square[1]*u*e + square[2]*e*e; sum > equal*variance {
			return false
		}
		alike += l.Count() * l.OutcomeWeight() * l.OutcomeWeight() * u * u
	}
	return b.o.Loss != Squared || variance < common*alike*(1-equal)/2
}
