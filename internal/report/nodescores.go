package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
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

// spaced returns at most most of n indices, evenly spaced, from the first to the last, for figures of many
// things. The cost is that of the result.
func spaced(n, most int) []int {
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
	some := spaced(len(side.ID), most)
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
	some := spaced(len(cols.ID), most)
	for _, j := range some {
		d.Cols = append(d.Cols, cols.ID[j])
	}
	for _, i := range spaced(len(rows.ID), most) {
		row, col, scores := make([]int32, len(some)), make([]int32, len(some)), make([]float64, len(some))
		for k, j := range some {
			row[k], col[k] = int32(i), int32(j)
		}
		p.ScorePairsTo(scores, rows.Values, cols.Values, row, col)
		d.Rows, d.Scores = append(d.Rows, rows.ID[i]), append(d.Scores, scores)
	}
	return d
}

// View is the conditional rankings of the row nodes: a heat map, each row from its lowest to its highest score,
// with the columns by their mean.
func (d *NodeScores) View() *View {
	v := &View{Title: "Conditional ranking"}
	v.state("model", "%s", d.Model)
	if len(d.Rows) == 0 || len(d.Cols) == 0 || len(d.Scores) != len(d.Rows) ||
		slices.ContainsFunc(d.Scores, func(s []float64) bool { return len(s) != len(d.Cols) }) {
		return v
	}
	shares, order, first := sharesOf(d)
	h := &figure.Heat{Rows: d.Rows, Low: "lowest", High: "highest score of the row"}
	t := &Table{Caption: "Scores of row nodes with column nodes", Len: len(d.Rows)}
	t.add("row node", 0, func(l int) string { return d.Rows[l] })
	for _, j := range order {
		h.Cols = append(h.Cols, d.Cols[j])
		t.add(d.Cols[j], 0, func(l int) string { return figure.Short(d.Scores[l][j]) })
	}
	for i, name := range d.Rows {
		says, share := []string(nil), []float64(nil)
		for _, j := range order {
			says, share = append(says, name+", "+d.Cols[j]+": "+figure.Short(d.Scores[i][j])), append(share, shares[i][j])
		}
		h.Says, h.Share = append(h.Says, says), append(h.Share, share)
	}
	top := 0
	for j := range first {
		if first[j] > first[top] {
			top = j
		}
	}
	f := &Figure{Title: fmt.Sprintf("%s has the highest score of %d of %s", d.Cols[top], first[top],
		spell.Plural(len(d.Rows), "row node")), Table: t, Body: h,
		Desc: "A cell for each pair of a row node and a column node.",
		Text: []string{"Each line is the ranking of the column nodes for one row node; a fuller cell is a higher score in " +
			"that line. The columns are sorted by their mean rank. If all lines look alike, the row node hardly changes the " +
			"ranking."}}
	if len(d.Rows) < d.OfRows || len(d.Cols) < d.OfCols {
		f.Left = fmt.Sprintf("Shown: %d of %s and %d of %s, evenly spaced.", len(d.Rows),
			spell.Plural(d.OfRows, "row node"), len(d.Cols), spell.Plural(d.OfCols, "column node"))
	}
	v.draw("", f)
	return v
}

// sharesOf are the rowShares of each row, the columns by their mean share, and of how many rows each column has the
// highest one.
func sharesOf(d *NodeScores) (shares [][]float64, order, first []int) {
	shares = make([][]float64, len(d.Rows))
	mean := make([]float64, len(d.Cols))
	order, first = upTo(len(d.Cols)), make([]int, len(d.Cols))
	for i, scores := range d.Scores {
		shares[i] = rowShares(scores)
		best := 0
		for j, v := range shares[i] {
			mean[j] += v
			if v > shares[i][best] {
				best = j
			}
		}
		first[best]++
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mean[b], mean[a]) })
	return shares, order, first
}

// rowShares maps scores to [0,1] from the least to the greatest; all are a half if they are equal.
func rowShares(scores []float64) []float64 {
	lo, hi := slices.Min(scores), slices.Max(scores)
	out := make([]float64, len(scores))
	for j, v := range scores {
		out[j] = 0.5
		if hi > lo {
			out[j] = (v - lo) / (hi - lo)
			if math.IsNaN(out[j]) {
				out[j] = 0.5 // the distance of the ends overflows
			}
		}
	}
	return out
}
