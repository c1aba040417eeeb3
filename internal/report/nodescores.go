package report

import (
	"pairrank/data"
	"pairrank/relation/pairmodel"
)

// NodeScores are the scores of row nodes with column nodes by a model of edges, for all nodes or for some.
type NodeScores struct {
	Kind   Kind        `json:"kind"`
	Model  string      `json:"model"` // the file
	Rows   []string    `json:"rows"`
	Cols   []string    `json:"cols"`
	Scores [][]float64 `json:"scores"`  // by row
	OfRows int         `json:"of_rows"` // number of all rows
	OfCols int         `json:"of_cols"`
}

// Spaced returns at most most of n indices, evenly spaced, from the first to the last, for figures of many
// things. The cost is that of the result.
func Spaced(n, most int) []int {
	k := max(0, min(n, most))
	places := make([]int, k)
	for a := range places {
		if k > 1 {
			places[a] = int(float64(a)*float64(n-1)/float64(k-1) + 0.5)
		}
	}
	return places
}

// PreparedNodes are row or column nodes to score with a model of edges: all, or some of Of.
type PreparedNodes struct {
	ID     []string
	Values *pairmodel.Values // from RowValues or ColValues
	Of     int
}

// TrainingNodes returns at most most of the training nodes of a side of a model, evenly spaced; nil if the
// model does not keep their features. For a kernel of n features over p nodes it costs O(most·p·n). It returns
// the errors of RowValues and ColValues.
func TrainingNodes(p *pairmodel.Model, columns bool, most int) (*PreparedNodes, error) {
	side, values := &p.Rows, p.RowValues
	if columns {
		side, values = p.ColSide(), p.ColValues
	}
	if side.Support == nil {
		return nil, nil
	}
	some := Spaced(len(side.ID), most)
	nodes := &PreparedNodes{Of: len(side.ID)}
	for _, i := range some {
		nodes.ID = append(nodes.ID, side.ID[i])
	}
	var err error
	nodes.Values, err = values(&pairmodel.Nodes{X: data.Select(side.Support, some), ID: nodes.ID, Names: side.Names})
	return nodes, err
}

// NewNodeScores scores at most most of the rows with at most most of the columns, evenly spaced, by a model
// called name. The cost is that of most² scores. It panics if another model prepared the nodes.
func NewNodeScores(p *pairmodel.Model, name string, rows, cols *PreparedNodes, most int) *NodeScores {
	d := &NodeScores{Kind: KindNodeScores, Model: name, OfRows: rows.Of, OfCols: cols.Of}
	some := Spaced(len(cols.ID), most)
	for _, j := range some {
		d.Cols = append(d.Cols, cols.ID[j])
	}
	for _, i := range Spaced(len(rows.ID), most) {
		row, col, scores := make([]int32, len(some)), make([]int32, len(some)), make([]float64, len(some))
		for k, j := range some {
			row[k], col[k] = int32(i), int32(j)
		}
		p.ScorePairsTo(scores, rows.Values, cols.Values, row, col)
		d.Rows, d.Scores = append(d.Rows, rows.ID[i]), append(d.Scores, scores)
	}
	return d
}
