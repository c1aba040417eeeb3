package pairmodel

import (
	"fmt"
	"slices"

	"pairrank/data"
)

// similarityTo sets dst to the kernel of the nodes with one another.
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

// rectangleOf is a precomputed kernel of row nodes with column nodes.
func rectangleOf(rows, cols *Values) *data.Dense {
	x, dense := rows.x.(*data.Dense)
	if !dense || x.Cols != cols.count {
		panic(fmt.Sprintf("pairmodel: a kernel matrix of type %T for %d and %d nodes", rows.x, rows.count, cols.count))
	}
	return x
}

// entriesTo is ScorePairsTo for similarity of a precomputed kernel.
func (p *Model) entriesTo(dst []float64, rows, cols *Values, row, col []int32) {
	x := rectangleOf(rows, cols)
	for k := range dst {
		dst[k] = x.Row(int(row[k]))[col[k]]
		if rows.roots != nil {
			dst[k] /= rows.roots[row[k]] * cols.roots[col[k]]
		}
	}
}

// similarPairsTo is ScorePairsTo for similarity of features, the pairs of a row
// node at a time.
func (p *Model) similarPairsTo(dst []float64, rows, cols *Values, row, col []int32) {
	order := make([]int, len(dst))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(row[a]) - int(row[b]) })
	for lo := 0; lo < len(order); {
		i := int(row[order[lo]])
		var list []int
		for k := lo; k < len(order) && int(row[order[k]]) == i; k++ {
			list = append(list, int(col[order[k]]))
		}
		scores := data.NewDense(1, len(list), nil)
		p.similarityTo(scores, rows.some([]int{i}), cols.some(list))
		for k, v := range scores.Data {
			dst[order[lo+k]] = v
		}
		lo += len(list)
	}
}
