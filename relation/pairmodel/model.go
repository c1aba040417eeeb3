package pairmodel

import (
	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/relation/pairwise"
)

// Model scores a pair of a row node d and a column node t by
//
//	f(d,t) = Σ_e c_e k((d,t), (d_e,t_e))
//
// over training edges e from d_e to t_e, with the pairwise kernel k of the node kernels
// of the rows and of the columns. Kernels of one domain are for rows and columns that
// are the same nodes with one kernel. A cartesian kernel scores only nodes that were in
// training. With Similarity nothing is learnt: f(d,t) is the node kernel itself, of one
// domain.
//
// Exactly one of Coef, Edges and Weights is set, none of them for Similarity.
type Model struct {
	Info   Info
	Kernel pairwise.Kernel
	Rows   Side
	Cols   *Side       // nil for one domain: the columns are like the rows
	Coef   *data.Dense // p₁×p₂: c of every pair of training nodes

	// Edges are the c of some pairs; a pair may occur more than once.
	Edges *EdgeCoef

	// Weights are W, n₁×n₂, of the kernel kronecker with linear kernels, when
	// f(d,t) = x_dᵀ W x_t of the features; no node is kept then.
	Weights *data.Dense
}

// Similarity is the Kernel of a Model that ranks by the similarity of the nodes.
const Similarity pairwise.Kernel = "similarity"

// Info is the facts of the training.
type Info = training.Facts

// Selection is how λ was chosen.
type Selection = training.Selection

// Fact is a further fact of the training.
type Fact = training.Fact

// Side is the training nodes of the rows or of the columns, and their kernel.
type Side struct {
	Kernel  kernel.Kernel
	Support data.Matrix // p×n features, dense or CSR; nil for a precomputed kernel, Weights and similarity
	Names   []string    // of the n features, or nil

	// ID are the p names of the nodes, no two the same; nil with Weights and
	// for similarity.
	ID []string

	// Normalize replaces the kernel by k(x,z)/√(k(x,x) k(z,z)), as
	// similarity.Normalize does.
	Normalize bool

	// Similarity is p×p, the similarities of the training nodes as they were given, of a
	// precomputed kernel; nil where they are not kept.
	Similarity *data.Dense

	// Diag is k(x,x) of the training nodes, above 0, where the kernel is
	// precomputed and normalised, else nil.
	Diag []float64

	// Shift is added to the kernel value of a training node with itself, after
	// the kernel is normalised: what made the matrix of a precomputed kernel
	// positive semidefinite in training. It is at least 0.
	Shift float64
}

// EdgeCoef is coefficients of edges: Value[e] of the edge from row node Row[e]
// to column node Col[e], both counted from 0.
type EdgeCoef struct {
	Row, Col []int32
	Value    []float64
}

// Precomputed reports whether the nodes of the side are scored by their similarities to
// the training nodes instead of by features. Cost O(1).
func (s *Side) Precomputed() bool {
	_, is := s.Kernel.(kernel.Precomputed)
	return is
}

// Trained returns the training nodes as nodes to be scored, nil where the model keeps neither
// their features nor their similarities. Cost O(1).
func (s *Side) Trained() *Nodes {
	switch {
	case s.Support != nil:
		return &Nodes{X: s.Support, ID: s.ID, Names: s.Names}
	case s.Similarity != nil:
		return &Nodes{X: s.Similarity, ID: s.ID, Names: s.ID}
	}
	return nil
}

// ColSide returns the side of the columns: Rows in one domain. Cost O(1).
func (p *Model) ColSide() *Side {
	if p.Cols == nil {
		return &p.Rows
	}
	return p.Cols
}

// side is that of an end of the pairs.
func (p *Model) side(at pairwise.End) *Side {
	if at == pairwise.Row {
		return &p.Rows
	}
	return p.ColSide()
}

// ends are those that have a side of their own.
func (p *Model) ends() []pairwise.End {
	if p.Cols == nil {
		return []pairwise.End{pairwise.Row}
	}
	return []pairwise.End{pairwise.Row, pairwise.Col}
}
