package stream

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

// queryKey identifies a query: the first 16 bytes of the SHA-256 of its name. Two of 10⁹ names have the same
// key with probability below 10⁻²⁰.
type queryKey [16]byte

func keyOfQuery(id string) (k queryKey) {
	sum := sha256.Sum256([]byte(id))
	copy(k[:], sum[:])
	return k
}

// queryScratch is reusable memory for the changed rows of a query.
type queryScratch struct{ x, y, z []float64 }

// summedQuery is the result of adding a query.
type summedQuery struct {
	content    queryContent
	statistics *rls.QueryStatistics // nil unless they are kept
}

// add adds a query to statistics, normalised, mapped and binarised as the options say. It uses the memory of
// scratch unless that is nil.
func (o *Options) add(statistics *rls.Statistics, fold int, q *data.Query, scratch *queryScratch) (s summedQuery,
	err error) {
	if scratch == nil {
		scratch = &queryScratch{}
	}
	x, y := q.X, q.Y
	if o.Threshold != nil {
		scratch.y = append(scratch.y[:0], y...)
		y = scratch.y
		data.Binarize(y, *o.Threshold)
	}
	labels, each := y, o.Outputs
	if o.Times {
		labels, each = scratch.timed(y, q.Censored), 2
		y = scratch.y
	}
	if o.Weights {
		labels, each = beside(labels, q.Weights, each), each+1
	}
	s.content = contentOf(x, labels, each)
	if o.Map != nil || o.Normalize == data.NormalizeQueryMinMax {
		if x, err = o.normal(x, scratch); err != nil {
			return s, placed(q, err)
		}
	}
	if o.Map != nil {
		made, err := o.Map.features()
		if err != nil {
			return s, err
		}
		x = made.rows(x, scratch)
	}
	if !o.KeepQueries {
		err = statistics.Add(x, y, q.Weights, fold)
	} else if s.statistics, err = statistics.QueryStatistics(x, y, q.Weights); err == nil {
		err = statistics.AddQuery(s.statistics, fold)
	}
	if err != nil {
		return s, placed(q, err)
	}
	return s, nil
}

// beside are the labels of rows, so many each, each row's followed by its weight, which their content has as one more.
func beside(labels, weights []float64, each int) []float64 {
	both := make([]float64, 0, len(labels)+len(weights))
	for i, w := range weights {
		both = append(append(both, labels[i*each:(i+1)*each]...), w)
	}
	return both
}

// present is the query without its rows of weight 0; some is false where none is left. It refuses a query with weights
// where the sums are of rows without, or without them, and numbers that are no weights.
func (o *Options) present(q data.Query) (of data.Query, some bool, err error) {
	v := o.Outputs
	switch {
	case o.Weights && q.Weights == nil:
		return q, true, placed(&q, errors.New("the rows have no weights, and the sums are of rows with weights"))
	case !o.Weights && q.Weights != nil:
		return q, true, placed(&q, errors.New("the rows have weights, and the sums are of rows without"))
	case o.Weights && len(q.Y) != len(q.Weights)*v:
		return q, true, placed(&q, fmt.Errorf("%d labels of %d outputs with %d weights", len(q.Y), v, len(q.Weights)))
	}
	var rows []int
	for i, w := range q.Weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return q, true, placed(&q, fmt.Errorf("row %d has the weight %v: a weight is finite and at least 0", i+1, w))
		}
		if w > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == len(q.Weights) || q.X == nil {
		return q, true, nil
	}
	of = q
	of.X, of.Y, of.Weights, of.Censored, of.Comments = data.Select(q.X, rows), nil, nil, nil, nil
	for _, i := range rows {
		of.Y, of.Weights = append(of.Y, q.Y[i*v:(i+1)*v]...), append(of.Weights, q.Weights[i])
		if i < len(q.Censored) {
			of.Censored = append(of.Censored, q.Censored[i])
		}
	}
	return of, len(rows) > 0, nil
}

