package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/kernel"
)

// Pairwise scores a pair of a row node d and a column node t by
//
//	f(d,t) = Σ_e c_e k((d,t), (d_e,t_e))
//
// over training edges e from d_e to t_e. With the node kernels D of the rows
// and T of the columns, k is by Kind
//
//	kronecker   D(d,d') T(t,t')
//	symmetric   ½ (D(d,d') D(t,t') + D(d,t') D(t,d'))
//	reciprocal  ½ (D(d,d') D(t,t') − D(d,t') D(t,d'))
//	cartesian   D(d,d') [t=t'] + [d=d'] T(t,t')
//	linear      D(d,d') + T(t,t')
//	poly2       (D(d,d') + T(t,t'))²
//	metric      (D(d,d') − D(d,t') − D(t,d') + D(t,t'))²
//	ranking     D(d,d') − D(d,t') − D(t,d') + D(t,t')
//	similarity  nothing learnt: f(d,t) = D(d,t)
//
// (Viljanen, Airola and Pahikkala 2022, Generalized vec trick for fast learning
// of pairwise kernel models, section 3; Pahikkala et al. 2013 for the symmetric
// and the reciprocal one). symmetric, reciprocal, metric, ranking and similarity
// are of one domain, where rows and columns are the same nodes with one kernel.
// A cartesian kernel scores only nodes that were in training.
//
// Exactly one of Coef, Edges and Weights is set, none of them for similarity.
type Pairwise struct {
	Kind string
	Rows Side
	Cols *Side       // nil for one domain: the columns are like the rows
	Coef *data.Dense // p₁×p₂: c of every pair of training nodes

	// Edges are the c of some pairs; a pair may stand more than once.
	Edges *EdgeCoef

	// Weights are W, n₁×n₂, of kind kronecker with linear kernels, when
	// f(d,t) = x_dᵀ W x_t of the features; no node is kept then.
	Weights *data.Dense
}

