package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pairrank/format/table"
)

// NodeRanking is the document of a conditional ranking: the column nodes by falling score
// with one row node.
type NodeRanking struct {
	Given   string       `json:"given"` // id of the row node
	Columns []RankedNode `json:"columns"`
}

// RankedNode is a column node with its score.
type RankedNode struct {
	ID    string `json:"id"`
	Score Number `json:"score"`
}

// NewNodeRanking is the document of the top columns by falling score, equal ones in their
// order; top 0 is all. scores has one for each id.
func NewNodeRanking(given string, id []string, scores []float64, top int) *NodeRanking {
	d := &NodeRanking{Given: given, Columns: make([]RankedNode, len(id))}
	for j := range id {
		d.Columns[j] = RankedNode{id[j], Number(scores[j])}
	}
	slices.SortStableFunc(d.Columns, func(x, y RankedNode) int { return cmp.Compare(y.Score, x.Score) })
	if top > 0 {
		d.Columns = d.Columns[:min(top, len(d.Columns))]
	}
	return d
}

// WriteText writes a line of id and score for each column, with a tab between them.
func (d *NodeRanking) WriteText(w io.Writer) error {
	for _, c := range d.Columns {
		id, err := table.AppendField(nil, c.ID, '\t')
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\n", id, strconv.FormatFloat(float64(c.Score), 'g', -1, 64)); err != nil {
			return err
		}
	}
	return nil
}
