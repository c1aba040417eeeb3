package pairmodel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/modelfile"
	"pairrank/internal/pairterms"
	"pairrank/internal/pick"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// Term is one of several similarities whose weighted sum is the precomputed kernel of a side.
type Term struct {
	Name   string // as of its file
	Weight float64
	Share  float64   // of the sum in training, where each similarity has the same size
	Diag   []float64 // as Side.Diag, of this similarity, where the side is normalised
	Shift  float64   // as Side.Shift, of this similarity
}

// sum returns nodes with the weighted sum of the similarities of their Parts. Its errors are of another number of
// terms, of nodes that one of them lacks, and those of RowValues for each.
func (s *Side) sum(parts []*Nodes) (*Nodes, error) {
	if len(parts) != len(s.Terms) {
		return nil, fmt.Errorf("the model adds up %d similarities, %s, and has been given %d", len(s.Terms),
			strings.Join(s.termNames(), ", "), len(parts))
	}
	first := parts[0]
	out := &Nodes{X: data.NewDense(first.count(), len(s.ID), nil), ID: first.ID}
	for k, n := range parts {
		t := &s.Terms[k]
		at, err := places(out, n, t.Name)
		if err != nil {
			return nil, err
		}
		own := &Model{Kernel: pairwise.Kronecker, Rows: Side{Kernel: s.Kernel, ID: s.ID, Normalize: s.Normalize,
			Diag: t.Diag, Shift: t.Shift}}
		e, err := own.end(pairterms.Row)
		if err != nil {
			return nil, err
		}
		v := &Values{}
		if err := e.fill(v, n); err != nil {
			return nil, fmt.Errorf("similarities %s: %w", t.Name, err)
		}
		for i, row := range at {
			linalg.Axpy(t.Weight, v.x.(*data.Dense).Row(row), out.X.(*data.Dense).Row(i))
		}
	}
	return out, nil
}

// places are the rows of n with the nodes of first.
func places(first, n *Nodes, name string) ([]int, error) {
	count := first.count()
	if other := n.count(); other != count {
		return nil, fmt.Errorf("similarities %s have %d nodes, and the first ones have %d", name, other, count)
	}
	at := pick.All[int](count)
	if first.ID == nil || n.ID == nil {
		return at, nil
	}
	of := make(map[string]int, count)
	for i, id := range n.ID {
		of[id] = i
	}
	var missing []string
	for i, id := range first.ID {
		row, is := of[id]
		if at[i] = row; !is {
			missing = append(missing, id)
		}
	}
	if missing != nil {
		return nil, &NodeError{fmt.Sprintf("similarities %s lack %d nodes that the first ones have", name, len(missing)),
			missing, "all similarities of a side are of the same nodes"}
	}
	return at, nil
}

// termNames are the names of the terms.
func (s *Side) termNames() (names []string) {
	for _, t := range s.Terms {
		names = append(names, t.Name)
	}
	return names
}

// sums reports whether the kernel of a side is a sum.
func (s *Side) sums() bool {
	_, sum := s.Kernel.(kernel.Sum)
	return sum || s.Terms != nil
}

// checkTerms checks the terms of a side.
func (s *Side) checkTerms(at pairterms.End) error {
	if s.Terms == nil {
		return nil
	}
	if !s.Precomputed() || s.ID == nil || s.Shift != 0 || s.Diag != nil {
		return fmt.Errorf("a sum of similarities of %s nodes is of a precomputed kernel of named nodes, whose shift and "+
			"diagonal are those of its terms", at)
	}
	for _, t := range s.Terms {
		scaled := 0
		if s.Normalize {
			scaled = len(s.ID)
		}
		switch {
		case slices.ContainsFunc([]float64{t.Weight, t.Share, t.Shift}, func(v float64) bool {
			return !(v >= 0) || math.IsInf(v, 1)
		}):
			return fmt.Errorf("a weight of %v, a share of %v and a shift of %v of the similarities %s of %s nodes: they are "+
				"numbers of at least 0", t.Weight, t.Share, t.Shift, t.Name, at)
		case len(t.Diag) != scaled || slices.ContainsFunc(t.Diag, notPositive):
			return fmt.Errorf("%d diagonal values of the similarities %s of %d %s nodes: they are above 0, and only "+
				"where the kernel is normalised", len(t.Diag), t.Name, len(s.ID), at)
		}
	}
	return nil
}

// writeTerms writes the names of the terms, and a line "weight share shift" for each.
func (s *Side) writeTerms(w *modelfile.Writer, prefix string) {
	if s.Terms == nil {
		return
	}
	w.Line(prefix+"sum", strconv.Itoa(len(s.Terms)))
	w.Strings(s.termNames())
	for _, t := range s.Terms {
		w.Numbers([]float64{t.Weight, t.Share, t.Shift})
	}
}

// terms reads what writeTerms writes.
func (b *builder) terms(r *modelfile.Reader, at pairterms.End, value string) error {
	if err := r.Need(prefixes[at]+"kernel", prefixes[at]+"nodes"); err != nil {
		return err
	}
	var count int
	if err := modelfile.Size(&count, value, 1); err != nil {
		return err
	}
	names, err := r.Strings(count, "similarity")
	if err != nil {
		return err
	}
	numbers, err := r.Dense(count, 3)
	if err != nil {
		return err
	}
	s := b.model.side(at)
	for k, name := range names {
		line := numbers.Row(k)
		s.Terms = append(s.Terms, Term{Name: name, Weight: line[0], Share: line[1], Shift: line[2]})
	}
	return nil
}

// diagonals is the diagonals of the kernel, or of its terms, a column each; without rows where there are none.
func (s *Side) diagonals() *data.Dense {
	if s.Terms == nil {
		return data.NewDense(len(s.Diag), 1, s.Diag)
	}
	out := data.NewDense(len(s.ID), len(s.Terms), nil)
	for k, t := range s.Terms {
		for i, v := range t.Diag {
			out.Row(i)[k] = v
		}
	}
	return out
}
