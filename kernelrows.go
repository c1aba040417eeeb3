package pairrank

import (
	"pairrank/data"
)

// rowReader has rows that can be read one at a time.
type rowReader interface {
	// Dims returns the number of rows and their length.
	Dims() (rows, cols int)
	// RowTo sets dst to row i.
	RowTo(dst []float64, i int)
}

// kernelRows are rows of a kernel matrix between some rows and all rows, or its basis rows. They are read
// from the matrix if it exists, and computed otherwise.
type kernelRows struct {
	of     *trainer
	matrix *data.Dense // with all columns, or nil
	given  *data.Dense // a matrix in which support are the columns, or nil
	other  data.Matrix // the rows on the other side if there is no matrix

	first int         // of the last computed rows
	some  *data.Dense // the last computed rows, or nil
}

// crossRows are the rows of crossKernel.
func (t *trainer) crossRows() *kernelRows {
	switch {
	case t.cross != nil || t.whole != nil:
		return &kernelRows{of: t, matrix: t.crossBasis()}
	case t.given != nil:
		return &kernelRows{of: t, given: t.given}
	}
	return &kernelRows{of: t, other: t.basisRows()}
}

// Dims returns the numbers of rows and of the other side.
func (k *kernelRows) Dims() (rows, cols int) {
	switch {
	case k.matrix != nil:
		return k.matrix.Dims()
	case k.given != nil:
		return k.of.rows(), len(k.of.support)
	}
	cols, _ = k.other.Dims()
	return k.of.rows(), cols
}

// to fills dst with the rows listed.
func (k *kernelRows) to(dst *data.Dense, rows []int) {
	switch {
	case k.matrix != nil:
		for a, i := range rows {
			copy(dst.Row(a), k.matrix.Row(i))
		}
	case k.given != nil:
		k.given.SubmatrixTo(dst, rows, k.of.support)
	default:
		k.of.kernel.MatrixTo(dst, data.Select(k.of.x, rows), k.other)
	}
}

// RowTo computes some rows at once, from row i on, if the first two are equal: then the caller will read more.
func (k *kernelRows) RowTo(dst []float64, i int) {
	const together = 16
	if k.some == nil || i < k.first || i >= k.first+k.some.Rows {
		m, cols := k.Dims()
		k.first = i / together * together
		rows := make([]int, min(m-k.first, together))
		for a := range rows {
			rows[a] = k.first + a
		}
		k.some = data.NewDense(len(rows), cols, nil)
		k.to(k.some, rows)
	}
	copy(dst, k.some.Row(i-k.first))
}
