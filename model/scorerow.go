package model

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/kernel"
)

// ScoreRow returns the score of a row of n features, normalised as the training rows were: that of
// Score, but for the last bits. The cost is O(n) for Linear, O(bn) for Kernel, O(nD) for Fourier
// and O(T) for Stumps of T terms. It runs on the caller's goroutine and allocates nothing after the
// first call. It is safe for concurrent use.
//
// It panics when len(x) ≠ n, for a model of several outputs, and for the normaliser query-minmax,
// which needs the other rows of the query.
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
	coef   *data.Dense // 1×b, side by side
	values sync.Pool   // *[]float64, kernel values with the support rows
}

func (k *Kernel) scoreRow(p *prepared, x []float64) float64 {
	if k.Support == nil {
		sum := 0.0
		for i, row := range k.SupportRows {
			sum += k.Coef.Row(i)[0] * x[row-1]
		}
		return sum
	}
	p.once.Do(func() { p.prepare(k) })
	values := p.values.Get().(*[]float64)
	defer p.values.Put(values)
	p.kernel.RowTo(*values, x)
	return p.coef.DotRow(0, *values)
}

func (p *prepared) prepare(k *Kernel) {
	p.kernel = kernel.Prepare(k.Kernel, k.Support)
	b := k.Coef.Rows
	p.coef = data.NewDense(1, b, nil)
	for i := range b {
		p.coef.Data[i] = k.Coef.Row(i)[0]
	}
	p.values.New = func() any { values := make([]float64, b); return &values }
}

// fewRows is how many rows are scored one by one rather than as a matrix: to make the
// support rows ready for a product takes as long as some tens of rows by themselves.
const fewRows = 16

// scoreFew sets dst to the scores of a few dense rows by a kernel with support rows, with the data
// kept for single rows. It reports whether it could. The bytes are those of ScoreTo, to which it leaves
// kernels of up to four support rows, whose products Gemm adds up in another order.
func (m *Model) scoreFew(dst []float64, x data.Matrix) bool {
	rows, dense := x.(*data.Dense)
	k, is := m.Scorer.(*Kernel)
	const few = 4
	if !dense || !is || rows.Rows > fewRows || k.Support == nil || k.Coef.Cols != 1 || k.Coef.Rows <= few {
		return false
	}
	for i := range dst {
		dst[i] = k.scoreRow(&m.row, rows.Row(i))
	}
	return true
}
