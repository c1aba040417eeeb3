package rls

import "pairrank/internal/learn/rls/internal/pencil"

// Informed returns for each of the v outputs the number of queries that carry information about it:
// those with compared rows of different labels. In regression it counts the rows with a label other
// than 0. Cost O(v) a fold.
func (m *Statistics) Informed() []int64 { return m.counts()[countInformed:] }

// Weighed returns the sum of the weights of the rows, exact up to 1e-22, and whether one of them is not 1; 0 and
// false of rows without weights. Cost O(1) a fold.
func (m *Statistics) Weighed() (sum float64, some bool) {
	if !m.options.Weights {
		return 0, false
	}
	size := m.total(-1).size.hi
	return size[1], size[2] > 0
}

// Alike reports whether all compared rows are equal, up to rounding, so that nothing can be learnt
// about their order. It is false in regression. Cost O(n) a fold, and the multiplication of the
// rows that wait.
func (m *Statistics) Alike() bool {
	if m.options.Regression {
		return false
	}
	m.flush()
	trace, size := 0.0, 0.0
	for f := range m.folds {
		s := &m.folds[f]
		size += s.size.hi[0]
		for j := range max(0, s.columns()-m.options.Outputs) {
			trace += s.products.hi[triangle(m.options.Outputs+j+1)-1]
		}
	}
	return pencil.WithinRounding(trace, size)
}
