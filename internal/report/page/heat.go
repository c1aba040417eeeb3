package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// ofNodeScores is the section about the conditional rankings of several row nodes.
func ofNodeScores(d *report.NodeScores) *section {
	s := &section{title: "Conditional ranking"}
	s.fact("model", "%s", d.Model)
	s.add("", heatItem(d))
	return s
}

// heatItem is the heat map of scores, each row from its lowest to its highest score, with the columns by their
// mean.
func heatItem(d *report.NodeScores) *item {
	if len(d.Rows) == 0 || len(d.Cols) == 0 || len(d.Scores) != len(d.Rows) ||
		slices.ContainsFunc(d.Scores, func(s []float64) bool { return len(s) != len(d.Cols) }) {
		return nil
	}
	shares, order, first := sharesOf(d)
	h := &figure.Heat{Rows: d.Rows, Low: "lowest", High: "highest score of the row"}
	t := table{caption: "Scores of row nodes with column nodes", head: []string{"row node"}}
	for _, j := range order {
		h.Cols, t.head = append(h.Cols, d.Cols[j]), append(t.head, d.Cols[j])
	}
	for i, name := range d.Rows {
		line, says, share := []string{name}, []string(nil), []float64(nil)
		for _, j := range order {
			text := figure.Short(d.Scores[i][j])
			line, says, share = append(line, text), append(says, name+", "+d.Cols[j]+": "+text),
				append(share, shares[i][j])
		}
		t.rows, h.Says, h.Share = append(t.rows, line), append(h.Says, says), append(h.Share, share)
	}
	top := 0
	for j := range first {
		if first[j] > first[top] {
			top = j
		}
	}
	i := &item{table: t, text: []string{
		"Each line is the ranking of the column nodes for one row node; a fuller cell is a higher score in that " +
			"line. The columns are sorted by their mean rank. If all lines look alike, the row node hardly changes " +
			"the ranking.",
	}}
	i.Title = fmt.Sprintf("%s has the highest score of %d of %s", d.Cols[top], first[top],
		spell.Plural(len(d.Rows), "row node"))
	i.Body, i.Desc = h, "A cell for each pair of a row node and a column node. "+t.caption+"."
	if len(d.Rows) < d.OfRows || len(d.Cols) < d.OfCols {
		i.left = fmt.Sprintf("Shown: %d of %s and %d of %s, evenly spaced.", len(d.Rows),
			spell.Plural(d.OfRows, "row node"), len(d.Cols), spell.Plural(d.OfCols, "column node"))
	}
	return i
}

// sharesOf are the rowShares of each row, the columns by their mean share, and of how many rows each column has the
// highest one.
func sharesOf(d *report.NodeScores) (shares [][]float64, order, first []int) {
	shares = make([][]float64, len(d.Rows))
	mean := make([]float64, len(d.Cols))
	order, first = make([]int, len(d.Cols)), make([]int, len(d.Cols))
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
	for j := range order {
		order[j] = j
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
