package rls

import (
	"fmt"
)

// Merge adds the moments of o, of other queries, to m; o keeps its value. It returns an
// error where the options differ, which says in what, and where the counts overflow; m
// then keeps its value, too. The bits of the result depend on the order of merging, by a
// relative 1e-31. Cost O(n²) a fold.
func (m *Moments) Merge(o *Moments) error {
	if err := m.sameOptions(o); err != nil {
		return err
	}
	if !m.fits(o.counts()) {
		return errTooMany
	}
	m.addMoments(1, o)
	return nil
}

// Subtract takes the moments of o, of queries that were added to m, off m again; o keeps
// its value. What is left differs from the moments of the other queries by their rounding
// as double words, see Moments. It returns an error, and leaves m as it is, where the
// options differ or o counts more in a fold than m does, so that it was not added. Cost
// O(n²) a fold. Features stay, with sums of 0, where o alone had them.
func (m *Moments) Subtract(o *Moments) error {
	if err := m.sameOptions(o); err != nil {
		return err
	}
	for f := range m.folds {
		for i, n := range o.folds[f].counts {
			if n > m.folds[f].counts[i] {
				return fmt.Errorf("fold %d holds %s, fewer than are to be subtracted, %s: subtract what was added",
					f+1, m.folds[f].describe(), o.folds[f].describe())
			}
		}
	}
	m.addMoments(-1, o)
	return nil
}

func (s *foldSums) describe() string {
	return fmt.Sprintf("%d rows, %d queries and %d pairs", s.counts[countRows], s.counts[countQueries], s.counts[countPairs])
}

// addMoments adds sign times o.
func (m *Moments) addMoments(sign int64, o *Moments) {
	m.flush()
	o.flush()
	m.features = max(m.features, o.features)
	for f := range m.folds {
		m.folds[f].addSums(sign, &o.folds[f])
		if m.folds[f].counts[countQueries] == 0 {
			m.folds[f].clear()
		}
	}
}

// clear sets all sums to 0, which subtraction may miss by the rounding of double words.
func (s *foldSums) clear() {
	for _, d := range []doubles{s.size, s.constant, s.products} {
		clear(d.hi)
		clear(d.lo)
	}
}

// sameOptions says in what the options of o differ.
func (m *Moments) sameOptions(o *Moments) error {
	a, b := m.options, o.options
	for _, option := range []struct {
		name string
		a, b any
	}{
		{"outputs", a.Outputs, b.Outputs}, {"folds", a.Folds, b.Folds}, {"regression", a.Regression, b.Regression},
		{"cost", a.Pairs.Cost, b.Pairs.Cost}, {"query weight", a.Pairs.Weight, b.Pairs.Weight}, {"ties", a.Pairs.Ties, b.Pairs.Ties},
	} {
		if option.a != option.b {
			return fmt.Errorf("moments of different options: %s %v and %v", option.name, option.a, option.b)
		}
	}
	return nil
}

// total are the sums of all folds but the one left out, −1 for none.
func (m *Moments) total(without int) *foldSums {
	sum := newFoldSums(m.options.Outputs)
	for f := range m.folds {
		if f != without {
			sum.addSums(1, &m.folds[f])
		}
	}
	return &sum
}
