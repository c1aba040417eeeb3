package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// NodeRanking is the document of a conditional ranking: the column nodes by falling score with one row node,
// the row nodes with one column node, or pairs of both.
type NodeRanking struct {
	Kind     Kind         `json:"kind"`
	Given    string       `json:"given,omitempty"`     // id of the row node
	GivenCol string       `json:"given_col,omitempty"` // id of the column node
	All      bool         `json:"all,omitempty"`       // pairs, with neither given
	Columns  []RankedNode `json:"columns,omitzero"`
	Rows     []RankedNode `json:"rows,omitzero"`
	Pairs    []RankedPair `json:"pairs,omitzero"`
	LeftOut  int          `json:"left_out,omitempty"` // known pairs, which are not ranked
	Told
}

// RankedNode is a node with its score.
type RankedNode struct {
	ID    string `json:"id"`
	Score Number `json:"score"`
}

// RankedPair is a row and a column node with their score.
type RankedPair struct {
	Row    string `json:"row"`
	Column string `json:"column"`
	Score  Number `json:"score"`
}

// NewNodeRanking is the document of the top columns by falling score; equal ones keep their order; top 0 is
// all. scores has one score for each id.
func NewNodeRanking(given string, id []string, scores []float64, top int) *NodeRanking {
	return &NodeRanking{Kind: KindNodeRanking, Given: given, Columns: rankedNodes(id, scores, top)}
}

// NewColumnRanking is NewNodeRanking for the rows with one column node.
func NewColumnRanking(given string, id []string, scores []float64, top int) *NodeRanking {
	return &NodeRanking{Kind: KindNodeRanking, GivenCol: given, Rows: rankedNodes(id, scores, top)}
}

func rankedNodes(id []string, scores []float64, top int) []RankedNode {
	nodes := make([]RankedNode, len(id))
	for j := range id {
		nodes[j] = RankedNode{id[j], Number(scores[j])}
	}
	slices.SortStableFunc(nodes, func(x, y RankedNode) int { return cmp.Compare(y.Score, x.Score) })
	return first(nodes, top)
}

// RankPairs sorts pairs by falling score, equal ones in their order, and returns the top; 0 is all.
func RankPairs(pairs []RankedPair, top int) []RankedPair {
	slices.SortStableFunc(pairs, func(x, y RankedPair) int { return cmp.Compare(y.Score, x.Score) })
	return first(pairs, top)
}

func first[T any](x []T, top int) []T {
	if top > 0 {
		return x[:min(top, len(x))]
	}
	return x
}

// View is the ranking. Its text is a line for each node, the id and the score, or both ids and the score.
func (d *NodeRanking) View() *View {
	v := &View{Title: "Conditional ranking", List: true}
	what, given, list := "column node", d.Given, slices.Clone(d.Columns)
	switch {
	case d.GivenCol != "":
		what, given = "row node", d.GivenCol
	case d.All:
		what, given = "pair", "all pairs"
	}
	list = append(list, d.Rows...)
	for _, p := range d.Pairs {
		list = append(list, RankedNode{p.Row, p.Score})
	}
	v.state("given", "%s", given)
	if d.LeftOut > 0 {
		v.state("left out", "%s", spell.Plural(d.LeftOut, "known pair"))
	}
	bare := []string{""} // as programs read it
	t := &Table{Caption: strings.ToUpper(what[:1]) + what[1:] + "s by falling score", Len: len(list), Most: mostWeights}
	c := t.add("node", 0, func(l int) string { return list[l].ID })
	if c.Files = bare; len(d.Pairs) > 0 {
		c.OnPage = func(l int) string { return d.Pairs[l].Row + ", " + d.Pairs[l].Column }
		t.add("", 0, func(l int) string { return d.Pairs[l].Column }).Files = bare
	}
	column := len(t.Columns)
	c = t.add("score", 0, func(l int) string { return figure.Short(float64(list[l].Score)) })
	c.Files, c.File = bare, func(l int) []string {
		return []string{strconv.FormatFloat(float64(list[l].Score), 'g', -1, 64)}
	}
	t.Point = func(l int) Spot { return Spot{Value: float64(list[l].Score)} }
	v.tell(t)
	if t.Len == 0 {
		return v
	}
	f := &Figure{Title: fmt.Sprintf("%s is ranked first for %s", t.name(0), given), Desc: "A point for each " + what + ".",
		Table: t, Rows: &Rows{Label: "score", Column: column},
		Text: []string{"Higher is better. Compare scores only within the ranking."}}
	if n := t.Len - mostWeights; n > 0 {
		f.Left = fmt.Sprintf("%s with lower scores are left out.", spell.Plural(n, what))
	}
	v.draw("", f)
	return v
}
