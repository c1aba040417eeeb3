package greedy

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// score is how good a set of features is.
type score struct {
	halves float64 // twice the number of held-out pairs in the wrong order, by their weights
	loss   float64 // the mean squared error of their differences; for leave-one-out of rows, of the rows
}

// equalLosses is the relative difference below which two losses are equal, so that the number of the feature decides:
// features that are the same up to sign or shift have losses that differ by rounding.
const equalLosses = 0x1p-30

// equalHalves is the relative difference below which two sums of the weights of pairs are equal, since their order
// differs: numbers of pairs differ by more.
const equalHalves = 0x1p-44

// worst is worse than every score.
var worst = score{math.MaxFloat64, math.Inf(1)}

// beyond reports whether the halves h are more than most, and by more than rounding.
func beyond(h, most float64) bool { return h-most > equalHalves*h }

// lesser is s or o, the one with fewer halves, or of as many the smaller loss.
func (s score) lesser(o score) score {
	if beyond(s.halves, o.halves) || !beyond(o.halves, s.halves) && o.loss < s.loss {
		return o
	}
	return s
}

// compare is negative if s is better than o, 0 if they are equal, and positive if s is worse.
func (s score) compare(o score) int {
	switch {
	case beyond(s.halves, o.halves):
		return 1
	case beyond(o.halves, s.halves):
		return -1
	case math.Abs(s.loss-o.loss) <= equalLosses*max(s.loss, o.loss):
		return 0
	case s.loss < o.loss:
		return -1
	}
	return 1
}

// state is a set of features: the operator P in its products, and the held-out residuals.
type state struct {
	of     *columns
	lambda float64 // in the unit of P
	unit   bool    // P₀ is a projector, or I, and not L
	cols   []int   // the features whose products are kept
	c      []float64
	a      []float64 // Py
	held   held
}

// held are the held-out residuals of a state.
type held interface {
	// add updates them for the feature at a position of the state, before the state changes. lambda is 0 for a
	// baseline feature.
	add(s *state, at int, lambda float64)
	// judge returns the score with the feature at a position. It may stop as soon as that is neither better than
	// best nor equal to it, and return the worst.
	judge(s *state, at int, best score, memory *memory) score
	// judged is the number of pairs that judge, and their weight; score is the score of the state itself.
	judged() (pairs int64, weight float64)
	score(s *state) score
	// part is a copy that keeps the products of features at some positions; nil keeps all.
	part(s *state, at []int) held
}

// memory is what a goroutine needs to judge.
type memory struct {
	scores, tie, low, of []float64
	count                counter
	best                 score // of what it has judged
}

// newState is the state without selected features, with the baseline. cols are the features whose products it keeps.
func newState(of *columns, o Options, cols []int) *state {
	s := &state{of: of, lambda: o.Lambda, unit: o.Criterion != Queries}
	keep := len(cols)
	s.cols = append(append([]int{}, cols...), of.p.Baseline...)
	s.c, s.a = make([]float64, len(s.cols)*of.m), make([]float64, of.m)
	s.start(s.a, of.y)
	parallel.Chunks(len(s.cols), 16, func(_, lo, hi int) {
		for at := lo; at < hi; at++ {
			s.start(s.product(at), of.column(s.cols[at]))
		}
	})
	switch o.Criterion {
	case Pairs:
		s.lambda /= s.scale(2)
		s.held = newPairs(of)
	case Rows:
		s.lambda /= s.scale(1)
		s.held = newLists(s, true)
	default:
		s.held = newLists(s, false)
	}
	if keep == len(s.cols) {
		return s
	}
	for at := keep; at < len(s.cols); at++ {
		s.add(at, 0)
	}
	return s.keeping(all(keep))
}

// start sets dst to P₀v.
func (s *state) start(dst, v []float64) {
	if s.unit {
		copy(dst, v)
		s.of.weigh(dst)
		return
	}
	s.of.timesTo(dst, v)
}

// scale is the factor of the projector in L without so many rows of a single list; of rows with weights it is 1.
func (s *state) scale(without int) float64 {
	if w := weightOf(s.of.p, s.of.m-without); w > 0 {
		return w
	}
	return 1 // a single row has no pairs, and every λ does
}

// all are the positions 0 … n−1.
func all(n int) []int {
	at := make([]int, n)
	for k := range at {
		at[k] = k
	}
	return at
}

// product is Pv for the feature v at a position.
func (s *state) product(at int) []float64 { return s.c[at*s.of.m : (at+1)*s.of.m] }

