package rls

import (
	"slices"
	"sync"

	"pairrank/internal/goals"
)

// degeneracy knows which components carry information. A held-out prediction is exactly 0 where the
// problem of the rows that stay is degenerate: no function is better than 0, and rounding would
// break real ties. Two things decide whether a component informs: the linear term r, and which rows
// of the basis are equal.
type degeneracy struct {
	goal *goals.Goal
	// rows replaces r where it is not nil: equal rows carry no information.
	rows *Basis
	// informative counts, for each output, the components that carry information.
	informative []int
	counts      func() []componentCount // computed at the first call
	pairs       func() *pairDegeneracy  // the same; see ofPairs
}

// ofLabels is the degeneracy by r: a component whose r is 0 says nothing.
func ofLabels(goal *goals.Goal) *degeneracy {
	return newDegeneracy(&degeneracy{goal: goal, informative: make([]int, goal.Outputs)})
}

// ofFeatures is the degeneracy by rows: where the rows that stay are equal in each component, no
// function distinguishes them.
func ofFeatures(goal *goals.Goal, b *Basis) *degeneracy {
	one := *goal
	one.Outputs = 1
	return newDegeneracy(&degeneracy{goal: &one, rows: b, informative: make([]int, 1)})
}

func newDegeneracy(d *degeneracy) *degeneracy {
	for p := range d.goal.L.Components().Len() {
		for c := range d.informative {
			if d.informs(p, c) {
				d.informative[c]++
			}
		}
	}
	d.counts, d.pairs = sync.OnceValue(d.countComponents), sync.OnceValue(d.ofPairs)
	return d
}

// at returns the value on which rows of a component may agree: that of goals.Goal.Level, or the first row that equals
// row i.
func (d *degeneracy) at(i int32, c int) float64 {
	if d.rows != nil {
		return float64(d.rows.equal()[i])
	}
	return d.goal.Level(i, c)
}

// informs reports whether component p carries information on output c: by its r,
// or two rows that differ.
func (d *degeneracy) informs(p, c int) bool {
	if d.rows == nil {
		return d.goal.Informs(p, c)
	}
	rows := d.goal.L.Components().Part(p)
	return slices.ContainsFunc(rows, func(i int32) bool { return !d.rows.same(int(rows[0]), int(i)) })
}

// without lists the outputs for which the problem without the rows h is degenerate. In a component
// that can be split, the rows that stay agree when all have the value of the first of them.
func (d *degeneracy) without(h []int32) []int {
	if slices.Min(d.informative) > len(h) {
		return nil // more components carry information than H has rows
	}
	of := d.goal.L.Components().Of()
	touched, out := map[int32][]int32{}, make(map[int32]bool, len(h))
	for _, i := range h {
		touched[of[i]] = append(touched[of[i]], i)
		out[i] = true
	}
	var outputs []int
	for c, left := range d.informative {
		for p, gone := range touched {
			if d.count(p, c).informs && !d.informsWithout(p, gone, out, c) {
				left--
			}
		}
		if left == 0 {
			outputs = append(outputs, c)
		}
	}
	return outputs
}

// informsWithout reports whether component p, which carries information, still does
// without its rows gone, in O(gone).
func (d *degeneracy) informsWithout(p int32, gone []int32, out map[int32]bool, c int) bool {
	rows := d.goal.L.Components().Part(int(p))
	if len(gone) == len(rows) {
		return false
	}
	if !d.goal.CanSplit() {
		return true // its components leave whole
	}
	first := rows[slices.IndexFunc(rows, func(i int32) bool { return !out[i] })]
	same := d.count(p, c).rows[d.at(first, c)]
	for _, i := range gone {
		if d.at(i, c) == d.at(first, c) {
			same--
		}
	}
	return same < len(rows)-len(gone)
}

// componentCount holds the counts of one component for one output.
type componentCount struct {
	informs bool
	rows    map[float64]int // rows by value, of a component that informs and can be split
}

