package main

import (
	"context"

	"pairrank/data"
	"pairrank/internal/learn/ranksvm"
)

// The stop rule of RankSVM.
const (
	svmEpsilon    = 1e-3
	svmIterations = 1000
)

// productFeatures are x_u⊗x_v of the edges, or ½(x_u⊗x_v − x_v⊗x_u).
func (r *contest) productFeatures(reciprocal bool) *data.Dense {
	x := data.NewDense(len(r.y), 9, nil)
	for e := range r.y {
		u, v := r.train.Row(int(r.edges.Row[e])), r.train.Row(int(r.edges.Col[e]))
		row := x.Row(e)
		for k := range row {
			if row[k] = u[k/3] * v[k%3]; reciprocal {
				row[k] = (row[k] - v[k/3]*u[k%3]) / 2
			}
		}
	}
	return x
}

// playSVM trains RankSVM over a kernel and all λ, each from the last one; edges
// from one player are a query.
func (r *contest) playSVM(ctx context.Context, reciprocal bool, t *trained) error {
	queries := data.NewPartition(r.edges.Row, r.train.Rows)
	svm, err := ranksvm.New(r.productFeatures(reciprocal), r.y, queries,
		ranksvm.Options{Epsilon: svmEpsilon, MaxIterations: svmIterations})
	if err != nil {
		return err
	}
	for l, lambda := range gameLambdas {
		fit, err := svm.Train(ctx, lambda)
		if err != nil {
			return err
		}
		// The features of a reciprocal edge have the same inner product with w
		// as x_u⊗x_v with the antisymmetric part of w.
		w := fit.Weights
		if reciprocal {
			w = antisymmetric(w)
		}
		if err := t.add(r, l, w, fit.Converged); err != nil {
			return err
		}
	}
	return nil
}

// antisymmetric is ½(W − Wᵀ) of a 3×3 matrix.
func antisymmetric(w []float64) []float64 {
	out := make([]float64, 9)
	for k := range out {
		out[k] = (w[k] - w[k%3*3+k/3]) / 2
	}
	return out
}
