package greedy

import (
	"fmt"
	"math"
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// columns are the features of a problem, each a column of m numbers, with the rows of a query next to each other.
type columns struct {
	p      Problem
	m, n   int
	order  []int32   // the row at each place
	y      []float64 // labels by place, centred within each query unless regression
	x      []float64 // n columns by place, centred in the same way
	norm   []float64 // of each column under L
	normY  float64   // of the labels under L
	mass   []float64 // the weights a of the rows by place, nil where each is 1
	weight []float64 // w_q s_q of each query, s_q = Σa: L = blockdiag(weight (A − aaᵀ/s_q)), A the diagonal of a
	bounds []int     // of the queries in places
	units  []unit    // features that may be selected, ascending
	most   []float64 // the largest entry of each column
	few    FewFeaturesError

	perfect float64 // the largest loss that is rounding of a perfect fit
}

// unit is a feature that comes in or leaves: its number, and its columns or their positions in a state.
type unit struct {
	feature int
	columns []int
}

// relativeRounding is the assumed rounding of a product, relative to the norms of its factors: 2⁻⁴⁰, which allows
// twelve bits to be lost. A feature whose part beyond the baseline is smaller is determined by the baseline.
const relativeRounding = 0x1p-40

func newColumns(p Problem) (*columns, error) {
	m, n := p.X.Dims()
	c := &columns{p: p, m: m, n: n, order: p.Queries.Rows, bounds: p.Queries.Bounds,
		y: make([]float64, m), x: make([]float64, m*n), norm: make([]float64, n), most: make([]float64, n)}
	row := make([]float64, n)
	for a, i := range c.order {
		if c.y[a] = p.Y[i]; p.Weights != nil {
			c.mass = append(c.mass, p.Weights[i])
		}
		p.X.RowTo(row, int(i))
		for j, v := range row {
			c.x[j*m+a] = v
		}
	}
	for q := range p.Queries.Len() {
		c.weight = append(c.weight, c.weightOf(c.bounds[q], c.bounds[q+1]))
	}
	constant := make([]bool, n)
	parallel.Chunks(n, 16, func(_, lo, hi int) {
		for j := lo; j < hi; j++ {
			constant[j] = c.constant(c.column(j))
			c.centre(c.column(j))
			c.norm[j] = math.Sqrt(c.product(c.column(j)))
			c.most[j] = max(slices.Max(c.column(j)), -slices.Min(c.column(j)))
		}
	})
	c.centre(c.y)
	c.normY = math.Sqrt(c.product(c.y))
	const perfect = 0x1p-60 // of the mean square of the labels
	c.perfect = perfect * linalg.Dot(c.y, c.y) / float64(c.m)
	for f := range p.features() {
		u := unit{feature: f}
		for _, j := range p.columns(f) {
			switch {
			case math.IsInf(c.norm[j], 0) || math.IsNaN(c.norm[j]):
				return nil, fmt.Errorf("the squares of %s overflow: divide it by a power of ten", p.name(f))
			case !constant[j] && c.norm[j] != 0:
				u.columns = append(u.columns, j)
			}
		}
		switch {
		case slices.Contains(p.Baseline, f):
		case u.columns == nil:
			if c.few.Constant++; c.few.Constant == 1 {
				c.few.First = p.name(f)
			}
		default:
			c.units = append(c.units, u)
		}
	}
	return c, nil
}

// features is the number of features.
func (p *Problem) features() int {
	if p.Groups != nil {
		return len(p.Groups)
	}
	_, n := p.X.Dims()
	return n
}

// columns are those of a feature.
func (p *Problem) columns(feature int) []int {
	if p.Groups != nil {
		return p.Groups[feature]
	}
	return []int{feature}
}

// columnsOf are the columns, or positions, of units.
func columnsOf(units []unit) (all []int) {
	for _, u := range units {
		all = append(all, u.columns...)
	}
	return all
}

// weightOf is w_q s_q of the query in places from lo to hi.
func (c *columns) weightOf(lo, hi int) float64 {
	if c.mass == nil || c.p.Regression || c.p.Weight == pref.Size {
		return weightOf(c.p, hi-lo)
	}
	sum, pairs := 0.0, 0.0
	for _, a := range c.mass[lo:hi] {
		pairs, sum = pairs+sum*a, sum+a
	}
	switch {
	case hi-lo < 2:
		return 0
	case c.p.Weight == pref.Edges:
		return sum / pairs
	}
	return sum
}

// massOf is the weight of the row at a place.
func (c *columns) massOf(a int) float64 { return goals.WeightOf(c.mass, int32(a)) }

// weigh multiplies a column by the weights of the rows.
func (c *columns) weigh(v []float64) {
	for a, w := range c.mass {
		v[a] *= w
	}
}

// weightOf is w_q m_q of a query of h rows; 1 for regression, and 0 if it has no pairs.
func weightOf(p Problem, h int) float64 {
	switch {
	case p.Regression:
		return 1
	case h < 2:
		return 0
	case p.Weight == pref.Size:
		return 1
	case p.Weight == pref.Edges:
		return 2 / float64(h-1)
	}
	return float64(h)
}

func (c *columns) column(j int) []float64 { return c.x[j*c.m : (j+1)*c.m] }

// query is the part of a column of a query.
func (c *columns) query(v []float64, q int) []float64 { return v[c.bounds[q]:c.bounds[q+1]] }

// constant reports whether a column changes no difference within a query, or for regression is 0.
func (c *columns) constant(v []float64) bool {
	if c.p.Regression {
		return !slices.ContainsFunc(v, func(f float64) bool { return f != 0 })
	}
	for q := range c.weight {
		part := c.query(v, q)
		if slices.ContainsFunc(part, func(f float64) bool { return f != part[0] }) {
			return false
		}
	}
	return true
}

// centre subtracts the mean of each query, unless regression.
func (c *columns) centre(v []float64) {
	if c.p.Regression {
		return
	}
	for q := range c.weight {
		part := c.query(v, q)
		if len(part) == 0 {
			continue
		}
		if !slices.ContainsFunc(part, func(f float64) bool { return f != part[0] }) {
			clear(part) // exactly
			continue
		}
		mean := linalg.Sum(part) / float64(len(part))
		if c.mass != nil {
			mass := c.query(c.mass, q)
			mean = linalg.Dot(part, mass) / linalg.Sum(mass)
		}
		for a := range part {
			part[a] -= mean
		}
	}
}

// product is vᵀLv of a centred column.
func (c *columns) product(v []float64) float64 {
	sum := 0.0
	if c.mass != nil {
		to := make([]float64, c.m)
		c.timesTo(to, v)
		return linalg.Dot(to, v)
	}
	for q, w := range c.weight {
		part := c.query(v, q)
		sum += w * linalg.Dot(part, part)
	}
	return sum
}

// timesTo sets dst to Lv of a centred column.
func (c *columns) timesTo(dst, v []float64) {
	for q, w := range c.weight {
		from, to := c.query(v, q), c.query(dst, q)
		for a := range from {
			to[a] = w * from[a]
		}
	}
	c.weigh(dst)
}

// loss is a mean of squared differences of labels and scores, 0 if it is rounding of a perfect fit.
func (c *columns) loss(mean float64) float64 {
	if mean <= c.perfect {
		return 0
	}
	return mean
}
