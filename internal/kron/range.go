package kron

import (
	"context"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// InRange returns P₁AP₂, the p×r coefficients a projected on the ranges of the kernel matrices rows, p×p, and
// cols, r×r. The function f(u,v) = Σ_ij A_ij k(u,u_i) g(v,v_j) does not change. If a similarity matrix was made
// positive semidefinite by setting eigenvalues to 0, these coefficients give with the original similarities the
// scores of the corrected ones: exactly for the training nodes, and for new nodes by the same linear map (Chen,
// Garcia, Gupta, Rahimi and Cazzanti 2009, Similarity-based classification: concepts and algorithms, section
// 3.1.4). It costs an eigenproblem for each matrix, O(p³ + r³), and four products. It returns an error that
// wraps ErrNotPSD.
func InRange(rows, cols, a *data.Dense) (*data.Dense, error) {
	data.Check("kron: InRange: rows", rows)
	data.Check("kron: InRange: cols", cols)
	data.Check("kron: InRange: a", a)
	left, right, err := decomposeBoth(context.Background(), rows, cols, false)
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

// EdgeMatrix returns the p×r matrix with the sum of the values of the edges at each pair of nodes. It costs O(pr +
// m) for m edges. It panics when an edge is not in p×r, or there are more values than edges.
func EdgeMatrix(e Edges, values []float64, p, r int) *data.Dense {
	a := data.NewDense(p, r, nil)
	for h, v := range values {
		a.Row(int(e.Row[h]))[e.Col[h]] += v
	}
	return a
}
