package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/knots"
	"pairrank/internal/parallel"
)

// SplineMap makes the features of a Spline: the n features x_j of a row, then for each feature in turn its hinges
// (x_j − t_jk)₊/√Bends, k ascending. It is immutable.
type SplineMap struct {
	kernel Spline
	knots  [][]float64 // of each feature, ascending
	first  []int       // the column of the first hinge of each feature, and the number of columns
	scale  float64     // 1/√Bends
}

// NewSplineMap takes knots from the m rows of x, the k/(K+1) quantiles of each feature, k from 1 to its K: the smallest
// value that rows of at least the share k/(K+1) of the weight do not exceed. Equal knots are one. A knot lies above the
// least value and below the largest, where its hinge is neither a straight line nor 0 on all rows; so constant and
// two-valued features have none. Weights may be nil; a row of weight 0 counts as absent. So does for a feature with a
// level of missing values, see data.Set.GiveLevels, a row where it is missing: levels are these features, and the last
// columns of x are those of their levels. Names are those of the features, which k may have knots by, or nil. It costs
// O(nmK), or O(nm log m) with weights or more than eight knots, and a copy of sparse rows. It panics where Check of the
// kernel returns an error, and for knots of what is no feature.
func NewSplineMap(k Spline, names []string, x data.Matrix, weights []float64, levels ...int) *SplineMap {
	m, n := x.Dims()
	counts, err := k.counts(n, names)
	if err != nil {
		panic("kernel: " + err.Error())
	}
	dense := data.ToDense(x)
	knots, gaps := make([][]float64, n), data.Gaps(dense, levels, weights)
	const near = 4 // columns, which share lines of the cache
	memory := make([][near][]float64, parallel.Workers())
	parallel.Chunks(n, near, func(worker, lo, hi int) {
		values, points, missing := &memory[worker], [near][]weighed{}, [near][]bool{}
		for c := range hi - lo {
			values[c], missing[c] = slices.Grow(values[c][:0], m), gaps[lo+c]
		}
		for i := range m {
			for c, v := range dense.Row(i)[lo:hi] {
				if missing[c] != nil && missing[c][i] {
					continue
				}
				if weights == nil {
					values[c] = append(values[c], v)
				} else if weights[i] > 0 {
					points[c] = append(points[c], weighed{v, weights[i]})
				}
			}
		}
		for c, count := range counts[lo:hi] {
			if knots[lo+c] = quantiles(points[c], count); weights == nil {
				knots[lo+c] = unweighed(values[c], count)
			}
		}
	})
	return SplineOf(k, knots)
}

// counts are the knots of each of n features.
func (k Spline) counts(n int, names []string) ([]int, error) {
	in, err := knots.Parse(k.In)
	if err = cmp.Or(err, k.Check()); err != nil {
		return nil, err
	}
	return in.Of(n, names, k.Knots)
}

// unweighed is quantiles of values that count once. It reorders values.
func unweighed(values []float64, count int) []float64 {
	const few, mostKnots = 1 << 12, 8 // beyond which sorting takes less
	m, found := len(values), make([]float64, count)
	if m == 0 || count == 0 {
		return nil
	}
	rank := func(k int) int { return ((k+1)*m+count)/(count+1) - 1 }
	if m < few || count > mostKnots || !between(found, values, rank) {
		slices.Sort(values)
		for k := range found {
			found[k] = values[rank(k)]
		}
	}
	least, largest := slices.Min(values), slices.Max(values)
	found = slices.DeleteFunc(found, func(v float64) bool { return !(v > least && v < largest) })
	return slices.Compact(found)
}

