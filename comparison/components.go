package comparison

import (
	"pairrank/comparison/internal/incidence"
	"pairrank/data"
)

// Components returns the items that comparisons connect, in order of first appearance: items of
// different components are not comparable without features. Cost O(N + C).
func (p *Problem) Components() *data.Partition { return p.connected(func(int) bool { return true }) }

// Components returns the items whose scores are comparable: those of Problem.Components, without ties that are dropped;
// with features all items. Cost O(N + C).
func (b *Board) Components() *data.Partition {
	if b.s.Basis.Rows > 0 {
		return data.OneList(len(b.Scores))
	}
	if b.parts != nil {
		return b.parts
	}
	return b.p.connected(func(c int) bool { return b.s.Loss.Says(b.p.source().At(c)) })
}

// connected is Components by some lines.
func (p *Problem) connected(is func(c int) bool) *data.Partition {
	return incidence.Components(p.source(), len(p.Items), is)
}
