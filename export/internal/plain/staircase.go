package plain

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/model"
)

// MostSteps is how many steps a curve has at most, a tree of depth 6.
const MostSteps = 64

// Staircase is a model whose curves are steps.
type Staircase struct {
	Steps
	Worst float64 // the largest difference of a curve and its steps at a value of the rows
	At    int     // the feature of that curve
}

// NewStaircase makes each curve of a linear model or a spline at most 64 steps between the values of its feature in
// rows, as programs hold them that read features in single precision: no value lies between two steps. A step is the
// mean of the curve over the rows on it. Thresholds stand where the largest Σ (curve − step)² over the rows of one step
// is least: the optimal quantiser has the same sum on all (Panter and Dite 1951, Quantization distortion in pulse-count
// modulation with nonuniform spacing of levels). The steps lack a constant, and beyond the values of the rows the
// outermost go on. Labels are not used. It costs O(nm log m) and a copy of the rows. It returns a *fault.RefusedError
// where NewCurves does and for values beyond single precision.
func NewStaircase(target string, m *model.Model, x data.Matrix) (*Staircase, error) {
	l, err := NewCurves(target, m)
	if err != nil {
		return nil, err
	}
	n := len(l.Weights)
	if m, _ := x.Dims(); m == 0 {
		return nil, refuse(target, "steps between the values of no rows", "give rows, such as those of the training")
	}
	columns, terms, errors := Single(x), make([][]model.Stump, n), make([]float64, n)
	parallel.For(n, func(_, j int) {
		terms[j], errors[j] = l.staircase(j, columns)
	})
	s := &Staircase{Steps: Steps{Names: l.Names, Features: n, Terms: slices.Concat(terms...), Missing: l.Missing}}
	for j, e := range errors {
		if math.IsInf(e, 0) || e != e {
			return nil, refuse(target, fmt.Sprintf("values of feature %d beyond single precision", j+1),
				"scale the feature before training")
		}
		if e > s.Worst {
			s.Worst, s.At = e, j
		}
	}
	return s, nil
}

// point is a value of a feature in single precision, how many rows have it, and the curve there.
type point struct {
	x    float32
	rows float64
	y    float64
}

// staircase is the steps of feature j, and the largest difference at its values.
func (l *Linear) staircase(j int, x *data.Dense) (terms []model.Stump, worst float64) {
	c := l.curve(j)
	if c.Slope == 0 && len(c.Bends) == 0 {
		return nil, 0
	}
	points := l.points(j, c, x)
	ends := cuts(points, MostSteps)
	level := 0.0
	for k, lo := range ends[:len(ends)-1] {
		step, sum, rows := points[lo:ends[k+1]], 0.0, 0.0
		for _, p := range step {
			sum, rows = sum+p.rows*(p.y-step[0].y), rows+p.rows
		}
		next := step[0].y + sum/rows
		for _, p := range step {
			worst = max(worst, math.Abs(p.y-next))
		}
		if k > 0 {
			at := between(points[lo-1].x, step[0].x)
			terms = append(terms, model.Stump{Feature: j, Threshold: at, Weight: next - level})
		}
		level = next
	}
	return terms, worst
}

// points are the values of feature j, ascending, with those of its curve.
func (l *Linear) points(j int, c model.Curve, x *data.Dense) (points []point) {
	values := make([]float32, x.Rows)
	for i := range values {
		if j < x.Cols {
			values[i] = float32(x.Row(i)[j])
		}
	}
	slices.Sort(values)
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			z := float64(v)
			if l.Scale != nil {
				z = (z - l.Shift[j]) * l.Scale[j]
			}
			points = append(points, point{v, 0, c.At(z)})
		}
		points[len(points)-1].rows++
	}
	return points
}

// curve is what feature j, normalised, adds to a score.
func (l *Linear) curve(j int) model.Curve {
	before := func(b Bend, j int) int { return cmp.Compare(b.Feature, j) }
	lo, _ := slices.BinarySearchFunc(l.Bends, j, before)
	c := model.Curve{Slope: l.Weights[j]}
	for _, b := range l.Bends[lo:] {
		if b.Feature != j {
			break
		}
		c.Knots, c.Bends = append(c.Knots, b.Knot), append(c.Bends, b.Weight)
	}
	return c
}

// Single is rows as programs hold them that read features in single precision.
func Single(x data.Matrix) *data.Dense {
	rows, cols := x.Dims()
	s := data.NewDense(rows, cols, nil)
	for i := range rows {
		row := s.Row(i)
		x.RowTo(row, i)
		for j, v := range row {
			row[j] = float64(float32(v))
		}
	}
	return s
}

// cuts are where the steps begin, and the number of points: the fewest steps with no larger sum of squares than bound,
// for the least bound, up to precision of itself, with at most so many steps.
func cuts(points []point, most int) []int {
	const precision = 1e-6
	best := cutsWithin(points, 0)
	if len(best)-1 <= most {
		return best
	}
	lo, hi := 0.0, 0.0
	for _, p := range points {
		hi += p.rows * (p.y - points[0].y) * (p.y - points[0].y)
	}
	hi *= 2 // so that rounding leaves it enough for one step
	for best = cutsWithin(points, hi); hi-lo > precision*hi; {
		mid := lo + (hi-lo)/2
		if ends := cutsWithin(points, mid); len(ends)-1 <= most {
			hi, best = mid, ends
		} else {
			lo = mid
		}
	}
	return best
}

// cutsWithin takes points into a step as long as its sum of squares is within bound: since points never make it
// smaller, there is no way with fewer steps.
func cutsWithin(points []point, bound float64) []int {
	ends := []int{0}
	var rows, mean, squares float64
	for k, p := range points {
		off, all := p.y-mean, rows+p.rows
		if more := squares + off*off*rows*p.rows/all; k > 0 && more > bound {
			ends = append(ends, k)
			rows, mean, squares = p.rows, p.y, 0
		} else {
			rows, mean, squares = all, mean+off*p.rows/all, more
		}
	}
	return append(ends, len(points))
}

// between is a number of single precision that is at least a and below b, in the middle where it can be.
func between(a, b float32) float64 {
	if mid := float32((float64(a) + float64(b)) / 2); mid < b {
		return float64(mid)
	}
	return float64(a)
}
