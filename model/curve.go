package model

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/gaps"
	"pairrank/internal/modelfile"
	"pairrank/internal/parallel"
)

// Curve is what a feature adds to a score, linear between its knots: Slope·x + Σ_k Bends_k (x − Knots_k)₊, for the
// normalised value x of the feature.
type Curve struct {
	Slope        float64
	Knots, Bends []float64
}

// At is the value of the curve, in O(K).
func (c Curve) At(x float64) float64 {
	y := c.Slope * x
	for k, t := range c.Knots {
		y += c.Bends[k] * max(x-t, 0)
	}
	return y
}

// Curve returns the curve of feature j of an output, both from 0, in O(K). A score is the sum of the curves.
func (s *Spline) Curve(output, j int) Curve {
	slope, bends := s.Map.Slopes(s.Weights.Row(output), j)
	return Curve{slope, s.Map.Knots(j), bends}
}

// Deciles is the number of values that Describe keeps of a feature: the least, the deciles and the largest.
const Deciles = 11

// rugRows is how many rows the deciles are taken from, evenly: they are for drawing.
const rugRows = 1 << 12

// Describe keeps what the m rows of training, normalised, say of the curves: a line a feature in Seen. Its first
// numbers are the least value, the nine deciles and the largest value, the deciles of at most 2¹² rows at even
// distances; then follow for each output the mean and the standard deviation (the root of the mean square) of the
// curve over the rows. Weights may be nil; a row of weight 0 counts as absent. It costs O(mnK).
//
// Levels are features whose missing values have a level, as of kernel.NewSplineMap: their deciles are those of the rows
// where they are there. The mean and the deviation are those of the curve and the level together, and the level itself
// has 0 for both.
func (s *Spline) Describe(x data.Matrix, weights []float64, levels ...int) {
	m, cols := x.Dims()
	n, outputs := s.shape()
	if cols > n || weights != nil && len(weights) != m {
		panic(fmt.Sprintf("model: Spline.Describe: %d×%d with %d weights for %d features", m, cols, len(weights), n))
	}
	dense := data.ToDense(data.Widen(x, n))
	seen := data.NewDense(n, Deciles+2*outputs, nil)
	s.Seen = seen
	some, of := counted(m, weights)
	if len(some) == 0 {
		return
	}
	gaps := gaps.Of(dense, levels, weights)
	const near, together = 4, 64 // columns, which share lines of the cache, and rows of them
	memory := make([][near + 1][]float64, parallel.Workers())
	parallel.Chunks(n, near, func(worker, lo, hi int) {
		columns, adds := memory[worker][:hi-lo], &memory[worker][near]
		for c := range columns {
			columns[c] = slices.Grow(columns[c][:0], m)
		}
		for rows := range slices.Chunk(some, together) {
			for c, column := range columns {
				missing := gaps[lo+c]
				for _, i := range rows {
					if missing == nil || !missing[i] {
						column = append(column, dense.Data[i*dense.Stride+lo+c])
					}
				}
				columns[c] = column
			}
		}
		for c, values := range columns {
			row, j := seen.Row(lo+c), lo+c
			for o := range outputs {
				if *adds = (*adds)[:0]; gaps[j] != nil {
					*adds = s.adds(*adds, o, j, dense, some, levels, gaps[j])
				} else if *adds = s.Curve(o, j).adds(*adds, values); j >= n-len(levels) {
					break // a level, which its feature has
				}
				row[Deciles+2*o], row[Deciles+2*o+1] = spread(*adds, of)
			}
			deciles(row[:Deciles], values)
		}
	})
}

// counted are the rows of a weight above 0, and their weights; nil where each is 1.
func counted(m int, weights []float64) (rows []int, of []float64) {
	for i := range m {
		if weights == nil {
			rows = append(rows, i)
		} else if weights[i] > 0 {
			rows, of = append(rows, i), append(of, weights[i])
		}
	}
	return rows, of
}

// adds appends the curve at some values, knot by knot.
func (c Curve) adds(to, values []float64) []float64 {
	from := len(to)
	for _, v := range values {
		to = append(to, c.Slope*v)
	}
	for k, t := range c.Knots {
		bend := c.Bends[k]
		for i, y := range to[from:] {
			to[from+i] = y + bend*max(values[i]-t, 0)
		}
	}
	return to
}

// adds appends what feature j with a level adds to an output in some rows: its curve, and its level where it is
// missing.
func (s *Spline) adds(to []float64, output, j int, x *data.Dense, some, levels []int, missing []bool) []float64 {
	c, level := s.Curve(output, j), s.Map.Inputs()-len(levels)+slices.Index(levels, j)
	slope, least := s.Curve(output, level).Slope, x.Row(slices.Index(missing, false))[level]
	for _, i := range some {
		to = append(to, c.At(x.Row(i)[j])+slope*(x.Row(i)[level]-least))
	}
	return to
}

// spread is the mean and the standard deviation of some numbers of some weights, of which there are none where each is
// 1.
func spread(adds, weights []float64) (mean, sd float64) {
	sum, squares, total, first := 0.0, 0.0, 0.0, adds[0]
	for i, y := range adds {
		w := 1.0
		if len(weights) > 0 {
			w = weights[i]
		}
		sum, total = sum+w*(y-first), total+w
	}
	mean = first + sum/total
	for i, y := range adds {
		w := 1.0
		if len(weights) > 0 {
			w = weights[i]
		}
		squares += w * ((y - mean) * (y - mean))
	}
	return mean, math.Sqrt(squares / total)
}

// deciles sets dst to the least, the deciles and the largest of some values, which it reorders.
func deciles(dst, values []float64) {
	last := len(dst) - 1
	dst[0], dst[last] = slices.Min(values), slices.Max(values)
	step := 1 + (len(values)-1)/rugRows
	few := values[:0]
	for i := 0; i < len(values); i += step {
		few = append(few, values[i])
	}
	slices.Sort(few)
	for q := 1; q < last; q++ {
		dst[q] = few[q*(len(few)-1)/last]
	}
}

// Factor returns the column of texts of which feature j, from 0, is a level, and the level; "" where it is none. The
// cost is O(1) after the first call.
func (m *Model) Factor(j int) (column, level string) {
	m.factors.once.Do(func() { m.factors.find(m) })
	f := &m.factors
	if f.of == nil || f.of[j] < 0 {
		return "", ""
	}
	return f.all[f.of[j]].Column, f.level(m, j)
}

// output is the curves of one output.
func (s *Spline) output(o int) *Spline {
	one := &Spline{Map: s.Map, Weights: data.Slice(s.Weights, o, o+1).(*data.Dense)}
	if s.Seen != nil {
		one.Seen = data.NewDense(s.Seen.Rows, Deciles+2, nil)
		for j := range s.Seen.Rows {
			row := s.Seen.Row(j)
			copy(one.Seen.Row(j), append(row[:Deciles:Deciles], row[Deciles+2*o:Deciles+2*o+2]...))
		}
	}
	return one
}

// curves reads the knots, or what Describe found.
func (b *builder) curves(r *modelfile.Reader, key string) error {
	if key == "knots" {
		return b.knots(r)
	}
	err := r.Need("knots", "weights")
	if err == nil {
		b.bent.Seen, err = r.Dense(b.n, Deciles+2*b.v)
	}
	return err
}
