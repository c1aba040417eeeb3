package pairrank

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/event"
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
func (t *trainer) centreFeatures(mixes bool) {
	t.mixes = mixes
	t.centre()
}

// centre is centreFeatures of one kernel. It changes rows that are a copy already.
func (t *trainer) centre() {
	x, ok := t.x.(*data.Dense)
	if !ok || !t.linear() || !t.solution.form.centres() && (t.mixes || !t.farPrimal()) ||
		t.origin == nil && randomFeatures(t.o.Kernels) > 0 {
		return
	}
	if !t.o.InPlace && t.norm == nil && t.origin == nil {
		x = x.Clone()
	}
	mean := make([]float64, x.Cols)
	meanTo(mean, x, float64(x.Rows))
	off := &offset{point: mean}
	if t.onBasis() {
		off.basis = x.SelectRows(t.support)
	}
	subtract(x, mean)
	t.sample = t.withFeatures(x, off, t.valid)
}

// farPrimal reports whether the primal form compares rows with a feature whose mean is so far from 0 that sums of
// weights times features lose digits. Else its matrix is centred, and its rows stay as they are.
func (t *trainer) farPrimal() bool {
	const far = 1 << 12 // times the deviation
	l, squares := t.learner.(LeastSquares)
	if _, primal := t.solution.form.(primal); !primal || !squares || l.Regression {
		return false
	}
	found := false
	t.eachFar(far, func(int, float64) { found = true })
	return found
}

// eachFar calls tell for the features of dense rows whose mean is more than so many times their deviation, if that is
// not 0, with the ratio. It costs two passes over the rows.
func (t *trainer) eachFar(far float64, tell func(j int, ratio float64)) {
	x, dense := t.x.(*data.Dense)
	if !dense || x.Rows == 0 {
		return
	}
	mean, squares, varies := meanOf(x), make([]float64, x.Cols), make([]bool, x.Cols)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			squares[j] += (v - mean[j]) * (v - mean[j]) / float64(x.Rows)
			varies[j] = varies[j] || v != x.Row(0)[j]
		}
	}
	for j, m := range mean {
		if ratio := math.Abs(m) / math.Sqrt(squares[j]); varies[j] && ratio > far {
			tell(j, ratio)
		}
	}
}

// warnFar warns of features that are so far from 0 beside their deviation that scores, which are sums of weights times
// features, are rounded by more than fewDigits of what the features tell apart.
func (t *trainer) warnFar() {
	if _, stumps := t.learner.(RankBoost); stumps || !t.linear() || randomFeatures(t.o.Kernels) > 0 {
		return
	}
	t.eachFar(fewDigits/0x1p-53, func(j int, ratio float64) {
		t.journal.Add(event.Note{Warning: true, Code: NoteDigits, Text: fmt.Sprintf("%s is %.1g times as far from 0 as "+
			"its values are from their mean: scores of a model are rounded by %.1g of what it tells apart", t.featureName(j),
			ratio, ratio*0x1p-53), Remedy: "subtract a constant from the feature, or normalise it"})
	})
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
func (s *trainer) basisRows() data.Matrix {
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
func (s *trainer) constant() []float64 {
	switch {
	case !s.mixes:
		return nil
	case s.lowered.about != nil:
		return s.lowered.about.Beside(s.x)
	case s.offset == nil:
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
