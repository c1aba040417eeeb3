package model

import (
	"pairrank/data"
	"pairrank/internal/features"
)

// WithoutExtra returns the m×p set without the features unknown to the training: those with other
// names where both rows and model have names, else those after the last one of the training. Score
// checks the remaining ones. The set is not changed; it is returned itself where nothing is left
// out, or where a precomputed kernel has no features. It costs a pass over the stored values where
// features are left out, else O(p). It panics when the matrix does not fit.
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
