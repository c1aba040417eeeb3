package main

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// shift is a point that was taken off the rows.
type shift struct {
	point []float64
	basis *data.Dense // the basis rows as they were, or nil
}

// centreFeatures takes the mean of each feature off dense rows whose inner
// products, or scores, are about to be taken for a ranking goal: it changes every
// score of a training by the same constant and no weight, and keeps the digits
// that inner products of rows far from 0 lose. The basis rows stay where they
// are, as the functions to choose from are sums of k(x_b, ·). Regression sees the
// constant, and is left as it is. mixes says that scores of different trainings
// will be compared: then predictions get their constant back.
func (p *trainProblem) centreFeatures(mixes bool) {
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
	p.shift, p.mixes = &shift{point: mean}, mixes
	if p.onBasis() {
		p.shift.basis = selectRows(x, p.basis)
	}
	parallel.Chunks(x.Rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.Row(i)
			for j, v := range mean {
				row[j] -= v
			}
		}
	})
}

// onBasis reports whether coefficients are of basis rows.
func (p *trainProblem) onBasis() bool { return p.plan.solver == "sparse" || p.plan.mapped() }

// basisRows are the rows of a sparse basis or kernel map, as they were read.
func (p *trainProblem) basisRows() data.Matrix {
	if p.shift != nil {
		return p.shift.basis
	}
	return data.Select(p.x, p.basis)
}

// constant is what each coefficient of a learner adds to all scores, and the
// shift has taken off: inner products with the point. It is nil where scores of
// one training are compared only.
func (p *trainProblem) constant() []float64 {
	if p.shift == nil || !p.mixes {
		return nil
	}
	var rows data.Matrix
	switch {
	case p.onBasis():
		rows = p.shift.basis
	case p.plan.solver == "dual":
		rows = p.x
	default:
		return p.shift.point // of weights
	}
	n, _ := rows.Dims()
	c := make([]float64, n)
	rows.MulVecTo(c, p.shift.point)
	return c
}

// addConstant adds to scores of each output what a constant gives its
// coefficients; nil is none.
func addConstant(scores, coef *data.Dense, constant []float64) *data.Dense {
	for j, c := range constant {
		for i := range scores.Rows {
			linalg.Axpy(c, coef.Row(j), scores.Row(i))
		}
	}
	return scores
}
