package rls

import (
	"fmt"

	"pairrank/pref"
)

// Merge adds the statistics o of other queries to m; o keeps its value. It returns an error where
// the options differ, which names the option, and where the counts overflow; m then keeps its
// value, too. The order of merging changes the result by a relative 1e-31. Cost O(n²) a fold.
func (m *Statistics) Merge(o *Statistics) error {
	if err := m.sameOptions(o); err != nil {
		return err
	}
	if !m.fits(o.counts()) {
		return errTooMany
	}
	m.addStatistics(1, o)
	return nil
}

// Subtract subtracts the statistics o, of queries that were added to m; o keeps its value. The
// result differs from the statistics of the other queries by the rounding of double words (see
// Statistics). Where the rows of a query come in another order than in Add, it also differs by the
// rounding of its products, a relative 1e-16. Subtract returns an error, and does not change m,
// where the options differ, or o counts more in a fold than m, so that it was not added.
// CheckSubtract checks more. Cost O(n²) a fold. Features that only o had stay in m with sums of 0;
// m gets no new features.
func (m *Statistics) Subtract(o *Statistics) error {
	if err := m.sameOptions(o); err != nil {
		return err
	}
	for f := range m.folds {
		for i, n := range o.folds[f].counts {
			if n > m.folds[f].counts[i] {
				return fmt.Errorf("fold %d holds %s, fewer than those to subtract, %s: subtract only what was added",
					f+1, m.folds[f].describe(), o.folds[f].describe())
			}
		}
	}
	m.addStatistics(-1, o)
	return nil
}

// CheckSubtract returns an error where Subtract of o, which has the options of m, would leave a sum
// of squares that is negative beyond rounding: then o was not added. Rounding counts as 2⁻⁴⁰ of the
// subtracted sum. A correct subtraction may therefore be refused after far larger sums were
// subtracted. Cost O(n) a fold, and the multiplication of the rows that wait.
func (m *Statistics) CheckSubtract(o *Statistics) error {
	m.flush()
	o.flush()
	for f := range m.folds {
		if what := m.negative(f, &o.folds[f]); what != "" {
			return fmt.Errorf("%s of fold %d would be negative, which is impossible: subtract only what was added",
				what, f+1)
		}
	}
	return nil
}

// negative names a sum of squares of fold f that would be negative without others, "" where
// there is none. The products of a Laplacian without block structure, xᵀ(Lx), are rounded
// relative to the size of the rows.
func (m *Statistics) negative(f int, gone *foldSums) string {
	const rounding = 0x1p-40
	s, v, noise := &m.folds[f], m.options.Outputs, 0.0
	if m.options.Pairs.Cost == pref.Relative || m.options.Times {
		noise = rounding * max(s.size.hi[0], gone.size.hi[0])
	}
	below := func(sums, gone doubles, at int) bool {
		left := -gone.hi[at]
		if at < len(sums.hi) {
			left = (sums.hi[at] - gone.hi[at]) + (sums.lo[at] - gone.lo[at])
		}
		return gone.hi[at] > 0 && left < -rounding*gone.hi[at]-noise
	}
	for c := range v {
		if below(s.constant, gone.constant, c) {
			return fmt.Sprintf("the sum of squared targets of output %d", c+1)
		}
	}
	for j := v; j < gone.columns(); j++ {
		if below(s.products, gone.products, triangle(j+1)-1) {
			return fmt.Sprintf("the sum of squares of feature %d", j-v+1)
		}
	}
	return ""
}

func (s *foldSums) describe() string {
	return fmt.Sprintf("%d rows, %d queries and %d pairs",
		s.counts[countRows], s.counts[countQueries], s.counts[countPairs])
}

// addStatistics adds sign times o. With sign −1, o must not have features that m lacks.
func (m *Statistics) addStatistics(sign int64, o *Statistics) {
	m.flush()
	o.flush()
	if sign > 0 {
		m.features = max(m.features, o.features)
	}
	for f := range m.folds {
		sums := o.folds[f]
		most := min(len(sums.products.hi), triangle(m.options.Outputs+m.features))
		sums.products = sums.products.slice(0, most)
		m.folds[f].addSums(sign, &sums)
		if m.folds[f].counts[countQueries] == 0 {
			m.folds[f].clear()
		}
	}
}

// clear sets all sums to 0, since subtraction may leave the rounding of double words.
func (s *foldSums) clear() {
	for _, d := range s.doubles() {
		clear(d.hi)
		clear(d.lo)
	}
}

// sameOptions says in what the options of o differ.
func (m *Statistics) sameOptions(o *Statistics) error {
	a, b := m.options, o.options
	for _, option := range []struct {
		name string
		a, b any
	}{
		{"outputs", a.Outputs, b.Outputs}, {"folds", a.Folds, b.Folds}, {"regression", a.Regression, b.Regression},
		{"cost", a.Pairs.Cost, b.Pairs.Cost}, {"query weight", a.Pairs.Weight, b.Pairs.Weight},
		{"ties", a.Pairs.Ties, b.Pairs.Ties}, {"times", a.Times, b.Times},
		{"weights", a.Weights, b.Weights},
		{"censoring weights", a.Pairs.CensoringWeights, b.Pairs.CensoringWeights},
	} {
		if option.a != option.b {
			return fmt.Errorf("the statistics have different options: %s %v and %v", option.name, option.a, option.b)
		}
	}
	return nil
}

// total are the sums of all folds but the one left out, −1 for none.
func (m *Statistics) total(without int) *foldSums {
	sum := newFoldSums(m.options.Outputs, m.options.Weights)
	for f := range m.folds {
		if f != without {
			sum.addSums(1, &m.folds[f])
		}
	}
	return &sum
}