// checkTimes refuses a query with times instead of labels, or labels instead of times.
func (o *Options) checkTimes(q *data.Query) error {
	switch {
	case o.Times && q.Censored == nil:
		return errors.New("the rows have labels, and the sums are of censored times")
	case !o.Times && q.Censored != nil:
		return errors.New("the rows have censored times, and the sums are of labels")
	case o.Times && len(q.Censored) != len(q.Y):
		return fmt.Errorf("%d times with %d marks of censored ones", len(q.Y), len(q.Censored))
	}
	if i := slices.IndexFunc(q.Y, func(t float64) bool { return o.Times && t < 0 }); i >= 0 {
		return fmt.Errorf("row %d has the time %v, below 0", i+1, q.Y[i])
	}
	return nil
}

// timed sets y to the times of the rows, −t of those that are censored, as rls.Statistics takes them. It returns the
// labels of the content of the rows, for which a time and its mark are two: no hash tells 0 from −0.
func (s *queryScratch) timed(times []float64, censored []bool) []float64 {
	both := make([]float64, 0, 2*len(times))
	s.y = append(s.y[:0], times...)
	for i, is := range censored {
		mark := 1.0
		if is {
			s.y[i], mark = -times[i], 0
		}
		both = append(both, times[i], mark)
	}
	return both
}

// normal are the rows of a query, normalised. It refuses values that are not finite.
func (o *Options) normal(x data.Matrix, scratch *queryScratch) (data.Matrix, error) {
	if o.Normalize == data.NormalizeQueryMinMax {
		moved, err := o.normalized(x, scratch)
		if err != nil {
			return nil, err
		}
		x = moved
	}
	if i, v := data.FirstNotFinite(x); i >= 0 {
		return nil, fmt.Errorf("row %d has a feature of value %v: features are finite", i+1, v)
	}
	return x, nil
}

// normalized is a copy of the rows of a query, mapped to [0,1] feature by feature. It is dense, since it may
// move zeros.
func (o *Options) normalized(x data.Matrix, scratch *queryScratch) (*data.Dense, error) {
	if i, v := data.FirstNotFinite(x); i >= 0 {
		return nil, fmt.Errorf("row %d has a feature of value %v: features are finite", i+1, v)
	}
	m, n := x.Dims()
	scratch.x = slices.Grow(scratch.x[:0], m*n)[:m*n]
	moved := data.NewDense(m, n, scratch.x)
	for i := range m {
		x.RowTo(moved.Row(i), i)
	}
	norm := data.Normalizer{Kind: data.NormalizeQueryMinMax}
	return moved, norm.Apply(&data.Set{X: moved, Y: make([]float64, m), Queries: data.OneList(m)})
}

// idle counts a query with labels y of one output, or times, if it has nothing to compare.
func (o *Options) idle(y []float64, censored []bool) (c idleCounts) {
	switch {
	case o.Outputs > 1:
	case len(y) == 1:
		c.Single++
	case o.Times && goals.Incomparable(y, censored, data.OneList(len(y))) > 0:
		c.Alike++
	case o.Times:
	case o.Threshold != nil:
		first := y[0] >= *o.Threshold
		if !slices.ContainsFunc(y, func(v float64) bool { return (v >= *o.Threshold) != first }) {
			c.Alike++
		}
	case !slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }):
		c.Alike++
	}
	return c
}

func (c *idleCounts) add(sign int64, o idleCounts) {
	c.Single += sign * o.Single
	c.Alike += sign * o.Alike
}

// lineOf is a line number as it is kept: 0 beyond 32 bits.
func lineOf(line int) uint32 {
	if line < 0 || int64(line) > math.MaxUint32 {
		return 0
	}
	return uint32(line)
}

// place is SOURCE:LINE, or as much of it as is known.
func place(source string, line int) string {
	switch {
	case line == 0:
		return source
	case source == "":
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("%s:%d", source, line)
}

// named is the name of a source in a sentence.
func named(source string) string {
	if source == "" {
		return "a part without a name"
	}
	return source
}

// at is an error with the place of a query.
func at(q *data.Query, err error) error {
	if where := place(q.Source, q.Line); where != "" {
		return fmt.Errorf("%s: %w", where, err)
	}
	return err
}

// placed is an error of the data of a query.
func placed(q *data.Query, err error) error {
	return fault.As(fault.Data, "", at(q, fmt.Errorf("query %q: %w", data.ClipText(q.ID), err)))
}
