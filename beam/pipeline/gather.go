package pipeline

import (
	"maps"
	"slices"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// gathering is the rows of queries by their names.
type gathering map[string]*gathered

// gathered are the rows of one query.
type gathered struct {
	source string // where the first one stands
	line   int
	x      data.CSR // as it stands in the files; Cols grows with the rows
	count  int      // of its values that are not 0
	y      []float64
}

// add adds the rows of a chunk; rows of a query follow those it already has.
func (g gathering) add(c *chunk) (err error) {
	var row svmlight.Row
	for b := c.Rows; len(b) > 0; {
		if b, err = cutRow(b, &row); err != nil {
			return err
		}
		q := g[row.QID]
		if q == nil {
			q = &gathered{source: c.Name, line: row.Line, x: data.CSR{Ptr: []int{0}}}
			g[row.QID] = q
		}
		q.add(&row)
	}
	return nil
}

func (q *gathered) add(row *svmlight.Row) {
	for k, v := range row.Vals {
		q.x.Cols = max(q.x.Cols, int(row.Cols[k])+1)
		if v != 0 {
			q.count++
		}
	}
	q.x.Rows++
	q.x.Col, q.x.Val = append(q.x.Col, row.Cols...), append(q.x.Val, row.Vals...)
	q.x.Ptr = append(q.x.Ptr, len(q.x.Col))
	q.y = append(q.y, row.Label)
}

// each calls add with the queries in order of their names. Their matrices have at least features
// columns and are dense or sparse as those of svmlight.EachQuery, so that the sums have the bits of
// the same rows in one file.
func (g gathering) each(features int, add func(data.Query) error) error {
	for _, id := range slices.Sorted(maps.Keys(g)) {
		q := g[id]
		q.x.Cols = max(q.x.Cols, features)
		var x data.Matrix
		if float64(q.count) >= svmlight.DenseFrom*float64(q.x.Rows)*float64(q.x.Cols) {
			x = data.ToDense(&q.x)
		} else {
			x = sparse(&q.x, q.count)
		}
		if err := add(data.Query{ID: id, X: x, Y: q.y, Source: q.source, Line: q.line}); err != nil {
			return err
		}
	}
	return nil
}

// sparse returns a matrix without its zeros, with count values.
func sparse(x *data.CSR, count int) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: make([]int, 1, x.Rows+1), Col: make([]int32, 0, count),
		Val: make([]float64, 0, count)}
	for i := range x.Rows {
		cols, vals := x.Row(i)
		for k, v := range vals {
			if v != 0 {
				s.Col, s.Val = append(s.Col, cols[k]), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}