// count is that of component p and output c.
func (d *degeneracy) count(p int32, c int) componentCount {
	return d.counts()[int(p)*d.goal.Outputs+c]
}

// countComponents counts each component and output.
func (d *degeneracy) countComponents() []componentCount {
	parts := d.goal.L.Components()
	counts := make([]componentCount, parts.Len()*d.goal.Outputs)
	for p := range parts.Len() {
		for c := range d.goal.Outputs {
			n := &counts[p*d.goal.Outputs+c]
			n.informs = d.informs(p, c)
			if n.informs && d.goal.CanSplit() {
				n.rows = d.frequencies(parts.Part(p), c)
			}
		}
	}
	return counts
}

// frequencies counts rows by their value of output c.
func (d *degeneracy) frequencies(rows []int32, c int) map[float64]int {
	counts := map[float64]int{}
	for _, i := range rows {
		counts[d.at(i, c)]++
	}
	return counts
}

// pairDegeneracy answers, in O(1), whether the problem without two rows is
// degenerate, where any rows can be held out.
type pairDegeneracy struct {
	*degeneracy
	// top are, for each component and output, the two most frequent values of r.
	top [][2]frequent
}

type frequent struct {
	value float64
	count int
}

// ofPairs prepares for pairs of rows. It is nil where leaving out any pair leaves something to learn,
// as in all but tiny or one-sided data.
func (d *degeneracy) ofPairs() *pairDegeneracy {
	if slices.Min(d.informative) > 2 {
		return nil
	}
	s := &pairDegeneracy{degeneracy: d}
	parts := d.goal.L.Components()
	s.top = make([][2]frequent, parts.Len()*d.goal.Outputs)
	for p := range parts.Len() {
		for c := range d.goal.Outputs {
			s.top[p*d.goal.Outputs+c] = mostFrequent(d.frequencies(parts.Part(p), c))
		}
	}
	if !s.possible() {
		return nil
	}
	return s
}

// possible reports whether leaving out some pair might leave nothing to learn for some output. It
// is false where every output has a component that still informs when any two of its rows leave.
func (s *pairDegeneracy) possible() bool {
	parts := s.goal.L.Components()
	for c, left := range s.informative {
		for p := range parts.Len() {
			size, top := len(parts.Part(p)), s.top[p*s.goal.Outputs+c]
			if s.goal.CanSplit() && size > 4 && top[0].count < size-2 {
				left = -1 // it stays
			}
		}
		if left >= 0 {
			return true
		}
	}
	return false
}

func mostFrequent(counts map[float64]int) (top [2]frequent) {
	for v, n := range counts {
		switch f := (frequent{v, n}); {
		case n > top[0].count:
			top[0], top[1] = f, top[0]
		case n > top[1].count:
			top[1] = f
		}
	}
	return top
}

// without reports whether the problem of output c is degenerate without rows i
// and j.
func (s *pairDegeneracy) without(i, j int32, c int) bool {
	of := s.goal.L.Components().Of()
	left := s.informative[c]
	if of[i] == of[j] {
		left -= s.lost(of[i], c, i, j)
	} else {
		left -= s.lost(of[i], c, i) + s.lost(of[j], c, j)
	}
	return left == 0
}

// lost is 1 if component p carries information and no longer does without the
// given rows of it. After two rows leave, a component agrees only on one of its two
// most frequent values, or has at most one row left.
func (s *pairDegeneracy) lost(p int32, c int, rows ...int32) int {
	size := len(s.goal.L.Components().Part(int(p)))
	switch {
	case !s.count(p, c).informs:
		return 0
	case size-len(rows) <= 1:
		return 1
	}
	for _, f := range s.top[int(p)*s.goal.Outputs+c] {
		count := f.count
		for _, i := range rows {
			if s.at(i, c) == f.value {
				count--
			}
		}
		if count >= size-len(rows) {
			return 1
		}
	}
	return 0
}
