package main

import (
	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// centreFeatures takes the mean of each feature off dense rows whose inner
// products, or scores, are about to be taken for a ranking goal: it changes every score of a
// training by the same constant and no weight, and keeps the digits that inner
// products of rows far from 0 lose. Scores of different trainings must not be
// mixed then. Regression sees the constant, and is left as it is.
func (p *trainProblem) centreFeatures() {
	x, ok := p.x.(*data.Dense)
	products := p.plan.learner == rankRLS && p.plan.solver != "primal" || p.plan.learner == rankSVM
	if !ok || !products || (p.plan.kernel != kernel.Linear{}) {
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
