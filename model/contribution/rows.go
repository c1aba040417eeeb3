package contribution

import (
	"fmt"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// Of returns the score of a row x of at most n features as parts; missing ones are zero. The cost
// is O(n log n) for model.Linear, O(nK + n log n) for model.Spline, O(bn + b log b) for model.Kernel
// and O(n + T log T) for model.Stumps. For a precomputed kernel x holds the kernel values with the training rows.
//
// It returns an error for a model of several outputs, of which Output selects one; for the
// normaliser query-minmax, which needs the rows of the query (see Rows); for model.Fourier, whose
// random features belong to no single feature; and for a score that is not finite. More than n
// features are a *fault.FeatureError.
func Of(m *model.Model, x []float64) (*Sum, error) {
	return alone(m, 1, x)
}

// Between returns the score of row a minus that of row b as parts: why a stands above or below b.
// Cost and errors are as for Of.
func Between(m *model.Model, a, b []float64) (*Sum, error) {
	return alone(m, 2, a, b)
}

// alone explains rows that come without a set.
func alone(m *model.Model, count int, rows ...[]float64) (*Sum, error) {
	if m.Normalizer != nil && m.Normalizer.Kind == data.NormalizeQueryMinMax {
		return nil, fmt.Errorf("the model normalises by query: explain a row together with the rows of its query")
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	x := data.NewDense(count, width, nil)
	for i, row := range rows {
		copy(x.Row(i), row)
	}
	return explain(m, &data.Set{X: x}, []int{0, 1}[:count])
}

// Row returns the score of row i of a set, counted from 0, as parts; the score equals that of Score
// but for the last bits. For the normaliser query-minmax the set must have all rows of the query.
// The cost is that of Of, for a sparse row with s non-zeros O(s log s) with model.Linear, and for
// query-minmax O(n) a row of the query. It returns the errors of Model.Score, for this row, and
// those of Of. It panics when i is not in [0,m).
func Row(m *model.Model, set *data.Set, i int) (*Sum, error) {
	return explain(m, set, []int{i})
}

// Rows returns the score of row i of a set minus that of row j as parts, with the same rules. The
// two may be in different queries: each is normalised in its query.
func Rows(m *model.Model, set *data.Set, i, j int) (*Sum, error) {
	return explain(m, set, []int{i, j})
}

// pair is one number of a row, or one of each of two rows, to be subtracted.
type pair [2]float64

// difference is the first number less the second, 0 of a single row.
func (p pair) difference() float64 { return p[0] - p[1] }

// question is one or two rows, as they are given and as a model takes them.
type question struct {
	model      *model.Model
	raw, taken data.Matrix
	count      int // of rows
	spare      []float64
}

func explain(m *model.Model, set *data.Set, rows []int) (*Sum, error) {
	if m.Scorer == nil {
		return nil, fmt.Errorf("the model has no scorer")
	}
	if v := m.Outputs(); v != 1 {
		return nil, fmt.Errorf("the model has %d outputs: choose the one to explain", v)
	}
	taken, err := m.Normalized(set, rows)
	if err != nil {
		return nil, err
	}
	raw := data.Widen(data.Select(set.X, rows), m.Features())
	if i, v := data.FirstNotFinite(raw); i >= 0 {
		return nil, fmt.Errorf("%s has the value %v, which cannot be explained", set.Called(rows[i]), v)
	}
	q := &question{model: m, raw: raw, taken: taken, count: len(rows)}
	switch s := m.Scorer.(type) {
	case *model.Linear:
		return q.linear(s)
	case *model.Stumps:
		return q.stumps(s)
	case *model.Spline:
		return q.spline(s)
	case *model.Kernel:
		return q.kernel(s)
	case *model.Fourier:
		return nil, fmt.Errorf("the model has random features (%s), each a wave over all features, so its scores "+
			"have no parts by feature: linear models, splines, stumps and support rows can be explained", s.Kernel)
	}
	panic(fmt.Sprintf("contribution: unknown scorer %T", m.Scorer))
}

// of returns the numbers of p, one or two, adjacent to those of others.
func (q *question) of(p pair) []float64 {
	const together = 128
	if len(q.spare) < q.count {
		q.spare = make([]float64, together)
	}
	out := q.spare[:q.count:q.count]
	q.spare = q.spare[q.count:]
	copy(out, p[:q.count])
	return out
}

// feature returns the part of feature j.
func (q *question) feature(j int, raw, taken pair) Part {
	p := Part{Number: j + q.model.Info.First(), Values: q.of(raw)}
	if q.model.Names != nil {
		p.Name = q.model.Names[j]
	}
	if norm := q.model.Normalizer; norm != nil && norm.Kind != data.NormalizeNone && norm.Kind != "" {
		p.Normalized = q.of(taken)
	}
	return p
}

// eachFeature calls f with the features that any of the rows stores, ascending, as they
// are given and as the model takes them.
func (q *question) eachFeature(f func(j int, raw, taken pair)) {
	if raw, sparse := q.raw.(*data.CSR); sparse {
		q.eachStored(raw, q.taken.(*data.CSR), f)
		return
	}
	raw, taken := q.raw.(*data.Dense), q.taken.(*data.Dense)
	for j := range raw.Cols {
		var a, b pair
		for i := range q.count {
			a[i], b[i] = raw.Row(i)[j], taken.Row(i)[j]
		}
		f(j, a, b)
	}
}

// eachStored is eachFeature of sparse rows, whose places normalising leaves as they are.
func (q *question) eachStored(raw, taken *data.CSR, f func(j int, raw, taken pair)) {
	var at [2]int
	for {
		next := int32(-1)
		for i := range q.count {
			if cols, _ := raw.Row(i); at[i] < len(cols) && (next < 0 || cols[at[i]] < next) {
				next = cols[at[i]]
			}
		}
		if next < 0 {
			return
		}
		var a, b pair
		for i := range q.count {
			cols, vals := raw.Row(i)
			if at[i] == len(cols) || cols[at[i]] != next {
				continue
			}
			_, normal := taken.Row(i)
			a[i], b[i] = vals[at[i]], normal[at[i]]
			at[i]++
		}
		f(int(next), a, b)
	}
}

func (q *question) linear(l *model.Linear) (*Sum, error) {
	c := NewCollector(Feature, 0)
	w := l.Weights.Row(0)
	var scores pair
	q.eachFeature(func(j int, raw, taken pair) {
		for i := range scores {
			scores[i] += w[j] * taken[i]
		}
		c.Add(w[j]*taken.difference(), func() Part {
			p := q.feature(j, raw, taken)
			p.Weight = w[j]
			return p
		})
	})
	return c.Sum(q.of(scores)...)
}

// spline has a part for each feature: also one that no row stores may be at a place where its curve is not 0.
func (q *question) spline(s *model.Spline) (*Sum, error) {
	q.raw, q.taken = data.ToDense(q.raw), data.ToDense(q.taken)
	c := NewCollector(Feature, 0)
	var scores pair
	q.eachFeature(func(j int, raw, taken pair) {
		curve := s.Curve(0, j)
		var at pair
		for i := range q.count {
			at[i] = curve.At(taken[i])
			scores[i] += at[i]
		}
		c.Add(at.difference(), func() Part {
			p := q.feature(j, raw, taken)
			p.Knots, p.Slopes = curve.Knots, slopes(curve)
			return p
		})
	})
	return c.Sum(q.of(scores)...)
}

// slopes are those of the pieces of a curve.
func slopes(c model.Curve) []float64 {
	of := []float64{c.Slope}
	for k, bend := range c.Bends {
		of = append(of, of[k]+bend)
	}
	return of
}

func (q *question) kernel(k *model.Kernel) (*Sum, error) {
	values := q.kernelValues(k)
	kind := SupportRow
	if k.Support == nil {
		kind = TrainingRow
	}
	c := NewCollector(kind, 0)
	var scores pair
	for i := range k.Coef.Rows {
		var v pair
		for r := range q.count {
			v[r] = values.Row(r)[i]
		}
		coef := k.Coef.Row(i)[0]
		for r := range scores {
			scores[r] += coef * v[r]
		}
		c.Add(coef*v.difference(), func() Part {
			p := Part{Number: i + 1, Weight: coef, Values: q.of(v)}
			if k.Support == nil {
				p.Number = k.SupportRows[i]
			}
			return p
		})
	}
	return c.Sum(q.of(scores)...)
}

// kernelValues are k(x_i, x) of the rows with the support rows.
func (q *question) kernelValues(k *model.Kernel) *data.Dense {
	if k.Support != nil {
		return kernel.Matrix(k.Kernel, q.taken, k.Support)
	}
	values := data.NewDense(q.count, len(k.SupportRows), nil)
	_, n := q.taken.Dims()
	whole := make([]float64, n)
	for r := range q.count {
		q.taken.RowTo(whole, r)
		for i, row := range k.SupportRows {
			values.Row(r)[i] = whole[row-1]
		}
	}
	return values
}
