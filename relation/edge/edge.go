// Package edge has the words of labelled edges between nodes: their list, what is new in an edge that is predicted, the
// loss of an error, and how the labels of opposite directions are related.
package edge

import "pairrank/relation/pairwise"

// Edges are edges given by the numbers of their nodes; an edge may occur more than once.
type Edges struct{ Row, Col []int32 }

// Len is the number of edges m.
func (e Edges) Len() int { return len(e.Row) }

// Setting says what is new in an edge that is predicted (Pahikkala et al. 2013, section 1.2). "" is Pairs.
//
// In one domain with an Arbitrary relation only one direction is left out: with Pairs (v,u) stays when (u,v) is
// left out, and with Rows and Cols a node is new on that side alone. If labels of opposite directions are equal
// or opposite, the edges that stay reveal the labels left out, and the error is smaller than that of new edges.
// Such labels need a Symmetric or Reciprocal relation.
type Setting string

const (
	// Pairs are unseen edges between known nodes: setting 1.
	Pairs Setting = "pairs"
	// Rows are new row nodes, with known columns: setting 2.
	Rows Setting = "rows"
	// Cols are new column nodes, for known rows: setting 3.
	Cols Setting = "cols"
	// Both are a new row and a new column: setting 4.
	Both Setting = "both"
)

// Settings are the names of all settings.
var Settings = []Setting{Pairs, Rows, Cols, Both}

// Loss is the loss of an edge or of a pair of edges.
type Loss string

const (
	// Ranking is the loss of the differences between the edges of one row.
	Ranking Loss = "ranking"
	// Regression is the loss of each edge.
	Regression Loss = "regression"
)

// Relation is prior knowledge about the labels.
type Relation string

const (
	// Arbitrary relations have any values.
	Arbitrary Relation = "arbitrary"
	// Symmetric ones have y(u,v) = y(v,u), one domain.
	Symmetric Relation = "symmetric"
	// Reciprocal ones have y(u,v) = −y(v,u), one domain.
	Reciprocal Relation = "reciprocal"
)

// Pairwise returns the pairwise kernel of the relation, Kronecker for an Arbitrary one.
func (r Relation) Pairwise() pairwise.Kernel {
	switch r {
	case Symmetric:
		return pairwise.Symmetric
	case Reciprocal:
		return pairwise.Reciprocal
	}
	return pairwise.Kronecker
}

// Fit is a function in the span of a pairwise kernel at the training edges.
type Fit struct {
	Lambda float64
	// Coef is a coefficient for each training edge, or the weights of SolveLinear.
	Coef       []float64
	Scores     []float64 // of the training edges
	Objective  float64
	Iterations int
	Residual   float64 // relative
	ScoreError float64 // where Scores may end the iteration, that of krylov.Result
	Converged  bool
}
