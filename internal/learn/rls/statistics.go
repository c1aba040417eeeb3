package rls

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/pref"
)

// Statistics holds the sums over queries from which least squares trains,
//
//	A = Σ_q X_qᵀ L_q X_q    B = Σ_q X_qᵀ r_q    c = Σ_q Σ w_ij target_ij²
//
// with the counts of rows, queries and pairs, separately for each fold of the queries. The data
// need not be in memory, nor on one machine (Pahikkala et al. 2009, sections 2.3 to 3.1: the primal
// solution depends on the data only through XᵀLX and Xᵀr, and L has no entry between queries).
// Solve and Factor train from the sums as from the rows. HeldOut returns the loss on each fold of
// the function trained on the other folds.
//
// The features of a query are centred and multiplied in pieces of 216 rows, rounded as any product;
// the products are then added as double words of two float64. So the product of a query has the
// same bits whatever the other queries are, dense or sparse, on any number of threads, and on any
// machine with the same kernel of internal/linalg. The sum of N products is off by at most about 2N
// u² of the largest sum so far, for u = 2⁻⁵³. Subtracting a query removes it up to this error:
// 1e-22 of the largest sum after 10⁹ queries, and 1e-27 after fewer than 10⁴.
//
// The sums take 8(n+v)² bytes a fold for n features and v outputs. Rows that wait to be multiplied
// take up to 16 MB. Statistics is not safe for concurrent use, and its argument in Merge or
// Subtract must not be in use either. The zero value is for UnmarshalBinary.
type Statistics struct {
	options  StatisticsOptions
	features int
	folds    []foldSums
	pending  pending
	mean     []float64
	apart    *Statistics // for the sums of single queries, nil before the first
}

// StatisticsOptions say what Statistics sums. Two Statistics can be merged only if their options
// are equal.
type StatisticsOptions struct {
	// Outputs is v, the number of labels of a row; 0 is 1.
	Outputs int
	// Regression sums for plain least squares, where rows are not compared.
	Regression bool
	// Pairs are the pairs of a query and their targets; zero with Regression.
	Pairs pref.Options
	// Times says that labels are times, −t of a row that is censored at t, also −0.
	Times bool
	// Weights says that rows have weights: a pair counts the product of two, as in goals.WeightedScored.
	Weights bool
	// Folds is the number of folds; 0 is 1.
	Folds int
}

// Resolved returns o with its defaults filled in. It returns an error for options that
// are unknown, out of range or exclude each other.
func (o StatisticsOptions) Resolved() (StatisticsOptions, error) {
	o.Outputs, o.Folds = cmp.Or(o.Outputs, 1), cmp.Or(o.Folds, 1)
	switch {
	case o.Outputs < 0 || o.Folds < 0 || o.Outputs > math.MaxInt32 || o.Folds > math.MaxInt32:
		return o, fmt.Errorf("%d outputs and %d folds: there is at least one of each, and at most %d",
			o.Outputs, o.Folds, math.MaxInt32)
	case o.Regression && o.Pairs != pref.Options{}:
		return o, fmt.Errorf("regression compares no pairs: leave their options out")
	case o.Regression && o.Times:
		return o, errors.New("regression fits the label of each row, and of a censored time only a bound is known")
	case o.Regression:
		return o, nil
	}
	resolved := o.Pairs.Resolved
	if o.Times {
		resolved = func() (pref.Options, error) { return goals.ResolvedOfTimes(o.Pairs) }
	}
	var err error
	if o.Pairs, err = resolved(); err != nil {
		return o, err
	}
	return o, goals.CheckOutputs(o.Pairs, o.Outputs)
}

// NewStatistics returns Statistics of no query. It returns an error for options that are unknown,
// out of range or exclude each other.
func NewStatistics(o StatisticsOptions) (*Statistics, error) {
	o, err := o.Resolved()
	if err != nil {
		return nil, err
	}
	return newStatistics(o), nil
}

func newStatistics(o StatisticsOptions) *Statistics {
	m := &Statistics{options: o, folds: make([]foldSums, o.Folds)}
	for f := range m.folds {
		m.folds[f] = newFoldSums(o.Outputs, o.Weights)
	}
	return m
}

// Options returns the options, with their defaults filled in.
func (m *Statistics) Options() StatisticsOptions { return m.options }

// Features returns n, the width of the widest query.
func (m *Statistics) Features() int { return m.features }

// Rows returns the number of rows that were added.
func (m *Statistics) Rows() int64 { return m.counts()[countRows] }

// Queries returns the number of queries that were added.
func (m *Statistics) Queries() int64 { return m.counts()[countQueries] }

// Pairs returns the number of pairs that are compared; 0 for regression.
func (m *Statistics) Pairs() int64 { return m.counts()[countPairs] }

