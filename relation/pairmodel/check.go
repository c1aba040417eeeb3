package pairmodel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/modelfile"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// check returns why the model cannot be written or cannot score.
func (p *Model) check() error {
	if !p.Kernel.Known() && p.Kernel != Similarity {
		return fmt.Errorf("unknown pairwise kernel %q: known are %s", p.Kernel, kernelNames())
	}
	if p.oneDomain() && p.Cols != nil {
		return fmt.Errorf("a %s kernel is of one domain, and the model has two", p.Kernel)
	}
	set, want := 0, 1
	for _, is := range []bool{p.Coef != nil, p.Edges != nil, p.Weights != nil} {
		if is {
			set++
		}
	}
	if p.Kernel == Similarity {
		want = 0
	}
	if set != want {
		return fmt.Errorf("a %s model has %d of coefficients, edges and weights, want %d", p.Kernel, set, want)
	}
	for _, at := range p.ends() {
		if err := p.side(at).check(at, p); err != nil {
			return err
		}
	}
	return p.checkDuals()
}

// oneDomain reports whether the rows and the columns must be the same nodes.
func (p *Model) oneDomain() bool { return p.Kernel == Similarity || p.Kernel.OneDomain() }

// kernelNames lists the kernels of a Model.
func kernelNames() string {
	names := make([]string, len(pairwise.Kernels))
	for i, k := range pairwise.Kernels {
		names[i] = string(k)
	}
	return strings.Join(append(names, string(Similarity)), ", ")
}

// checkDuals checks the shapes of coefficients and weights.
func (p *Model) checkDuals() error {
	rows, cols := len(p.Rows.ID), len(p.ColSide().ID)
	switch {
	case p.Coef != nil && (p.Coef.Rows != rows || p.Coef.Cols != cols):
		return fmt.Errorf("%d×%d coefficients of %d row nodes and %d column nodes",
			p.Coef.Rows, p.Coef.Cols, rows, cols)
	case p.Edges != nil:
		return p.Edges.check(rows, cols)
	case p.Weights != nil && p.Kernel != pairwise.Kronecker:
		return fmt.Errorf("weights of a %s kernel: they are for %s", p.Kernel, pairwise.Kronecker)
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

// check checks the side at an end of the pairs.
func (s *Side) check(at pairterms.End, p *Model) error {
	if s.Kernel == nil {
		return fmt.Errorf("the %s nodes have no kernel", at)
	}
	if err := s.checkNodes(at, p); err != nil {
		return err
	}
	switch n := s.features(at, p); {
	case s.Names != nil && s.Precomputed():
		return fmt.Errorf("a precomputed kernel of %s nodes has no features to name", at)
	case s.Names != nil && n != len(s.Names) || n > math.MaxInt32:
		return fmt.Errorf("%d names of %d features of %s nodes", len(s.Names), n, at)
	}
	for _, t := range kernel.Terms(s.Kernel) {
		if _, clinical := t.Kernel.(kernel.Clinical); clinical {
			return fmt.Errorf("the kernel %s of %s nodes is for models of rows", s.Kernel, at)
		}
	}
	if err := cmp.Or(s.checkPrecomputed(at), s.checkTerms(at)); err != nil {
		return err
	}
	if k := slices.IndexFunc(s.Diag, notPositive); k >= 0 {
		return fmt.Errorf("the kernel of %s node %d with itself is %v, not above 0, and is to be normalised",
			at, k+1, s.Diag[k])
	}
	return nil
}

// checkPrecomputed checks that a precomputed kernel has what only it has: similarities, a shift, and a diagonal where
// it is normalised.
func (s *Side) checkPrecomputed(at pairterms.End) error {
	if k := s.Similarity; k != nil && (!s.Precomputed() || k.Rows != len(s.ID) || k.Cols != len(s.ID)) {
		return fmt.Errorf("%d×%d similarities of %d %s nodes: a precomputed kernel has them of each two", k.Rows,
			k.Cols, len(s.ID), at)
	}
	scaled := s.Precomputed() && s.divides()
	if s.Diag != nil && !scaled || scaled && len(s.Diag) != len(s.ID) {
		return fmt.Errorf("%d diagonal values of the kernel of %d %s nodes: a precomputed kernel that is "+
			"normalised has them", len(s.Diag), len(s.ID), at)
	}
	if s.Shift != 0 && (!s.Precomputed() || s.ID == nil) || !(s.Shift >= 0) || math.IsInf(s.Shift, 1) {
		return fmt.Errorf("a shift of %v of the kernel of %s nodes: it is of a precomputed kernel of named nodes, "+
			"and at least 0", s.Shift, at)
	}
	return nil
}

// checkNodes checks that the nodes that the coefficients need are there, and no others.
func (s *Side) checkNodes(at pairterms.End, p *Model) error {
	if p.Coef == nil && p.Edges == nil {
		if s.Support != nil || s.ID != nil || s.Similarity != nil {
			return fmt.Errorf("%s nodes are kept with coefficients only", at)
		}
		if p.Weights != nil && s.Kernel != (kernel.Linear{}) {
			return fmt.Errorf("weights with the kernel %s of %s nodes: they are for linear ones", s.Kernel, at)
		}
		return nil
	}
	if s.Precomputed() != (s.Support == nil) {
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
			return fmt.Errorf("%s node %q stands twice", at, modelfile.Clip(id))
		}
		seen[id] = true
	}
	return nil
}

// features is the number of features of the nodes of a side, -1 if it is unknown.
func (s *Side) features(at pairterms.End, p *Model) int {
	switch {
	case s.Support != nil:
		_, n := s.Support.Dims()
		return n
	case p.Weights != nil && at == pairterms.Row:
		return p.Weights.Rows
	case p.Weights != nil:
		return p.Weights.Cols
	case s.Names != nil:
		return len(s.Names)
	}
	return -1
}
