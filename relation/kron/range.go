package kron

import (
	"context"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// InRange is P₁AP₂, the coefficients with the projections P on the ranges of the
// kernel matrices rows and cols: f(u,v) = Σ_ij A_ij k(u,u_i) g(v,v_j) as before.
// Where a similarity matrix was made positive semidefinite by setting eigenvalues
// to 0, such coefficients make of the similarities as they were what the repaired
// ones make, for the training nodes exactly, and for new ones the same linear map
// (Chen, Garcia, Gupta, Rahimi and Cazzanti 2009, Similarity-based classification:
// concepts and algorithms, section 3.1.4). It costs an eigenproblem for each
// matrix and four products, and returns an error that wraps ErrNotPSD.
func InRange(rows, cols, a *data.Dense) (*data.Dense, error) {
	left, right, err := decomposeBoth(context.Background(), rows, cols)
	if err != nil {
		return nil, err
	}
	inRange := func(d, _ float64) float64 {
		if d == 0 {
			return 0
		}
		return 1
	}
	return dense(right.apply(0, inRange, left.apply(0, inRange, linalg.Mat(*a), linalg.Left), linalg.Right)), nil
}

// Matrix is a matrix of p×r with the sum of the values of the edges at each pair of
// nodes.
func (e Edges) Matrix(values []float64, p, r int) *data.Dense {
	a := data.NewDense(p, r, nil)
	for h, v := range values {
		a.Row(int(e.Row[h]))[e.Col[h]] += v
	}
	return a
}
