package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// refused reports an error other than the expected one.
func refused(t *testing.T, err error, code fault.Code, text string) {
	t.Helper()
	var fault *fault.Error
	if err == nil || !strings.Contains(err.Error(), text) || !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("error %v, want %q", err, text)
	}
}

// history is statistics after adding, merging and forgetting, and the queries that they should hold.
type history struct {
	*testing.T
	r     *rand.Rand
	o     Options
	sums  *Statistics
	has   map[string]data.Query
	drawn int
}

// query is a new query of a random width.
func (h *history) query() data.Query {
	m, n := 1+h.r.IntN(7), 1+h.r.IntN(5)
	if h.r.IntN(12) == 0 {
		m = 230 // two pieces
	}
	x := data.NewDense(m, n, nil)
	for i := range x.Data {
		x.Data[i] = float64(h.r.IntN(9)) / 4 * h.r.NormFloat64()
	}
	y := make([]float64, m)
	for i := range y {
		y[i] = float64(h.r.IntN(3))
	}
	h.drawn++
	q := data.Query{ID: fmt.Sprint("q", h.drawn), X: x, Y: y, Source: fmt.Sprint("file", h.r.IntN(4)), Line: h.drawn}
	if h.o.Times {
		q.Censored = make([]bool, m)
		for i := range q.Censored {
			q.Censored[i] = h.r.IntN(2) == 0
		}
	}
	if h.o.Weights {
		q.Weights = make([]float64, m)
		for i := range q.Weights {
			q.Weights[i] = float64(1+h.r.IntN(8)) / 4
		}
	}
	if h.r.IntN(2) == 0 {
		q.X = sparseOf(x)
	}
	return q
}

// some are queries that the statistics have.
func (h *history) some() (queries []data.Query) {
	for _, id := range slices.Sorted(maps.Keys(h.has)) {
		if h.r.IntN(3) == 0 {
			queries = append(queries, h.has[id])
		}
	}
	return queries
}

// again is a query as another file may have it, with its rows in another order.
func (h *history) again(q data.Query) data.Query {
	m, n := q.X.Dims()
	x := data.NewDense(m, n, nil)
	for i := range m {
		q.X.RowTo(x.Row(i), i)
	}
	if q.Censored == nil && q.Weights == nil {
		q.X, q.Y = permuted(h.r, x, q.Y)
		return q
	}
	perm := h.r.Perm(m)
	q.X, q.Y = x.SelectRows(perm), naive.Pick(q.Y, perm)
	if q.Censored != nil {
		q.Censored = naive.Pick(q.Censored, perm)
	}
	if q.Weights != nil {
		q.Weights = naive.Pick(q.Weights, perm)
	}
	return q
}

// other is a query with the name and rows of q, except for one changed value.
func (h *history) other(q data.Query) data.Query {
	q = h.again(q)
	x, k := q.X.(*data.Dense), h.r.IntN(len(q.Y))
	if q.Censored != nil && h.r.IntN(2) == 0 { // at time 0, too
		q.Censored[k] = !q.Censored[k]
		return q
	}
	if q.Weights != nil && h.r.IntN(2) == 0 {
		q.Weights[k] += 0.5
		return q
	}
	switch h.r.IntN(3) {
	case 0:
		q.Y[k] = 2 - 2*math.Floor(q.Y[k]/2) // on the other side of a threshold, too
	case 1:
		x.Row(k)[h.r.IntN(x.Cols)] += 0.25
	case 2: // a feature with a higher index than all others
		wide := data.NewDense(x.Rows, 9, nil)
		for i := range x.Rows {
			copy(wide.Row(i), x.Row(i))
		}
		wide.Row(k)[8] = 1
		q.X = wide
	}
	return q
}

// step makes one permitted change to the statistics.
func (h *history) step() {
	var err error
	switch h.r.IntN(4) {
	case 0:
		q := h.query()
		err = h.sums.Add(q)
		h.has[q.ID] = q
	case 1:
		more := []data.Query{h.query(), h.query(), h.query()}
		err = h.sums.Merge(summed(h, h.o, more))
		for _, q := range more {
			h.has[q.ID] = q
		}
	case 2, 3:
		gone, ids := h.some(), []string{}
		for k, q := range gone {
			gone[k] = h.again(q)
			ids = append(ids, q.ID)
			delete(h.has, q.ID)
		}
		if h.o.KeepQueries && h.r.IntN(2) == 0 {
			err = h.sums.Forget(ids...)
			break
		}
		err = h.sums.Subtract(summed(h, h.o, gone))
	}
	if err != nil {
		h.Fatal(err)
	}
}

