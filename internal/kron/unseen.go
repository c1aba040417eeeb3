package kron

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Unseen scores the pairs of new nodes for one λ of a Path after another. It is safe for concurrent use.
type Unseen struct {
	path *Path
	// K'U₁ and G'U₂, with K' and G' the kernel values of the new nodes with the training nodes.
	rows, cols linalg.Mat
}

// Unseen returns the scorer of a new row nodes and b new column nodes from their kernel values with the
// training nodes, a×p and b×r, for two products, O(ap² + br²). It panics when the shapes do not fit.
func (p *Path) Unseen(rows, cols *data.Dense) *Unseen {
	data.Check("kron: Unseen: rows", rows)
	data.Check("kron: Unseen: cols", cols)
	if rows.Cols != p.y.Rows || cols.Cols != p.y.Cols {
		panic(fmt.Sprintf("kron: new nodes with %d and %d kernel values for labels of %d×%d",
			rows.Cols, cols.Cols, p.y.Rows, p.y.Cols))
	}
	return &Unseen{p, linalg.Mat(*rows).MulT(p.rows.u), linalg.Mat(*cols).MulT(p.cols.u)}
}

// Scores returns the a×b scores for a λ > 0, those of [Path.At], for two products, O(apr + abr); the
// coefficients would cost two more. It panics unless λ is positive and finite.
func (u *Unseen) Scores(lambda float64) *data.Dense {
	checkLambda(lambda)
	return dense(u.rows.Mul(u.path.inRanges(lambda)).MulT(u.cols))
}