// largestNumber bounds the numbers that are multiplied, so that their products, and sums of as many
// as can be counted, are finite.
const largestNumber = 0x1p470

// Add adds a query, rows x, m_q×n', dense or sparse, with labels y, m_q×v row-major, to a fold,
// numbered from 0. n' may differ between queries; features that a query lacks are 0. A query whose
// labels are all equal adds its tied pairs where ties are compared, and no other information.
// weights are those of the rows, finite and above 0; nil unless the options say that rows have some.
//
// It costs O(m_q n'²), and O(m_q² n') more for the relative cost. Adding the product takes O(n'²)
// per query, as long as about 20 rows.
//
// It returns an error, and does not change the statistics, for a feature or label that is not
// finite, or so large that products with the weights of the pairs, beyond 2⁴⁷⁰ each, might
// overflow. It panics where y or weights do not fit x, x has no rows, or there is no such fold.
func (m *Statistics) Add(x data.Matrix, y, weights []float64, fold int) error {
	data.Check("rls: Statistics.Add: x", x)
	size, n := x.Dims()
	v := m.options.Outputs
	if len(y) != size*v || size == 0 {
		panic(fmt.Sprintf("rls: a query of %d rows and %d labels of %d outputs", size, len(y), v))
	}
	if m.options.Weights != (weights != nil) || weights != nil && len(weights) != size {
		panic(fmt.Sprintf("rls: a query of %d rows and %d weights, of statistics with weights: %v", size, len(weights),
			m.options.Weights))
	}
	if fold < 0 || fold >= len(m.folds) {
		panic(fmt.Sprintf("rls: fold %d of %d", fold, len(m.folds)))
	}
	goal, err := m.goal(y, weights)
	if err != nil {
		return err
	}
	squares, err := checkQuery(x, goal)
	if err != nil {
		return err
	}
	counts := countsOf(goal)
	if !m.fits(counts) {
		return errTooMany
	}
	s := &m.folds[fold]
	for i, n := range counts {
		s.counts[i] += n
	}
	s.size.addFloats(append([]float64{squares}, massOf(weights)...))
	s.constant.addFloats(goal.Constants)
	s.products.grow(triangle(v + n))
	m.features = max(m.features, n)
	if n > 0 {
		m.addRows(x, goal, fold)
	}
	return nil
}

// countsOf are the counts of one query.
func countsOf(goal *goals.Goal) []int64 {
	counts := make([]int64, countInformed+goal.Outputs)
	counts[countRows], counts[countQueries], counts[countPairs] = int64(goal.L.Dim()), 1, int64(goal.Pairs)
	for c := range goal.Outputs {
		for p := range goal.L.Components().Len() {
			if goal.Informs(p, c) {
				counts[countInformed+c]++
			}
		}
	}
	return counts
}

var errTooMany = fmt.Errorf("there are more rows or pairs than can be counted, %d", int64(math.MaxInt64))

// fits reports whether counts can be added to those of all folds.
func (m *Statistics) fits(counts []int64) bool {
	for i, n := range m.counts() {
		if counts[i] > math.MaxInt64-n {
			return false
		}
	}
	return true
}

// counts are those of all folds.
func (m *Statistics) counts() []int64 {
	sum := make([]int64, countInformed+m.options.Outputs)
	for f := range m.folds {
		for i, n := range m.folds[f].counts {
			sum[i] += n
		}
	}
	return sum
}

// massOf is the sum of weights, and the number of those that are not 1; nil of nil.
func massOf(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	mass := make([]float64, 2)
	for _, w := range weights {
		if mass[0] += w; w != 1 {
			mass[1]++
		}
	}
	return mass
}

func (m *Statistics) goal(y, weights []float64) (*goals.Goal, error) {
	for i, label := range y {
		if math.IsNaN(label) || math.IsInf(label, 0) {
			return nil, fmt.Errorf("row %d has label %v: labels are finite", i/m.options.Outputs+1, label)
		}
	}
	switch {
	case m.options.Regression:
		return goals.WeightedRegression(y, m.options.Outputs, weights), nil
	case m.options.Times:
		return goals.TimesSummand(y, weights, m.options.Pairs)
	}
	return goals.Summand(y, m.options.Outputs, weights, m.options.Pairs)
}

