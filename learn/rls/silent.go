package rls

import (
	"slices"
	"sync"

	"pairrank/pref"
)

// pulls knows which components carry information, so that a held-out
// prediction is exactly 0 where the rows that stay have none: there rounding
// would break ties that are real. The information is in what r says of the rows,
// or in which rows are equal.
type pulls struct {
	goal *pref.Goal
	// rows are what is looked at in the place of r, where it is not nil.
	rows *Basis
	// informative counts, for each output, the components whose rows do not
	// all agree.
	informative []int
	counts      func() []componentCount // made when first asked for
}

func newPulls(goal *pref.Goal) *pulls {
	p := &pulls{goal: goal, informative: make([]int, goal.Outputs)}
	p.countInformative()
	p.counts = sync.OnceValue(p.countComponents)
	return p
}

func (p *pulls) countInformative() {
	parts := p.goal.L.Components()
	for g := range parts.Len() {
		for c := range p.informative {
			if p.informs(parts.Part(g), c) {
				p.informative[c]++
			}
		}
	}
}

// newAlike looks at which rows are equal: where those that stay are, in each
// component, nothing tells them apart.
func newAlike(goal *pref.Goal, b *Basis) *pulls {
	one := *goal
	one.Outputs = 1
	p := &pulls{goal: &one, rows: b, informative: make([]int, 1)}
	p.countInformative()
	p.counts = sync.OnceValue(p.countComponents)
	return p
}

func (p *pulls) at(i int32, c int) float64 {
	if p.rows != nil {
		return float64(p.rows.equal()[i])
	}
	return p.goal.R[int(i)*p.goal.Outputs+c]
}

// informs reports whether a component carries information on output c: some
// pull that is not 0, or in a complete query, and of rows, two that differ.
func (p *pulls) informs(rows []int32, c int) bool {
	for _, i := range rows {
		switch {
		case p.rows != nil:
			if !p.rows.same(int(rows[0]), int(i)) {
				return true
			}
		case p.goal.Kind == pref.Complete && p.at(i, c) != p.at(rows[0], c), p.goal.Kind != pref.Complete && p.at(i, c) != 0:
			return true
		}
	}
	return false
}

// silent lists the outputs for which nothing is learnt without the rows h. Parts
// of a component leave complete queries only: what stays agrees when all of it
// has the pull of its first row.
func (p *pulls) silent(h []int32) []int {
	if slices.Min(p.informative) > len(h) {
		return nil // more components carry information than H has rows
	}
	parts := p.goal.L.Components()
	of := parts.Of()
	touched, out := map[int32][]int32{}, make(map[int32]bool, len(h))
	for _, i := range h {
		touched[of[i]] = append(touched[of[i]], i)
		out[i] = true
	}
	var outputs []int
	for c, left := range p.informative {
		for g, gone := range touched {
			if p.counts()[int(g)*p.goal.Outputs+c].informs && !p.informsWithout(g, gone, out, c) {
				left--
			}
		}
		if left == 0 {
			outputs = append(outputs, c)
		}
	}
	return outputs
}

// informsWithout reports whether a component that carries information still does
// without the rows gone, in O(gone).
func (p *pulls) informsWithout(g int32, gone []int32, out map[int32]bool, c int) bool {
	rows := p.goal.L.Components().Part(int(g))
	if len(gone) == len(rows) {
		return false
	}
	if p.goal.Kind != pref.Complete {
		return true // its components leave whole
	}
	first := rows[0]
	for _, i := range rows {
		if !out[i] {
			first = i
			break
		}
	}
	same := p.counts()[int(g)*p.goal.Outputs+c].rows[p.at(first, c)]
	for _, i := range gone {
		if p.at(i, c) == p.at(first, c) {
			same--
		}
	}
	return same < len(rows)-len(gone)
}

// componentCount is what one component has of one output.
type componentCount struct {
	informs bool
	rows    map[float64]int // rows by pull, of a complete query that informs
}

// countComponents counts each component and output.
func (p *pulls) countComponents() []componentCount {
	parts := p.goal.L.Components()
	counts := make([]componentCount, parts.Len()*p.goal.Outputs)
	for g := range parts.Len() {
		rows := parts.Part(g)
		for c := range p.goal.Outputs {
			n := &counts[g*p.goal.Outputs+c]
			n.informs = len(rows) > 0 && p.informs(rows, c)
			if !n.informs || p.goal.Kind != pref.Complete {
				continue
			}
			n.rows = map[float64]int{}
			for _, i := range rows {
				n.rows[p.at(i, c)]++
			}
		}
	}
	return counts
}

// pairSilence answers, in O(1), whether nothing is learnt without two rows.
type pairSilence struct {
	*pulls
	// top are, for each component and output, the two most frequent pulls.
	top [][2]frequent
}

type frequent struct {
	value float64
	count int
}

// pairs prepares for pairs of rows; it is nil where no pair can leave nothing,
// as in all but tiny or one-sided data.
func (p *pulls) pairs() *pairSilence {
	if slices.Min(p.informative) > 2 {
		return nil
	}
	s := &pairSilence{pulls: p}
	parts := p.goal.L.Components()
	s.top = make([][2]frequent, parts.Len()*p.goal.Outputs)
	for g := range parts.Len() {
		for c := range p.goal.Outputs {
			s.top[g*p.goal.Outputs+c] = p.mostFrequent(parts.Part(g), c)
		}
	}
	if !s.possible() {
		return nil
	}
	return s
}

// possible reports whether some pair might leave nothing for some output: not
// where an output has a component that carries information and keeps it when
// any two of its rows leave.
func (s *pairSilence) possible() bool {
	parts := s.goal.L.Components()
	for c, left := range s.informative {
		for g := range parts.Len() {
			size, top := len(parts.Part(g)), s.top[g*s.goal.Outputs+c]
			if s.goal.Kind == pref.Complete && size > 4 && top[0].count < size-2 {
				left = -1 // it stays
			}
		}
		if left >= 0 {
			return true
		}
	}
	return false
}

func (p *pulls) mostFrequent(rows []int32, c int) (top [2]frequent) {
	counts := map[float64]int{}
	for _, i := range rows {
		counts[p.at(i, c)]++
	}
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

// silent reports whether nothing is learnt for output c without rows i and j.
// After two rows leave, a component agrees only on one of its two most frequent
// pulls, or has at most one row left.
func (s *pairSilence) silent(i, j int32, c int) bool {
	of := s.goal.L.Components().Of()
	left := s.informative[c]
	if of[i] == of[j] {
		left -= s.lost(of[i], c, i, j)
	} else {
		left -= s.lost(of[i], c, i) + s.lost(of[j], c, j)
	}
	return left == 0
}

// lost is 1 if component g carries information and no longer does without the
// given rows of it.
func (s *pairSilence) lost(g int32, c int, rows ...int32) int {
	size := len(s.goal.L.Components().Part(int(g)))
	top := s.top[int(g)*s.goal.Outputs+c]
	switch {
	case s.goal.Kind == pref.Rows:
		if top[0].value != 0 {
			return 1
		}
		return 0
	case top[0].count == size:
		return 0
	case size-len(rows) <= 1:
		return 1
	}
	for _, f := range top {
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