// between sets found to the values of given ranks, from 0, of which it sorts only those between two values of a sample.
// It reports whether the sample had such values near enough.
func between(found, values []float64, rank func(k int) int) bool {
	const every, deviations, share = 32, 4, 8
	var sample []float64
	for i := 0; i < len(values); i += every {
		sample = append(sample, values[i])
	}
	slices.Sort(sample)
	slack := 1 + deviations*int(math.Sqrt(float64(len(sample))))/2
	within := make([]float64, len(values)/share)
	for k := range found {
		r := rank(k)
		lo, hi := sample[max(0, r/every-slack)], sample[min(len(sample)-1, r/every+slack)]
		below, notAbove, under, inside := 0, 0, 0, 0 // v < lo, v ≤ lo, v ≤ hi, lo < v < hi
		for _, v := range values {                   // without branches that nothing can predict
			a, b := 0, 0
			if v < lo {
				below++
			}
			if v <= lo {
				a = 1
			}
			if v < hi {
				b = 1
			}
			if v <= hi {
				under++
			}
			notAbove += a
			within[inside] = v
			if inside += b &^ a; inside == len(within) {
				return false
			}
		}
		switch {
		case r < below || r >= under:
			return false
		case r < notAbove:
			found[k] = lo
		case r >= notAbove+inside:
			found[k] = hi
		default:
			slices.Sort(within[:inside])
			found[k] = within[r-notAbove]
		}
	}
	return true
}

// SplineOf is the map of given knots, which ascend, a list for each feature. It panics where Check of the kernel
// returns an error.
func SplineOf(k Spline, knots [][]float64) *SplineMap {
	if err := k.Check(); err != nil {
		panic("kernel: " + err.Error())
	}
	s := &SplineMap{kernel: k, knots: knots, first: make([]int, len(knots)+1), scale: 1 / math.Sqrt(k.Bends)}
	s.first[0] = len(knots)
	for j, t := range knots {
		s.first[j+1] = s.first[j] + len(t)
	}
	return s
}

// weighed is a value that counts weight times.
type weighed struct{ value, weight float64 }

// quantiles are at most count different values strictly between the extremes: see NewSplineMap. It sorts points.
func quantiles(points []weighed, count int) []float64 {
	if len(points) == 0 || count == 0 {
		return nil
	}
	slices.SortFunc(points, func(a, b weighed) int { return cmp.Compare(a.value, b.value) })
	total := 0.0
	for _, p := range points {
		total += p.weight
	}
	var out []float64
	least, largest := points[0].value, points[len(points)-1].value
	sum, k := 0.0, 1
	for _, p := range points {
		for sum += p.weight; k <= count && sum*float64(count+1) >= float64(k)*total; k++ {
			if p.value > least && p.value < largest && (len(out) == 0 || out[len(out)-1] < p.value) {
				out = append(out, p.value)
			}
		}
	}
	return out
}

// Kernel returns the spline.
func (s *SplineMap) Kernel() Spline { return s.kernel }

// Inputs is n, the number of features of a row.
func (s *SplineMap) Inputs() int { return len(s.knots) }

// Features is n and the number of knots.
func (s *SplineMap) Features() int { return s.first[len(s.knots)] }

// Knots returns the knots of feature j, ascending. The caller must not change them.
func (s *SplineMap) Knots(j int) []float64 { return s.knots[j] }

// RowsTo sets dst to the features of the rows of x, in one operation a feature. x may have fewer than n columns;
// missing features are zero. It panics when the shapes do not fit.
func (s *SplineMap) RowsTo(dst *data.Dense, x data.Matrix) {
	data.Check("kernel: SplineMap.RowsTo: x", x)
	m, n := x.Dims()
	if dst.Rows != m || dst.Cols != s.Features() || n > s.Inputs() {
		panic(fmt.Sprintf("kernel: spline of %d features of %d×%d rows to %d×%d", s.Features(), m, n, dst.Rows, dst.Cols))
	}
	const rows = 64
	parallel.Chunks(m, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst.Row(i)
			clear(row[n:s.Inputs()])
			x.RowTo(row[:n], i)
			s.bend(row)
		}
	})
}

// bend sets the hinges of a row whose first n features are there.
func (s *SplineMap) bend(row []float64) {
	for j, knots := range s.knots {
		v, hinges := row[j], row[s.first[j]:s.first[j+1]]
		for k, t := range knots {
			hinges[k] = max(v-t, 0) * s.scale
		}
	}
}

// Slopes returns the weights of the straight line and of the bends of feature j in the units of x: the slope w_j below
// the first knot, and the change of the slope at each knot, which is the weight of its column divided by √Bends.
func (s *SplineMap) Slopes(weights []float64, j int) (slope float64, bends []float64) {
	bends = make([]float64, len(s.knots[j]))
	for k := range bends {
		bends[k] = weights[s.first[j]+k] * s.scale
	}
	return weights[j], bends
}
