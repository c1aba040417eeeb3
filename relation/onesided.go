package relation

import (
	"fmt"
	"slices"

	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/spell"
	"pairrank/relation/edge"
)

// warnOneSided warns of an estimate in one domain whose held-out labels stay in the training in the other
// direction. In an arbitrary relation (u,v) is left out without (v,u), and a node is left out on one side only.
// The warning comes if all labels of the two directions are equal or opposite.
func (p *problem) warnOneSided() {
	if !p.OneDomain() || p.graph().mirrored() {
		return
	}
	kind, how := edge.Symmetric, "equal"
	if !p.mirrors(1) {
		if kind, how = edge.Reciprocal, "opposite"; !p.mirrors(-1) {
			return
		}
	}
	out := "a node on one side"
	if p.o.Setting == edge.Pairs {
		out = "one of the two"
	}
	n := event.Note{Warning: true, Code: codes.NoteEdgesOneSided,
		Text: fmt.Sprintf("the labels of (u,v) and (v,u) are %s, and an arbitrary relation leaves out %s: the "+
			"other tells its labels, so the error is too small for what is new", how, out)}
	if !p.o.Learner.inTwoSteps() { // which has no other relation
		n.Remedy = fmt.Sprintf("the relation %s leaves out both", kind)
	}
	p.note.Add(n)
}

// mirrors reports whether there are edges between different nodes, and each has one in the other direction with
// sign times its label. Edges between the same nodes have the same label.
func (p *Problem) mirrors(sign float64) bool {
	label := make(map[[2]int32]float64, len(p.Y))
	for e, y := range p.Y {
		at := [2]int32{p.Edges.Row[e], p.Edges.Col[e]}
		if first, seen := label[at]; seen && first != y {
			return false
		}
		label[at] = y
	}
	some := false
	for at, y := range label {
		if at[0] == at[1] {
			continue
		}
		if other, seen := label[[2]int32{at[1], at[0]}]; !seen || other != sign*y {
			return false
		}
		some = true
	}
	return some
}

// addReverses adds (v,u) if a symmetric or reciprocal relation has only (u,v), as files of interactions list
// each pair once. The label of (v,u) is known. Without it the ranking loss would compare the pair among the
// edges of u but not of v, and the regression loss would weigh it half as much as a pair listed in both directions.
func (p *problem) addReverses() {
	sign := map[edge.Relation]float64{edge.Symmetric: 1, edge.Reciprocal: -1}[p.o.Relation]
	if sign == 0 || !p.o.Learner.ofEdges() {
		return
	}
	listed := make(map[[2]int32]bool, len(p.Y))
	for e := range p.Y {
		listed[[2]int32{p.Edges.Row[e], p.Edges.Col[e]}] = true
	}
	both := *p.Problem
	both.Edges = edge.Edges{Row: slices.Clone(p.Edges.Row), Col: slices.Clone(p.Edges.Col)}
	both.Y = slices.Clone(p.Y)
	for e, y := range p.Y {
		if u, v := p.Edges.Row[e], p.Edges.Col[e]; u != v && !listed[[2]int32{v, u}] {
			both.Edges.Row, both.Edges.Col, both.Y = append(both.Edges.Row, v), append(both.Edges.Col,
				u), append(both.Y, sign*y)
		}
	}
	added := len(both.Y) - p.given
	if added == 0 {
		return
	}
	p.Problem = &both
	how := "the same label"
	if sign < 0 {
		how = "the opposite label"
	}
	are, opposite := "are", "the opposite edges are"
	if added == 1 {
		are, opposite = "is", "the opposite edge is"
	}
	why := "both nodes rank"
	if !p.o.orders() {
		why = "every pair weighs alike"
	}
	p.note.Note(codes.NoteEdgesReversed,
		"%s of a %s relation %s listed in one direction only: %s added with %s, so that %s",
		spell.Plural(added, "edge"), p.o.Relation, are, opposite, how, why)
}