// checkQuery returns Σ L_ii ‖x_i‖², and an error where products of the rows with the
// weights may overflow.
func checkQuery(x data.Matrix, goal *goals.Goal) (size float64, err error) {
	weights := goals.Diagonal(goal.L)
	longest, heaviest := 0.0, 1.0
	for i, w := range weights {
		square := squaredNorm(x, i)
		if !(square <= largestNumber*largestNumber) {
			if row, value := data.FirstNotFinite(data.Slice(x, i, i+1)); row == 0 {
				return 0, fmt.Errorf("row %d has a feature of value %v: features are finite", i+1, value)
			}
			return 0, fmt.Errorf("row %d has features too large to be multiplied, of norm %.3g: scale them",
				i+1, math.Sqrt(square))
		}
		longest, heaviest = max(longest, square), max(heaviest, w)
		if a := goal.RowWeights; a != nil {
			heaviest = max(heaviest, a[i]*a[i])
		}
		size += w * square
	}
	// A weighted row is at most m_q times the sum of two rows, times its weight.
	if most := 2 * float64(len(weights)) * heaviest * math.Sqrt(longest); !(most <= largestNumber) {
		return 0, fmt.Errorf("features of norm up to %.3g, where rows weigh up to %.3g, are too large to be "+
			"multiplied: scale features and labels", math.Sqrt(longest), heaviest)
	}
	for i, r := range goal.R {
		w := weights[i/goal.Outputs]
		if w > 0 && !(math.Abs(r) <= largestNumber && math.Abs(r/math.Sqrt(w)) <= largestNumber) {
			return 0, fmt.Errorf("row %d has labels too large to be multiplied: scale them", i/goal.Outputs+1)
		}
	}
	for _, c := range goal.Constants {
		if !(c <= largestNumber*largestNumber) {
			return 0, fmt.Errorf("the labels are too large to be multiplied: scale them")
		}
	}
	return size, nil
}

// squaredNorm is ‖x_i‖², with the same bits for a sparse row and for a row with more zeros: it sums
// the squares of every fourth feature separately.
func squaredNorm(x data.Matrix, i int) float64 {
	var sum [4]float64
	dense, ok := x.(*data.Dense)
	if !ok {
		data.Each(x, i, func(j int, v float64) { sum[j%4] += v * v })
		return (sum[0] + sum[1]) + (sum[2] + sum[3])
	}
	row := dense.Row(i)
	s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
	for ; len(row) >= 4; row = row[4:] {
		s0 += row[0] * row[0]
		s1 += row[1] * row[1]
		s2 += row[2] * row[2]
		s3 += row[3] * row[3]
	}
	sum = [4]float64{s0, s1, s2, s3}
	for j, v := range row {
		sum[j] += v * v
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3])
}

// addRows multiplies the rows, or lets them wait for more rows.
func (m *Statistics) addRows(x data.Matrix, goal *goals.Goal, fold int) {
	d := newDesign(x, goal)
	q := &queryPanels{m: m, fold: fold, columns: goal.Outputs + d.k, left: len(goal.R) / goal.Outputs}
	if d.blocks == nil {
		q.addGeneral(d)
		return
	}
	if classes, _ := d.blocks.Classes(); classes != nil {
		q.left += classes.Len()
	}
	if cap(m.mean) < d.k {
		m.mean = make([]float64, d.k)
	}
	q.s = &accumulator{d: d, rows: reader{x: d.x}, to: q, mean: m.mean[:d.k], alone: true}
	q.reserve()
	for p := range d.blocks.Components().Len() {
		q.s.add(p)
	}
	q.s.addPanel()
}

// queryPanels takes the panels of one query.
type queryPanels struct {
	m             *Statistics
	s             *accumulator
	fold, columns int
	left          int // rows that are still to come, at most
}

// reserve makes room for the next panel.
func (q *queryPanels) reserve() {
	v := q.m.options.Outputs
	panel := q.m.reserve(min(q.left, pieceRows), q.columns)
	q.s.panel, q.s.target = panel.Slice(0, panel.Rows, v, q.columns), panel.Slice(0, panel.Rows, 0, v)
}

func (q *queryPanels) addPanel(z, _ linalg.Mat) {
	q.m.pending.take(z.Rows, q.columns, q.fold, false)
	if q.left -= z.Rows; q.left > 0 {
		q.reserve()
	}
}

// addGeneral adds LX and X of a Laplacian without block structure.
func (q *queryPanels) addGeneral(d *design) {
	v := d.goal.Outputs
	h := d.goal.L.Components().Rows
	x, lx := d.generalRows(h)
	for lo := 0; lo < len(h); lo += pieceRows {
		rows := min(pieceRows, len(h)-lo)
		both := q.m.reserve(2*rows, q.columns)
		for a := range rows {
			r := d.linearTerm(int(h[lo+a]))
			left, right := both.Row(a), both.Row(rows+a)
			copy(left, r)
			copy(right, r)
			copy(left[v:], lx.Row(lo+a))
			copy(right[v:], x.Row(lo+a))
		}
		q.m.pending.take(2*rows, q.columns, q.fold, true)
	}
}
