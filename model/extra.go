package model

import (
	"pairrank/data"
	"pairrank/internal/features"
)

// WithoutExtra returns a set without the features that training never saw: where
// both the rows and the model have names, those of other names, else those behind
// the last one of training. What is left is checked by Score. The set is not
// changed, and returned where nothing is to be left out. Of a precomputed kernel,
// which has no features, it is the set itself.
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
