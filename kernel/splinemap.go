package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/gaps"
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
// O(nm), or O(nm log m) with weights or where most values are nearer to each other than to the rest by far, and a copy
// of sparse rows. It panics where Check of the kernel returns an error, and for knots of what is no feature.
func NewSplineMap(k Spline, names []string, x data.Matrix, weights []float64, levels ...int) *SplineMap {
	m, n := x.Dims()
	counts, err := k.counts(n, names)
	if err != nil {
		panic("kernel: " + err.Error())
	}
	dense := data.ToDense(x)
	knots, gaps := make([][]float64, n), gaps.Of(dense, levels, weights)
	const near, together = 4, 64 // columns, which share lines of the cache, and rows of them
	memory := make([][near][]float64, parallel.Workers())
	parallel.Chunks(n, near, func(worker, lo, hi int) {
		values, points := &memory[worker], [near][]weighed{}
		for c := range hi - lo {
			values[c] = slices.Grow(values[c][:0], m)
		}
		for top := 0; top < m; top += together {
			for c := range hi - lo {
				missing, column := gaps[lo+c], values[c]
				for i := top; i < min(top+together, m); i++ {
					switch v := dense.Data[i*dense.Stride+lo+c]; {
					case missing != nil && missing[i]:
					case weights == nil:
						column = append(column, v)
					case weights[i] > 0:
						points[c] = append(points[c], weighed{v, weights[i]})
					}
				}
				values[c] = column
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
	const depth = 4
	m, found, ranks := len(values), make([]float64, count), make([]int, count)
	if m == 0 || count == 0 {
		return nil
	}
	for k := range ranks {
		ranks[k] = ((k+1)*m+count)/(count+1) - 1
	}
	least, largest := ordered(found, values, ranks, depth)
	found = slices.DeleteFunc(found, func(v float64) bool { return !(v > least && v < largest) })
	return slices.Compact(found)
}

// ordered sets found to the values of ascending ranks, from 0, and returns the extremes. It counts the values in equal
// intervals, and does the same in those intervals that have a rank, depth times; few values, or what is left, it sorts.
func ordered(found, values []float64, ranks []int, depth int) (least, largest float64) {
	const few, intervals = 1 << 10, 1 << 12
	least, largest = extremes(values)
	scale := intervals / (largest - least)
	if len(values) < few || depth == 0 || !(scale > 0 && scale <= math.MaxFloat64) {
		slices.Sort(values)
		for k, r := range ranks {
			found[k] = values[r]
		}
		return least, largest
	}
	counts, of, inside := make([]int, intervals+1), make([]int, intervals+1), make([][]float64, len(ranks)+1)
	for _, v := range values {
		counts[int((v-least)*scale)]++ // which does not fall as v grows
	}
	var first []int // of the ranks in an interval
	below, k := 0, 0
	for at, n := range counts {
		if k < len(ranks) && ranks[k] < below+n {
			first = append(first, k)
			of[at], inside[len(first)] = len(first), make([]float64, 0, n)
		}
		for ; k < len(ranks) && ranks[k] < below+n; k++ {
			ranks[k] -= below
		}
		below += n
	}
	for _, v := range values {
		if i := of[int((v-least)*scale)]; i > 0 {
			inside[i] = append(inside[i], v)
		}
	}
	for i, k := range first {
		end := append(first, len(ranks))[i+1]
		ordered(found[k:end], inside[i+1], ranks[k:end], depth-1)
	}
	return least, largest
}

// extremes are the least and the largest of some values, none of which is NaN.
func extremes(values []float64) (least, largest float64) {
	least, largest = values[0], values[0]
	for _, v := range values {
		if v < least {
			least = v
		} else if v > largest {
			largest = v
		}
	}
	return least, largest
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
	const few = 4
	hinges, scale := row[len(s.knots):], s.scale
	for j, v := range row[:len(s.knots)] {
		knots := s.knots[j]
		for len(knots) >= few && len(hinges) >= few {
			hinges[0] = max(v-knots[0], 0) * scale
			hinges[1] = max(v-knots[1], 0) * scale
			hinges[2] = max(v-knots[2], 0) * scale
			hinges[3] = max(v-knots[3], 0) * scale
			knots, hinges = knots[few:], hinges[few:]
		}
		for k, t := range knots {
			hinges[k] = max(v-t, 0) * scale
		}
		hinges = hinges[len(knots):]
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
