package comparison

import (
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
)

// Components returns the items that comparisons connect, in order of first appearance: items of
// different components are not comparable without features. Cost O(N + C).
func (p *Problem) Components() *data.Partition { return p.connected(outcome.Squared) }

// Components returns the items whose scores are comparable: those of Problem.Components, without ties that are dropped;
// with features all items. Cost O(N + C).
func (b *Board) Components() *data.Partition {
	if b.s.Basis.Rows > 0 {
		return data.OneList(len(b.Scores))
	}
	if b.parts != nil {
		return b.parts
	}
	return b.p.connected(b.s.Loss)
}

// connected is Components by the lines that say something in a loss.
func (p *Problem) connected(loss outcome.Loss) *data.Partition {
	return incidence.Components(p.source(), len(p.Items),
		loss.Saying(func(c int) bool { return loss.Says(p.source().At(c)) }))
}
