package pairmodel

import (
	"pairrank/data"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/relation/pairwise"
)

// Model scores a pair of a row node d and a column node t by
//
//	f(d,t) = Σ_e c_e k((d,t), (d_e,t_e))
//
// over training edges e from d_e to t_e, with the pairwise kernel k of the node kernels of the rows and of the
// columns. For kernels of one domain the rows and columns are the same nodes with one kernel. A cartesian
// kernel scores only training nodes. With Similarity nothing is trained: f(d,t) is the node kernel itself, of
// one domain.
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

	// Weights are W, n₁×n₂, for the kernel kronecker of linear kernels: f(d,t) = x_dᵀ W x_t of the features.
	// The model then keeps no nodes.
	Weights *data.Dense
}

// Similarity is the Kernel of a Model that ranks by the similarity of the nodes.
const Similarity pairwise.Kernel = "similarity"

// Info has the facts of the training.
type Info = training.Facts

// Side has the training nodes of the rows or of the columns, and their kernel.
type Side struct {
	Kernel  kernel.Kernel
	Support data.Matrix // p×n features, dense or CSR; nil for a precomputed kernel, Weights and similarity
	Names   []string    // of the n features, or nil

	// ID are the p different names of the nodes; nil with Weights and for similarity.
	ID []string

	// Normalize replaces the kernel by k(x,z)/√(k(x,x) k(z,z)), as similarity.Normalize does.
	Normalize bool

	// Similarity is the original p×p matrix of the similarities of the training nodes, for a precomputed
	// kernel; nil if it is not kept. With Terms it is their sum.
	Similarity *data.Dense

	// Terms are several similarities, whose weighted sum is the precomputed kernel: see Sum. nil is a single one.
	Terms []Term

	// Diag is k(x,x) of the training nodes, above 0, if the kernel is precomputed and normalised, else nil.
	Diag []float64

	// Shift is added to the kernel value of a training node with itself, after the kernel is normalised. It
	// made the matrix of a precomputed kernel positive semidefinite in training. It is at least 0.
	Shift float64
}

// EdgeCoef has coefficients of edges: Value[e] of the edge from row node Row[e] to column node Col[e], both
// counted from 0.
type EdgeCoef struct {
	Row, Col []int32
	Value    []float64
}

// Precomputed reports whether the nodes of the side are scored by their similarities to the training nodes
// instead of by features. It costs O(1).
func (s *Side) Precomputed() bool {
	_, is := s.Kernel.(kernel.Precomputed)
	return is
}

// Trained returns the training nodes as nodes to be scored, nil if the model keeps neither their features nor
// their similarities. It costs O(1).
func (s *Side) Trained() *Nodes {
	switch {
	case s.Support != nil:
		return &Nodes{X: s.Support, ID: s.ID, Names: s.Names}
	case s.Similarity != nil:
		return &Nodes{X: s.Similarity, ID: s.ID, Names: s.ID}
	}
	return nil
}

// ColSide returns the side of the columns: Rows in one domain. It costs O(1).
func (p *Model) ColSide() *Side {
	if p.Cols == nil {
		return &p.Rows
	}
	return p.Cols
}

// side is the side at an end of the pairs.
func (p *Model) side(at pairterms.End) *Side {
	if at == pairterms.Row {
		return &p.Rows
	}
	return p.ColSide()
}

// ends are the ends that have a separate side.
func (p *Model) ends() []pairterms.End {
	if p.Cols == nil {
		return []pairterms.End{pairterms.Row}
	}
	return []pairterms.End{pairterms.Row, pairterms.Col}
}