// feature is the projected column of the feature at a position.
func (s *state) feature(at int) []float64 { return s.of.column(s.cols[at]) }

// size is ‖v‖‖y‖ in the norm of P₀, to which the rounding of vᵀPy is relative.
func (s *state) size(at int) float64 {
	size := s.of.norm[s.cols[at]] * s.of.normY
	if s.unit {
		size /= s.of.weight[0] // of the only list; 1 for regression
	}
	return size
}

// most is the largest entry of the feature at a position, to which the rounding of the entries of Pv is relative.
func (s *state) most(at int) float64 { return s.of.most[s.cols[at]] }

// pivot is λ + vᵀPv and vᵀPy of the feature at a position.
func (s *state) pivot(at int, lambda float64) (pivot, toward float64) {
	v := s.feature(at)
	return lambda + max(0, linalg.Dot(v, s.product(at))), linalg.Dot(v, s.a)
}

// determined reports whether a pivot without λ is 0 up to rounding: what is in the state already determines the
// feature at a position.
func (s *state) determined(at int, pivot float64) bool {
	first := s.of.norm[s.cols[at]] * s.of.norm[s.cols[at]]
	if s.unit {
		first /= s.of.weight[0]
	}
	return pivot <= relativeRounding*first
}

// add adds the feature at a position. A baseline feature, with λ = 0, that others determine changes nothing.
func (s *state) add(at int, lambda float64) {
	pivot, toward := s.pivot(at, lambda)
	if lambda == 0 && s.determined(at, pivot) {
		return
	}
	s.held.add(s, at, lambda)
	v := s.feature(at)
	c := append([]float64(nil), s.product(at)...)
	linalg.Axpy(-toward/pivot, c, s.a)
	parallel.Chunks(len(s.cols), chunk, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			to := s.product(k)
			linalg.Axpy(-linalg.Dot(v, to)/pivot, c, to)
		}
	})
}

// chunk is the number of features that a goroutine takes at a time.
const chunk = 64

// keeping is a copy of s that keeps the products of the features at some positions.
func (s *state) keeping(at []int) *state {
	part := *s
	part.cols, part.c = make([]int, len(at)), make([]float64, len(at)*s.of.m)
	for k, from := range at {
		part.cols[k] = s.cols[from]
		copy(part.product(k), s.product(from))
	}
	part.a = append([]float64(nil), s.a...)
	part.held = s.held.part(s, at)
	return &part
}

// keepingUnits is keeping of the columns of some units, which get their positions there.
func (s *state) keepingUnits(units []unit) (*state, []unit) {
	return s.keeping(columnsOf(units)), placed(units)
}

// placed are units of the columns 0, 1, …, as many as they have.
func placed(units []unit) []unit {
	out, at := make([]unit, len(units)), 0
	for k, u := range units {
		out[k].feature, out[k].columns = u.feature, make([]int, len(u.columns))
		for c := range u.columns {
			out[k].columns[c] = at
			at++
		}
	}
	return out
}

// addUnit adds the columns of a unit, one after the other: P of all does not depend on their order.
func (s *state) addUnit(u unit) {
	for _, at := range u.columns {
		s.add(at, s.lambda)
	}
}

// judge returns the score with a unit, as that of held for one column. Several are added to a copy that keeps their
// products alone: k columns cost O(k²m) beside the pairs of leave-pair-out, which k updates change.
func (s *state) judge(u unit, best score, memory *memory) score {
	if len(u.columns) == 1 {
		return s.held.judge(s, u.columns[0], best, memory)
	}
	with, placed := s.keepingUnits([]unit{u})
	with.addUnit(placed[0])
	return with.held.score(with)
}

// best is the best of the units that may be added, and its score; -1 if there is none. Of those that are equal it is
// the first.
func (s *state) best(units []unit, open []bool) (at int, found score) {
	scores := make([]score, len(units))
	memories := make([]memory, parallel.Workers())
	for worker := range memories {
		memories[worker].best = worst
	}
	parallel.Chunks(len(units), chunk, func(worker, lo, hi int) {
		mine := &memories[worker]
		for k := lo; k < hi; k++ {
			if scores[k] = worst; open[k] {
				scores[k] = s.judge(units[k], mine.best, mine)
				mine.best = mine.best.lesser(scores[k])
			}
		}
	})
	least := worst
	for _, next := range scores {
		least = least.lesser(next)
	}
	for k, next := range scores {
		if open[k] && next.compare(least) == 0 {
			return k, next
		}
	}
	return -1, found
}
