package holdout

import (
	"math"
	"slices"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/ostat"
)

// relativeRounding is the assumed rounding in the difference of two scores whose bounds are
// unknown, relative to the largest score that is held out with them: 2⁻⁴², which allows a linear
// system to lose ten bits. It is relative to the largest score, since most others may be rounding
// errors of it, as where nodes have no kernel value with those that stay.
const relativeRounding = 0x1p-42

// tieWithin makes scores of a list equal that are within rounding of one another. In ascending
// order, each score becomes the first one from which it differs by no more than the sum of their
// bounds; no bound is above most. Scores that are equal in exact arithmetic then tie.
func tieWithin(scores []float64, most float64, bound func(i int) float64) {
	order := make([]int32, len(scores))
	var sorter ostat.Argsorter
	if !sorter.ArgsortTo(order, scores) {
		return // a score is NaN, which the evaluation refuses
	}
	first := 0
	for a, i := range order {
		i := int(i)
		apart := scores[i] - scores[first]
		if a > 0 && (apart == 0 || apart <= 2*most && apart <= bound(i)+bound(first)) { // a bound costs more
			scores[i] = scores[first]
		} else {
			first = i
		}
	}
}

// Predictions returns held-out predictions with a rounding bound from their largest size alone.
// Iterative solvers have no better bounds.
func Predictions(f *data.Dense) Held { return PredictionsOf(f, 0) }

// PredictionsOf is Predictions for sums that may cancel: the bound is relative to the size of the
// summands, too.
func PredictionsOf(f *data.Dense, summands float64) Held {
	return Held{F: f, Rounding: newUnbounded(f, summands)}
}

// unbounded is the rounding bound of each of some predictions, from their largest size.
type unbounded float64

func newUnbounded(f *data.Dense, widest float64) unbounded {
	for i := range f.Rows {
		for _, v := range f.Row(i) {
			widest = max(widest, math.Abs(v))
		}
	}
	return unbounded(relativeRounding / 2 * widest)
}

// At and Most make unbounded a Rounding.
func (u unbounded) At(_, _ int) float64 { return float64(u) }
func (u unbounded) Most() float64       { return float64(u) }

// Bounded returns held-out predictions with bounds of their rounding, both h×v: two predictions
// that are equal in exact arithmetic differ by no more than the sum of their bounds. Cost O(hv).
func Bounded(f, bounds *data.Dense) Held {
	b := bounded{bounds, 0}
	for i := range bounds.Rows {
		b.most = max(b.most, slices.Max(bounds.Row(i)))
	}
	return Held{F: f, Rounding: b}
}

type bounded struct {
	bounds *data.Dense
	most   float64
}

// At and Most make bounded a Rounding.
func (b bounded) At(a, c int) float64 { return b.bounds.Row(a)[c] }
func (b bounded) Most() float64       { return b.most }

// kept is a copy of predictions with their bounds.
func kept(held Held) Held {
	f := held.F.Clone()
	if _, is := held.Rounding.(unbounded); is {
		return Held{F: f, Rounding: held.Rounding}
	}
	bounds := data.NewDense(f.Rows, f.Cols, nil)
	for a := range f.Rows {
		for c := range f.Cols {
			bounds.Row(a)[c] = held.Rounding.At(a, c)
		}
	}
	return Bounded(f, bounds)
}

// heldRows are held-out predictions of all rows with their rounding, m×v each.
type heldRows struct {
	f        *data.Dense
	rounding []float64
	most     float64
	// relative says that some predictions have only a bound from their size; least is then that
	// bound, from the largest prediction of all rows.
	relative atomic.Bool
	least    float64
}

func newHeldRows(m, v int) *heldRows {
	return &heldRows{f: data.NewDense(m, v, nil), rounding: make([]float64, m*v)}
}

// take stores the predictions of some rows at their places. Disjoint sets may be taken in parallel.
func (h *heldRows) take(rows, place []int32, held Held) {
	if _, is := held.Rounding.(unbounded); is {
		h.relative.Store(true)
	}
	for a, i := range rows {
		at := int(place[i])
		copy(h.f.Row(at), held.F.Row(a))
		for c := range h.f.Cols {
			h.rounding[at*h.f.Cols+c] = held.Rounding.At(a, c)
		}
	}
}

// held is all rows as one group.
func (h *heldRows) held() Held {
	if h.most, h.least = 0, 0; h.relative.Load() {
		h.least = newUnbounded(h.f, 0).Most()
	}
	for _, v := range h.rounding {
		h.most = max(h.most, v)
	}
	return Held{F: h.f, Rounding: h}
}

// At and Most make heldRows the rounding of its predictions.
func (h *heldRows) At(i, c int) float64 { return max(h.rounding[i*h.f.Cols+c], h.least) }
func (h *heldRows) Most() float64       { return max(h.most, h.least) }

// tieLists ties the predictions of each list, whose rows are numbered in the group
// that was held out.
func tieLists(held Held, lists [][]int) {
	most := held.Rounding.Most()
	for _, rows := range lists {
		scores := make([]float64, len(rows))
		for c := range held.F.Cols {
			for a, i := range rows {
				scores[a] = held.F.Row(i)[c]
			}
			tieWithin(scores, most, func(a int) float64 { return held.Rounding.At(rows[a], c) })
			for a, i := range rows {
				held.F.Row(i)[c] = scores[a]
			}
		}
	}
}

// listsOf are the places, among rows, of those of each query.
func listsOf(rows []int32, queries *data.Partition) [][]int {
	number := map[int32]int{}
	var lists [][]int
	for a, i := range rows {
		q := queries.Of()[i]
		n, seen := number[q]
		if !seen {
			n = len(lists)
			number[q] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], a)
	}
	return lists
}
