package relation

import (
	"fmt"

	"pairrank/internal/event"
	"pairrank/relation/kron"
)

// warnOneSided warns of an estimate of one domain that holds out what stays in the
// training the other way round: of an arbitrary relation (u,v) is left out without (v,u),
// and a node on one side alone, where all labels of the two are equal or opposite.
func (p *problem) warnOneSided() {
	if !p.OneDomain() || p.graph().mirrored() {
		return
	}
	kind, how := kron.Symmetric, "equal"
	if !p.mirrors(1) {
		if kind, how = kron.Reciprocal, "opposite"; !p.mirrors(-1) {
			return
		}
	}
	out := "a node on one side"
	if p.o.Setting == kron.Pairs {
		out = "one of the two"
	}
	n := event.Note{Warning: true, Code: NoteOneSided,
		Text: fmt.Sprintf("the labels of (u,v) and (v,u) are %s, and an arbitrary relation leaves out %s: the other tells its labels, so the error is too small for what is new", how, out)}
	if p.o.Learner != TwoStep { // which has no other
		n.Remedy = fmt.Sprintf("Options.Relation %s leaves out both", kind)
	}
	p.note.Add(n)
}

// mirrors reports whether there are edges between different nodes, and each has one the
// other way round, of sign times its label; edges between the same nodes are alike.
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
