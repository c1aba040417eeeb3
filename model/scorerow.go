package model

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/kernel"
)

// ScoreRow is the score of a row of n features, normalised as the training rows were:
// what Score gives, but for the last bits. The cost is O(n) for Linear, O(bn) for
// Kernel and O(T) for Stumps of T terms; it runs on the caller's goroutine and, once it
// has run, allocates nothing. It is safe for concurrent use.
//
// It panics when len(x) ≠ n, for a model of several outputs, and for the normaliser
// query-minmax, which needs the other rows of the query.
func (m *Model) ScoreRow(x []float64) float64 {
	n, v := m.Features(), m.Outputs()
	switch {
	case len(x) != n:
		panic(fmt.Sprintf("model: ScoreRow of %d features with a model of %d", len(x), n))
	case v != 1:
		panic(fmt.Sprintf("model: ScoreRow with a model of %d outputs", v))
	case !idle(m.Normalizer) && !scales(m.Normalizer):
		panic("model: ScoreRow with a model that normalises by query: Score takes the rows of a query")
	}
	if idle(m.Normalizer) {
		return m.Scorer.scoreRow(&m.row, x)
	}
	if l, linear := m.Scorer.(*Linear); linear {
		return l.scoreScaled(x, m.Normalizer)
	}
	row := rows.Get().(*[]float64)
	defer rows.Put(row)
	*row = append((*row)[:0], x...)
	for j, shift := range m.Normalizer.Shift {
		(*row)[j] = (x[j] - shift) * m.Normalizer.Scale[j]
	}
	return m.Scorer.scoreRow(&m.row, *row)
}

// rows are memory for single rows.
var rows = sync.Pool{New: func() any { return new([]float64) }}

func (l *Linear) scoreRow(_ *prepared, x []float64) float64 { return linalg.Dot(x, l.Weights.Row(0)) }

// scoreScaled is scoreRow of a row that is still to be normalised.
func (l *Linear) scoreScaled(x []float64, norm *data.Normalizer) float64 {
	sum := 0.0
	for j, w := range l.Weights.Row(0) {
		sum += w * ((x[j] - norm.Shift[j]) * norm.Scale[j])
	}
	return sum
}

func (s *Stumps) scoreRow(_ *prepared, x []float64) float64 { return addTerms(0, s.Terms, x) }

// prepared is a kernel with support rows, ready for single rows.
type prepared struct {
	once   sync.Once
	kernel *kernel.Prepared
	values sync.Pool // *[]float64, kernel values with the support rows
}

func (k *Kernel) scoreRow(p *prepared, x []float64) float64 {
	if k.Support == nil {
		sum := 0.0
		for i, row := range k.SupportRows {
			sum += k.Coef.Row(i)[0] * x[row-1]
		}
		return sum
	}
	p.once.Do(func() {
		p.kernel = kernel.Prepare(k.Kernel, k.Support)
		p.values.New = func() any { values := make([]float64, k.Coef.Rows); return &values }
	})
	values := p.values.Get().(*[]float64)
	defer p.values.Put(values)
	p.kernel.RowTo(*values, x)
	sum := 0.0
	for i, v := range *values {
		sum += v * k.Coef.Data[i*k.Coef.Stride]
	}
	return sum
}