// Side is the training nodes of the rows or of the columns, and their kernel.
type Side struct {
	Kernel  kernel.Kernel
	Support data.Matrix // p×n features, dense or CSR; nil for a precomputed kernel, Weights and similarity
	Names   []string    // of the n features, or nil

	// ID are the p names of the nodes, no two the same; nil with Weights and
	// for similarity.
	ID []string

	// Normalize makes k(x,z)/√(k(x,x) k(z,z)) of the kernel, as
	// kernel.Normalize does.
	Normalize bool

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

// PairwiseKinds are the names that Pairwise.Kind can have.
func PairwiseKinds() []string {
	names := make([]string, len(pairKernels))
	for i, k := range pairKernels {
		names[i] = k.name
	}
	return names
}

// OneDomain reports whether a kind of Pairwise is of one domain only.
func OneDomain(kind string) bool {
	k, ok := pairKernelOf(kind)
	return ok && k.oneDomain()
}

// ColSide is the side of the columns: Rows in one domain.
func (p *Pairwise) ColSide() *Side {
	if p.Cols == nil {
		return &p.Rows
	}
	return p.Cols
}

// check tells why the model cannot be written or score.
func (p *Pairwise) check() error {
	k, known := pairKernelOf(p.Kind)
	if !known {
		return fmt.Errorf("unknown pairwise kernel %q: known are %s", p.Kind, strings.Join(PairwiseKinds(), ", "))
	}
	if k.oneDomain() && p.Cols != nil {
		return fmt.Errorf("a %s kernel is of one domain, and the model has two", p.Kind)
	}
	set := 0
	for _, is := range []bool{p.Coef != nil, p.Edges != nil, p.Weights != nil} {
		if is {
			set++
		}
	}
	if want := min(1, len(k.terms)); set != want {
		return fmt.Errorf("a %s model has %d of coefficients, edges and weights, want %d", p.Kind, set, want)
	}
	if err := p.Rows.check(row, p); err != nil {
		return err
	}
	if p.Cols != nil {
		if err := p.Cols.check(col, p); err != nil {
			return err
		}
	}
	return p.checkDuals()
}

// checkDuals checks the shapes of what is learnt.
func (p *Pairwise) checkDuals() error {
	rows, cols := len(p.Rows.ID), len(p.ColSide().ID)
	switch {
	case p.Coef != nil && (p.Coef.Rows != rows || p.Coef.Cols != cols):
		return fmt.Errorf("%d×%d coefficients of %d row nodes and %d column nodes", p.Coef.Rows, p.Coef.Cols, rows, cols)
	case p.Edges != nil:
		return p.Edges.check(rows, cols)
	case p.Weights != nil && p.Kind != KindKronecker:
		return fmt.Errorf("weights of a %s kernel: they are for %s", p.Kind, KindKronecker)
	case p.Weights != nil && p.Cols == nil && p.Weights.Rows != p.Weights.Cols:
		return fmt.Errorf("%d×%d weights of one domain", p.Weights.Rows, p.Weights.Cols)
	}
	return nil
}

func (e *EdgeCoef) check(rows, cols int) error {
	if len(e.Row) != len(e.Value) || len(e.Col) != len(e.Value) {
		return fmt.Errorf("%d coefficients of edges with %d rows and %d columns", len(e.Value), len(e.Row), len(e.Col))
	}
	for k := range e.Value {
		if i, j := e.Row[k], e.Col[k]; i < 0 || int(i) >= rows || j < 0 || int(j) >= cols {
			return fmt.Errorf("edge %d is from row node %d of %d to column node %d of %d", k+1, i+1, rows, j+1, cols)
		}
	}
	return nil
}

func (s *Side) precomputed() bool {
	_, is := s.Kernel.(kernel.Precomputed)
	return is
}

// check checks the side at an end of the pairs.
func (s *Side) check(at end, p *Pairwise) error {
	if s.Kernel == nil {
		return fmt.Errorf("the %s nodes have no kernel", at)
	}
	if err := s.checkNodes(at, p); err != nil {
		return err
	}
	switch n := s.features(at, p); {
	case s.Names != nil && s.precomputed():
		return fmt.Errorf("a precomputed kernel of %s nodes has no features to name", at)
	case s.Names != nil && n != len(s.Names) || n > math.MaxInt32:
		return fmt.Errorf("%d names of %d features of %s nodes", len(s.Names), n, at)
	}
	if s.Diag != nil && (!s.precomputed() || !s.Normalize) || s.precomputed() && s.Normalize && len(s.Diag) != len(s.ID) {
		return fmt.Errorf("%d diagonal values of the kernel of %d %s nodes: a precomputed kernel that is normalised has them", len(s.Diag), len(s.ID), at)
	}
	if s.Shift != 0 && (!s.precomputed() || s.ID == nil) || !(s.Shift >= 0) || math.IsInf(s.Shift, 1) {
		return fmt.Errorf("a shift of %v of the kernel of %s nodes: it is of a precomputed kernel of named nodes, and at least 0", s.Shift, at)
	}
	if k := slices.IndexFunc(s.Diag, notPositive); k >= 0 {
		return fmt.Errorf("the kernel of %s node %d with itself is %v, not above 0, and is to be normalised", at, k+1, s.Diag[k])
	}
	return nil
}

// checkNodes checks that the nodes are there that the coefficients need, and no
// others.
func (s *Side) checkNodes(at end, p *Pairwise) error {
	if p.Coef == nil && p.Edges == nil {
		if s.Support != nil || s.ID != nil {
			return fmt.Errorf("%s nodes are kept with coefficients only", at)
		}
		if p.Weights != nil && s.Kernel != (kernel.Linear{}) {
			return fmt.Errorf("weights with the kernel %s of %s nodes: they are for linear ones", s.Kernel, at)
		}
		return nil
	}
	if s.precomputed() != (s.Support == nil) {
		return fmt.Errorf("%s nodes of a precomputed kernel have names only, of any other features", at)
	}
	if s.Support != nil {
		if rows, _ := s.Support.Dims(); rows != len(s.ID) {
			return fmt.Errorf("%d %s nodes with %d names", rows, at, len(s.ID))
		}
	}
	if len(s.ID) > math.MaxInt32 {
		return fmt.Errorf("%d %s nodes are more than %d", len(s.ID), at, math.MaxInt32)
	}
	seen := make(map[string]bool, len(s.ID))
	for _, id := range s.ID {
		if seen[id] {
			return fmt.Errorf("%s node %q stands twice", at, clip(id))
		}
		seen[id] = true
	}
	return nil
}

// features is how many features the nodes of a side have, -1 where nothing tells
// it.
func (s *Side) features(at end, p *Pairwise) int {
	switch {
	case s.Support != nil:
		_, n := s.Support.Dims()
		return n
	case p.Weights != nil && at == row:
		return p.Weights.Rows
	case p.Weights != nil:
		return p.Weights.Cols
	case s.Names != nil:
		return len(s.Names)
	}
	return -1
}
