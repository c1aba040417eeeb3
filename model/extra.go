package model

import (
	"pairrank/data"
	"pairrank/internal/features"
)

// WithoutExtra returns the m×p set without the features that training did not have: where
// both the rows and the model have names, those of other names, else those behind the
// last one of training. Score checks what is left. The set is not changed, and is
// returned itself where nothing is left out, or where a precomputed kernel has no
// features. It costs a pass over the stored values where features are left out, else
// O(p). It panics when the matrix does not fit.
func (m *Model) WithoutExtra(set *data.Set) *data.Set {
	if m.Precomputed() {
		return set
	}
	_, n := set.X.Dims()
	keep := features.Known(n, set.Names, m.Features(), m.Names)
	if len(keep) == n {
		return set
	}
	out := *set
	out.X, out.Names = data.SelectColumns(set.X, keep), features.Names(set.Names, keep)
	return &out
}
