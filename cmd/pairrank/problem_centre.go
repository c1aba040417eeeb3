package main

import (
	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// centreFeatures takes the mean of each feature off dense rows whose inner
// products are about to be taken for a ranking goal: it changes every score of a
// training by the same constant and no weight, and keeps the digits that inner
// products of rows far from 0 lose. Scores of different trainings must not be
// mixed then. Regression sees the constant, and is left as it is.
func (p *trainProblem) centreFeatures() {
	x, ok := p.x.(*data.Dense)
	if !ok || p.plan.learner != "rankrls" || (p.plan.kernel != kernel.Linear{}) || p.plan.solver == "primal" {
		return
	}
	ones, mean := make([]float64, x.Rows), make([]float64, x.Cols)
	for i := range ones {
		ones[i] = 1 / float64(x.Rows)
	}
	x.MulTransVecTo(mean, ones)
	parallel.Chunks(x.Rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.Row(i)
			for j, v := range mean {
				row[j] -= v
			}
		}
	})
}
