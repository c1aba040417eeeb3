package model

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/features"
)

// Score returns the scores of the m rows of a set, m×v row by row. It normalises the rows as the
// training rows were. It does not change the set: for zscore and minmax it copies panels of bounded
// size, for query-minmax all rows. It costs what ScoreTo of the Scorer does, and a pass over the
// values for the normaliser; up to 16 dense rows cost a ScoreRow each.
//
// Features that a row lacks count as zero, as in sparse files. Score returns a *fault.FeatureError for
// rows with more features than the training, and, where both rows and model have names, for a name
// that differs or is missing; a *data.DensifyError for a sparse matrix that the normaliser would
// make dense; a *FactorError for a row with two texts of a factor; and an error for a model whose parts do
// not fit. For a precomputed kernel the set's matrix is the kernel matrix new × training, and its
// width the number of training rows.
func (m *Model) Score(set *data.Set) ([]float64, error) {
	if err := m.checkSet(set); err != nil {
		return nil, err
	}
	if err := m.checkFactors(set.X); err != nil {
		return nil, err
	}
	rows, _ := set.X.Dims()
	dst := make([]float64, rows*m.Outputs())
	switch {
	case idle(m.Normalizer):
		m.scoreTo(dst, set.X)
	case scales(m.Normalizer):
		return dst, m.scoreScaled(dst, set.X)
	default:
		whole := &data.Set{X: copyRows(set.X, 0, rows, m.Features()), Queries: set.Queries}
		if err := m.Normalizer.Apply(whole); err != nil {
			return nil, err
		}
		m.Scorer.ScoreTo(dst, whole.X)
	}
	return dst, nil
}

// scoreTo sets dst to the scores of normalised rows.
func (m *Model) scoreTo(dst []float64, x data.Matrix) {
	if !m.scoreFew(dst, x) {
		m.Scorer.ScoreTo(dst, x)
	}
}

// NeedsDense reports whether the normaliser shifts zeros, so that sparse rows cannot be scored, in
// O(n).
func (m *Model) NeedsDense() bool {
	if idle(m.Normalizer) {
		return false
	}
	for j, shift := range m.Normalizer.Shift {
		if shift != 0 && m.Normalizer.Scale[j] != 0 {
			return true
		}
	}
	return false
}

// scoreScaled normalises a copy of the rows, a panel of about a million values
// at a time.
func (m *Model) scoreScaled(dst []float64, x data.Matrix) error {
	const values = 1 << 20
	rows, _ := x.Dims()
	n, v := m.Features(), m.Outputs()
	height := max(panelRows, values/max(1, n))
	for lo := 0; lo < rows; lo += height {
		hi := min(rows, lo+height)
		panel := &data.Set{X: copyRows(x, lo, hi, n)}
		if err := m.Normalizer.Apply(panel); err != nil {
			return err
		}
		m.scoreTo(dst[lo*v:hi*v], panel.X)
	}
	return nil
}

// checkSet reports why the model cannot score, or not the rows of a set.
func (m *Model) checkSet(set *data.Set) error {
	if err := m.check(); err != nil {
		return err
	}
	if err := checkNormalizer(m.Normalizer, m.Features()); err != nil {
		return err
	}
	_, cols := set.X.Dims()
	n := m.Features()
	if m.Precomputed() {
		if cols != n {
			return fmt.Errorf("the kernel matrix has %d columns, want one for each of the %d training rows", cols, n)
		}
		return nil
	}
	return features.Check(cols, set.Names, n, m.Names)
}

// copyRows copies the rows [lo,hi) of x, n columns wide.
func copyRows(x data.Matrix, lo, hi, n int) data.Matrix {
	switch x := x.(type) {
	case *data.Dense:
		c := data.NewDense(hi-lo, n, nil)
		for i := range hi - lo {
			copy(c.Row(i), x.Row(lo+i))
		}
		return c
	case *data.CSR:
		first, end := x.Ptr[lo], x.Ptr[hi]
		c := &data.CSR{Rows: hi - lo, Cols: n, Ptr: make([]int, hi-lo+1)}
		c.Col = x.Col[first:end]
		c.Val = append([]float64(nil), x.Val[first:end]...)
		for i := range c.Ptr {
			c.Ptr[i] = x.Ptr[lo+i] - first
		}
		return c
	}
	panic(fmt.Sprintf("model: no scores for a matrix of type %T", x))
}
