package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pairrank/format/table"
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

// WriteText writes a line for each node, the id and the score, or both ids and the score, separated by tabs.
func (d *NodeRanking) WriteText(w io.Writer) error {
	for _, c := range append(slices.Clone(d.Columns), d.Rows...) {
		if err := writeRanked(w, c.Score, c.ID); err != nil {
			return err
		}
	}
	for _, c := range d.Pairs {
		if err := writeRanked(w, c.Score, c.Row, c.Column); err != nil {
			return err
		}
	}
	return nil
}

func writeRanked(w io.Writer, score Number, ids ...string) (err error) {
	var line []byte
	for _, id := range ids {
		if line, err = table.AppendField(line, id, '\t'); err != nil {
			return err
		}
		line = append(line, '\t')
	}
	_, err = fmt.Fprintf(w, "%s%s\n", line, strconv.FormatFloat(float64(score), 'g', -1, 64))
	return err
}
