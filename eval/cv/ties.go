package cv

import (
	"math"

	"pairrank/data"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// relativeRounding is the least that is taken for rounding in the difference of two
// scores, beside the largest score that is held out with them: 2⁻⁴², of which double
// precision leaves ten digits to what is lost in a system. It is beside the largest
// since most of the others may be rounding of it, as where nodes have no kernel value
// with those that stay.
const relativeRounding = 0x1p-42

// tieWithin makes scores of a list that are within rounding of one another equal:
// each, in ascending order, becomes the first that it is apart from by no more than
// their two bounds and least. Scores that are equal in exact arithmetic then tie, as
// leave-pair-out has them.
func tieWithin(scores []float64, least float64, bound func(i int) float64) {
	order := make([]int32, len(scores))
	var sorter ostat.Argsorter
	if !sorter.ArgsortTo(order, scores) {
		return // a score is NaN, which the evaluation refuses
	}
	first := 0
	for a, i := range order {
		i := int(i)
		if a > 0 && scores[i]-scores[first] <= least+bound(i)+bound(first) {
			scores[i] = scores[first]
		} else {
			first = i
		}
	}
}

// Predictions are held-out predictions of which only the largest size is known, not how
// each is rounded: those of training again, and of edges.
func Predictions(f *data.Dense) Held { return Held{F: f, Rounding: newUnbounded(f)} }

// unbounded is the rounding of predictions of which only the largest size is known:
// those of training again.
type unbounded float64

func newUnbounded(f *data.Dense) unbounded {
	widest := 0.0
	for i := range f.Rows {
		for _, v := range f.Row(i) {
			widest = max(widest, math.Abs(v))
		}
	}
	return unbounded(widest)
}

func (unbounded) At(_, _ int) float64 { return 0 }
func (unbounded) Most() float64       { return 0 }
func (u unbounded) Widest() float64   { return float64(u) }

// heldRows are held-out predictions of all rows with their rounding, m×v each.
type heldRows struct {
	f        *data.Dense
	rounding []float64
	most     float64
	widest   float64
}

func newHeldRows(m, v int) *heldRows {
	return &heldRows{f: data.NewDense(m, v, nil), rounding: make([]float64, m*v)}
}

// take keeps the predictions of some rows at their places. Sets that share no row may be
// taken side by side.
func (h *heldRows) take(rows, place []int32, held Held) {
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
	h.most, h.widest = 0, newUnbounded(h.f).Widest()
	for _, v := range h.rounding {
		h.most = max(h.most, v)
	}
	return Held{F: h.f, Rounding: h}
}

// At, Most and Widest make heldRows the rounding of its predictions.
func (h *heldRows) At(i, c int) float64 { return h.rounding[i*h.f.Cols+c] }
func (h *heldRows) Most() float64       { return h.most }
func (h *heldRows) Widest() float64     { return h.widest }

// tieLists ties the predictions of each list, whose rows are numbered in the group
// that was held out.
func tieLists(held Held, lists [][]int) {
	least := relativeRounding * held.Rounding.Widest()
	for _, rows := range lists {
		scores := make([]float64, len(rows))
		for c := range held.F.Cols {
			for a, i := range rows {
				scores[a] = held.F.Row(i)[c]
			}
			tieWithin(scores, least, func(a int) float64 { return held.Rounding.At(rows[a], c) })
			for a, i := range rows {
				held.F.Row(i)[c] = scores[a]
			}
		}
	}
}

// listsOf are the places, among rows, of those of each query.
func listsOf(rows []int32, queries *pref.Partition) [][]int {
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

func rowNumbers(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
