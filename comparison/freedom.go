package comparison

import (
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
	"pairrank/internal/student"
)

// freeOf gives intervals of the squared loss the degrees of freedom of the variance of all outcomes, unless these are
// many.
func (v *Covariance) freeOf(b *Board) {
	pooled, free := b.pooled()
	if pooled <= equal*equal { // the scores explain every outcome
		clear(v.cov.Data)
		return
	}
	v.setFreedom(free)
}

// setFreedom gives intervals Student's quantile, unless the degrees of freedom are many.
func (v *Covariance) setFreedom(free float64) {
	const many = 200
	if free < many {
		v.Freedom = max(1, int(free+1e-6))
		v.Quantile = student.Quantile975(v.Freedom)
	}
}

// overUnits gives intervals the units that the variance is over, and Student's quantile.
func (v *Covariance) overUnits(kind string, sets [][]int, p *Problem) {
	v.Unit, v.Units = kind, len(sets)
	v.Freedom = ratio.Freedom(metric.Over{N: v.Units, Effective: p.effective(sets)})
	v.Quantile = student.Quantile975(v.Freedom)
}

// effective is the number of sets of lines with the same number of outcomes that would weigh as these do: (Σ n)² / Σ n²
// for the weighted numbers of outcomes n (Kish 1965, Survey sampling, section 11.7).
func (p *Problem) effective(sets [][]int) float64 {
	sum, squares := 0.0, 0.0
	for _, set := range sets {
		n := 0.0
		for _, c := range set {
			l := p.source().At(c)
			n += l.Count() * l.OutcomeWeight()
		}
		sum, squares = sum+n, squares+n*n
	}
	return sum * sum / squares
}

// outcomesOfItem is by how many outcomes that weigh the same the variance of a score would be as sure as it is: with
// the part a_c of each outcome in it, as the model expects it, the median over items of (Σ a)²/Σ a² (Satterthwaite
// 1946, An approximate distribution of estimates of variance components; Kish 1965). It costs O(C E).
func (b *Board) outcomesOfItem() float64 {
	s, inverse := b.s, b.inverse()
	expected := make([]float64, b.p.count())
	for c := range expected {
		l := b.p.source().At(c)
		t, _ := s.Loss.Line(l, b.Margins[c], b.eta())
		expected[c] = l.OutcomeWeight() * t.V[0]
	}
	all := make([]float64, s.Items)
	parallel.For(s.Items, func(_, i int) {
		sum, squares := 0.0, 0.0
		for c, e := range expected {
			x := s.Row(c).Dot(inverse.Row(i))
			a := e * x * x
			if n := s.Loss.Said(b.p.source().At(c)); n > 0 {
				sum, squares = sum+a, squares+a*a/n
			}
		}
		all[i] = sum * sum / squares
	})
	slices.Sort(all)
	return all[len(all)/2]
}
