package rows

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// offset is a point that was subtracted from the rows.
type offset struct {
	point []float64
	basis *data.Dense // the original basis rows, or nil
}

// centreFeatures subtracts the mean of each feature from dense rows whose inner products, or scores, a ranking
// goal needs. This changes all scores of a training by the same constant and no weight, and keeps the digits
// that inner products of rows far from 0 lose. The basis rows are not centred, since the functions to choose
// from are sums of k(x_b, ·). Random features are centred when they are made. mixes says that scores of
// different trainings will be compared: then predictions get their constant back.
func (t *task) centreFeatures(mixes bool) {
	t.mixes = mixes
	x, ok := t.x.(*data.Dense)
	if !ok || !t.linear() || !t.solution.form.centres() || t.origin == nil && randomFeatures(t.o.Kernels) > 0 {
		return
	}
	x = t.owned(x)
	mean := make([]float64, x.Cols)
	meanTo(mean, x, float64(x.Rows))
	t.offset = &offset{point: mean}
	if t.onBasis() {
		t.offset.basis = x.SelectRows(t.support)
	}
	subtract(x, mean)
}

// owned returns x, the dense rows of the task, if they may be changed, else a copy that replaces them in the
// task.
func (t *task) owned(x *data.Dense) *data.Dense {
	if !t.o.InPlace && t.norm == nil && t.origin == nil {
		x = x.Clone()
		t.x = x
	}
	return x
}

// meanTo sets dst to the sum of the rows x divided by rows, the number of all rows that the mean is over.
func meanTo(dst []float64, x *data.Dense, rows float64) {
	share := make([]float64, x.Rows)
	for i := range share {
		share[i] = 1 / rows
	}
	x.MulTransVecTo(dst, share)
}

// basisRows are the original rows of a basis or kernel map.
func (s *space) basisRows() data.Matrix {
	if s.offset != nil {
		return s.offset.basis
	}
	if s.whole != nil {
		return s.whole.basisRows()
	}
	return data.Select(s.x, s.support)
}

// constant is the contribution of each coefficient of a learner to all scores that the offset has removed:
// inner products with the point. It is nil if only scores of one training are compared.
func (s *space) constant() []float64 {
	if s.offset == nil || !s.mixes {
		return nil
	}
	rows := s.solution.form.of(s)
	if rows == nil {
		return s.offset.point // for weights
	}
	n, _ := rows.Dims()
	c := make([]float64, n)
	rows.MulVecTo(c, s.offset.point)
	return c
}

// addConstant adds the constant times the coefficients to the scores of each output; nil adds nothing.
func addConstant(scores, coef *data.Dense, constant []float64) *data.Dense {
	for j, c := range constant {
		for i := range scores.Rows {
			linalg.Axpy(c, coef.Row(j), scores.Row(i))
		}
	}
	return scores
}

// subtract takes a point off every row.
func subtract(x *data.Dense, point []float64) {
	parallel.Chunks(x.Rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.Row(i)
			for j, v := range point {
				row[j] -= v
			}
		}
	})
}
