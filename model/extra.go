package model

import "pairrank/data"

// WithoutExtra returns a set without the features that training never saw: where
// both the rows and the model have names, those of other names, else those behind
// the last one of training. What is left is checked by Score. The set is not
// changed, and returned where nothing is to be left out. Of a precomputed kernel and
// of a Pairwise, which have no features of rows, it is the set itself.
func (m *Model) WithoutExtra(set *data.Set) *data.Set {
	if m.Precomputed() || m.Pairwise != nil {
		return set
	}
	_, n := set.X.Dims()
	keep := known(n, set.Names, m.Features(), m.Names)
	if len(keep) == n {
		return set
	}
	out := *set
	out.X, out.Names = data.SelectColumns(set.X, keep), namesOf(set.Names, keep)
	return &out
}

// RowsWithoutExtra is WithoutExtra for row nodes, and in one domain for column nodes.
func (p *Pairwise) RowsWithoutExtra(n *Nodes) *Nodes { return p.withoutExtra(n, row) }

// ColsWithoutExtra is WithoutExtra for column nodes.
func (p *Pairwise) ColsWithoutExtra(n *Nodes) *Nodes { return p.withoutExtra(n, col) }

func (p *Pairwise) withoutExtra(n *Nodes, at end) *Nodes {
	s := &p.Rows
	if at == col {
		s = p.ColSide()
	}
	features := s.features(at, p)
	if s.precomputed() || features < 0 {
		return n
	}
	keep := known(width(n.X), n.Names, features, s.Names)
	if len(keep) == width(n.X) {
		return n
	}
	out := *n
	out.X, out.Names = data.SelectColumns(n.X, keep), namesOf(n.Names, keep)
	return &out
}

// known is which of the columns that rows have are of the n features of training;
// names are those of the columns and wanted those of training, each or nil.
func known(cols int, names []string, n int, wanted []string) []int {
	var keep []int
	if names == nil || wanted == nil {
		for j := range min(cols, n) {
			keep = append(keep, j)
		}
		return keep
	}
	trained := make(map[string]bool, len(wanted))
	for _, name := range wanted {
		trained[name] = true
	}
	for j, name := range names {
		if trained[name] {
			keep = append(keep, j)
		}
	}
	return keep
}

func namesOf(names []string, keep []int) []string {
	if names == nil {
		return nil
	}
	out := make([]string, len(keep))
	for k, j := range keep {
		out[k] = names[j]
	}
	return out
}