// refuse tries changes that the statistics must refuse.
func (h *history) refuse() {
	before := bytesOf(h, h.sums)
	for _, q := range h.some() {
		refused(h.T, h.sums.Add(h.again(q)), codes.FaultQueryTwice, "comes twice")
		refused(h.T, h.sums.Merge(summed(h, h.o, []data.Query{h.query(), h.again(q)})), codes.FaultQueryTwice,
			"a query is in both")
		refused(h.T, h.sums.Subtract(summed(h, h.o, []data.Query{h.other(q)})), codes.FaultQueryUnknown,
			"1 have other labels or features than were added, the first of them from "+place(q.Source, q.Line))
		if h.o.KeepQueries {
			refused(h.T, h.sums.Forget(q.ID, q.ID), codes.FaultQueryUnknown, "is named twice")
		}
	}
	refused(h.T, h.sums.Subtract(summed(h, h.o, append(h.some(), h.query()))), codes.FaultQueryUnknown, "1 were not added")
	if h.o.KeepQueries {
		refused(h.T, h.sums.Forget("nobody"), codes.FaultQueryUnknown, `"nobody"`)
	} else {
		refused(h.T, h.sums.Forget("q1"), "", "KeepQueries is not set")
	}
	if !bytes.Equal(before, bytesOf(h, h.sums)) {
		h.Fatal("what is refused changes the statistics")
	}
}

// check compares the statistics with those of the expected queries.
func (h *history) check() {
	read := &Statistics{}
	if err := read.UnmarshalBinary(bytesOf(h, h.sums)); err != nil || !bytes.Equal(bytesOf(h, read), bytesOf(h,
		h.sums)) {
		h.Fatalf("what is written is read as something else, %v", err)
	}
	h.sums = read
	want := summed(h, h.o, slices.Collect(maps.Values(h.has)))
	if h.sums.Rows() != want.Rows() || h.sums.Queries() != want.Queries() || h.sums.Pairs() != want.Pairs() ||
		h.sums.idle != want.idle {
		h.Fatalf("%d rows of %d queries, %v, want %d of %d, %v", h.sums.Rows(), h.sums.Queries(), h.sums.idle,
			want.Rows(), want.Queries(), want.idle)
	}
	a, errA := h.sums.Train(context.Background(), TrainOptions{Lambdas: []float64{0.5}})
	b, errB := want.Train(context.Background(), TrainOptions{Lambdas: []float64{0.5}})
	if errA != nil || errB != nil {
		if fmt.Sprint(errA) != fmt.Sprint(errB) {
			h.Fatalf("error %v, want %v", errA, errB)
		}
		return
	}
	x, y := weightsIn(a).Data, weightsIn(b).Data
	y = append(y, make([]float64, len(x)-len(y))...) // features of forgotten queries stay, with weights of 0
	if d := apartIn(y, x); !(d <= sameWeights) &&
		slices.ContainsFunc(slices.Concat(x, y), func(w float64) bool { return w != 0 }) {
		h.Fatalf("weights differ by %g", d)
	}
}

// Any order of adding, merging, forgetting and training trains on the remaining queries. A refused change
// changes nothing.
func TestHistories(t *testing.T) {
	options := streamed()
	options["kept"] = Options{KeepQueries: true, Folds: 3}
	options["kept, regression"] = Options{KeepQueries: true, Learner: pairrank.LeastSquares{Regression: true}}
	options["kept, relative"] = Options{KeepQueries: true,
		Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Relative}}, Normalize: data.NormalizeQueryMinMax}
	options["kept, times"] = Options{KeepQueries: true, Folds: 2, Times: true}
	options["kept, weights"] = Options{KeepQueries: true, Folds: 2, Weights: true}
	delete(options, "one fold") // has names of features
	for seed, name := range slices.Sorted(maps.Keys(options)) {
		for run := range 4 {
			o := options[name]
			h := &history{T: t, r: rand.New(rand.NewPCG(uint64(seed), uint64(run))), o: o, sums: summed(t, o, nil),
				has: map[string]data.Query{}}
			for range 25 {
				h.step()
				if h.r.IntN(4) == 0 {
					h.refuse()
				}
				if h.r.IntN(4) == 0 {
					h.check()
				}
			}
			h.check()
		}
	}
}

// Forgetting rows wider than the added ones is refused, for any values.
func TestForgetWiderRows(t *testing.T) {
	set := gen.Set(40, 3, 8, 5)
	queries := queriesIn(set, nil, false)
	s := summed(t, Options{}, queries)
	zeros := queries[1]
	zeros.X = widened(zeros.X.(*data.Dense), 4)
	values := queries[2]
	wide := widened(values.X.(*data.Dense), 4)
	wide.Row(0)[6] = 2
	values.X = wide
	refused(t, s.Subtract(summed(t, Options{}, []data.Query{values})), codes.FaultQueryUnknown,
		"1 have other labels or features")
	if err := s.Subtract(summed(t, Options{}, []data.Query{zeros})); err != nil || s.Features() != 3 {
		t.Fatalf("rows with more zeros: %v, %d features", err, s.Features())
	}
	if _, err := s.Train(context.Background(), TrainOptions{Lambdas: []float64{1}}); err != nil {
		t.Error(err)
	}
}
