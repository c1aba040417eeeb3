package pairmodel

import (
	"fmt"

	"pairrank/data"
)

// similarityTo sets dst to the kernel between the row nodes and the column nodes.
func (p *Model) similarityTo(dst *data.Dense, rows, cols *Values) {
	if p.Rows.Precomputed() {
		x := rectangleOf(rows, cols)
		for i := range dst.Rows {
			copy(dst.Row(i), x.Row(i))
		}
	} else {
		n := max(width(rows.x), width(cols.x))
		p.Rows.Kernel.MatrixTo(dst, data.Widen(rows.x, n), data.Widen(cols.x, n))
	}
	if rows.roots != nil {
		divide(dst, rows.roots, cols.roots)
	}
}

// rectangleOf returns a precomputed kernel between row nodes and column nodes.
func rectangleOf(rows, cols *Values) *data.Dense {
	x, dense := rows.x.(*data.Dense)
	if !dense || x.Cols != cols.count {
		panic(fmt.Sprintf("pairmodel: a kernel matrix of type %T for %d and %d nodes", rows.x, rows.count, cols.count))
	}
	return x
}

// similarPairsTo is ScorePairsTo for similarity of features, the pairs of one row node at a time.
func (p *Model) similarPairsTo(dst []float64, rows, cols *Values, row, col []int32) {
	lists := make([][]int, rows.count)
	for k, i := range row {
		lists[i] = append(lists[i], k)
	}
	for i, list := range lists {
		with := make([]int, len(list))
		for n, k := range list {
			with[n] = int(col[k])
		}
		scores := data.NewDense(1, len(list), nil)
		p.similarityTo(scores, rows.some([]int{i}), cols.some(with))
		for n, v := range scores.Data {
			dst[list[n]] = v
		}
	}
}
