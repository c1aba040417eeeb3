package model

import (
	"fmt"
	"slices"

	"pairrank/data"
)

// FeatureError tells that the rows to score have features that the model does
// not know.
type FeatureError struct {
	Rows, Model int    // features of the rows and of the model
	Feature     int    // 1-based, the first whose name differs; 0 when there are too many
	Name, Want  string // its name in the rows, "" when they lack it, and in the model
	Extra       bool   // the rows have features that training never saw, which WithoutExtra leaves out
}

// Error says what differs.
func (e *FeatureError) Error() string {
	if e.Feature == 0 {
		return fmt.Sprintf("the rows have %d features, more features than in training: %d", e.Rows, e.Model)
	}
	if e.Name == "" {
		return fmt.Sprintf("feature %d, %q in training, is missing", e.Feature, e.Want)
	}
	return fmt.Sprintf("feature %d is %q but was %q in training", e.Feature, e.Name, e.Want)
}

// Hint says what the user can do.
func (e *FeatureError) Hint() string {
	if e.Feature == 0 || e.Extra {
		return "score rows with the features of the training data, in the same order"
	}
	return "bring the columns into the order of the training data"
}

// Score gives the rows of a set their scores, m×v row by row: it normalises
// them as the training rows were and adds up. The set is not changed; for the
// normalisers zscore and minmax the copies are made in panels of bounded size,
// query-minmax copies all rows.
//
// Rows with fewer features than in training count the others as zero, as
// sparse files leave them out. Rows with more features are a *FeatureError, and
// where both the rows and the model have names, so is a name that differs or
// is missing. A sparse matrix that the normaliser would make dense is a
// *data.DensifyError. For a precomputed kernel the set's matrix is the kernel
// matrix new × training and its width is the number of training rows. Of a
// Pairwise it is ErrPairs.
func (m *Model) Score(set *data.Set) ([]float64, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Pairwise != nil {
		return nil, ErrPairs
	}
	if err := checkNormalizer(m.Normalizer, m.Features()); err != nil {
		return nil, err
	}
	if err := m.checkFeatures(set); err != nil {
		return nil, err
	}
	rows, _ := set.X.Dims()
	dst := make([]float64, rows*m.Outputs())
	switch {
	case idle(m.Normalizer):
		m.scorer().ScoreTo(dst, set.X)
	case scales(m.Normalizer):
		return dst, m.scoreScaled(dst, set.X)
	default:
		whole := &data.Set{X: copyRows(set.X, 0, rows, m.Features()), Queries: set.Queries}
		if err := m.Normalizer.Apply(whole); err != nil {
			return nil, err
		}
		m.scorer().ScoreTo(dst, whole.X)
	}
	return dst, nil
}

// NeedsDense reports whether the normaliser moves zeros, so that sparse rows
// cannot be scored.
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
		m.scorer().ScoreTo(dst[lo*v:hi*v], panel.X)
	}
	return nil
}

func (m *Model) scorer() Scorer {
	switch {
	case m.Linear != nil:
		return m.Linear
	case m.Stumps != nil:
		return m.Stumps
	}
	return m.Kernel
}

func (m *Model) checkFeatures(set *data.Set) error {
	_, cols := set.X.Dims()
	n := m.Features()
	if m.Precomputed() {
		if cols != n {
			return fmt.Errorf("the kernel matrix has %d columns, want one for each of the %d training rows", cols, n)
		}
		return nil
	}
	return checkNames(cols, set.Names, n, m.Names)
}

// checkNames checks the columns that rows have, and their names or nil, against
// the n features of training and their names or nil.
func checkNames(cols int, names []string, n int, wanted []string) error {
	if cols > n {
		return &FeatureError{Rows: cols, Model: n, Extra: true}
	}
	if wanted == nil || names == nil {
		return nil
	}
	for j, want := range wanted {
		name := ""
		if j < len(names) {
			name = names[j]
		}
		if name != want {
			extra := name != "" && !slices.Contains(wanted, name)
			return &FeatureError{Rows: cols, Model: n, Feature: j + 1, Name: name, Want: want, Extra: extra}
		}
	}
	return nil
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
