package main

import (
	"context"

	"pairrank/data"
	"pairrank/pref"
	"pairrank/ranksvm"
)

// svmLambdas end with that of table 1: each training starts at the last one.
var svmLambdas = func() []float64 {
	up := []int{-2, -4, -6, -8, -10, -12, -15, -20, -25, -30}
	var lambdas []float64
	for _, k := range up {
		lambdas = append(lambdas, exponents(k, k, 1)...)
	}
	return lambdas
}()

// What ends a training of RankSVM.
const (
	svmEpsilon    = 1e-3
	svmIterations = 1000
)

// productFeatures are x_u⊗x_v of the edges, or ½(x_u⊗x_v − x_v⊗x_u).
func (r *contest) productFeatures(reciprocal bool) *data.Dense {
	x := data.NewDense(len(r.y), 9)
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

// playSVM trains RankSVM over both kernels and all λ; edges from one player are a
// query.
func (r *contest) playSVM(ctx context.Context, t *tally) error {
	queries := pref.NewPartition(r.edges.Row, r.train.Rows)
	for k := range t.svm {
		svm, err := ranksvm.New(r.productFeatures(k == 1), r.y, queries, ranksvm.Options{Epsilon: svmEpsilon, MaxIterations: svmIterations})
		if err != nil {
			return err
		}
		for l, lambda := range svmLambdas {
			fit, err := svm.Train(ctx, lambda)
			if err != nil {
				return err
			}
			if !fit.Converged {
				t.stopped[k][l]++
			}
			// The features of a reciprocal edge have the same inner product with w
			// as x_u⊗x_v with the antisymmetric part of w.
			w := fit.Weights
			if k == 1 {
				w = antisymmetric(w)
			}
			e, err := r.error(w)
			if err != nil {
				return err
			}
			t.svm[k][l] = append(t.svm[k][l], e)
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
