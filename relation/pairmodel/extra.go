package pairmodel

import (
	"pairrank/data"
	"pairrank/internal/features"
	"pairrank/internal/pairterms"
)

// RowsWithoutExtra returns row nodes, in one domain also column nodes, without the features that training did
// not see. If both the nodes and the model have names, those are the features with other names, else the
// features after the last one of training. RowValues checks the remaining ones. The nodes are not changed, and
// returned themselves if nothing is left out.
func (p *Model) RowsWithoutExtra(n *Nodes) *Nodes { return p.withoutExtra(n, pairterms.Row) }

// ColsWithoutExtra is RowsWithoutExtra for column nodes.
func (p *Model) ColsWithoutExtra(n *Nodes) *Nodes { return p.withoutExtra(n, pairterms.Col) }

func (p *Model) withoutExtra(n *Nodes, at pairterms.End) *Nodes {
	s := p.side(at)
	trained := s.features(at, p)
	if s.Precomputed() || trained < 0 {
		return n
	}
	keep := features.Known(width(n.X), n.Names, trained, s.Names)
	if len(keep) == width(n.X) {
		return n
	}
	out := *n
	out.X, out.Names = data.SelectColumns(n.X, keep), features.Names(n.Names, keep)
	return &out
}
