package stream

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
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
	s.content = contentOf(x, y, o.Outputs)
	if o.Normalize == data.NormalizeQueryMinMax {
		moved, err := o.normalized(x, scratch)
		if err != nil {
			return s, placed(q, err)
		}
		x = moved
	}
	if o.Map != nil {
		made, err := o.Map.features()
		if err != nil {
			return s, err
		}
		mapped, err := made.rows(x, scratch)
		if err != nil {
			return s, placed(q, err)
		}
		x = mapped
	}
	if !o.KeepQueries {
		err = statistics.Add(x, y, fold)
	} else if s.statistics, err = statistics.QueryStatistics(x, y); err == nil {
		err = statistics.AddQuery(s.statistics, fold)
	}
	if err != nil {
		return s, placed(q, err)
	}
	return s, nil
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

// idle counts a query with labels y of one output if it has nothing to compare.
func (o *Options) idle(y []float64) (c idleCounts) {
	switch {
	case o.Outputs > 1:
	case len(y) == 1:
		c.Single++
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
