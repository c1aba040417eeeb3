package doubt

import (
	"cmp"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/equal"
	"pairrank/internal/joins"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// stack is the rows of matrices, one below the other.
type stack struct {
	xs            []data.Matrix
	rows, columns int
}

// at is row i.
func (s stack) at(i int) (data.Matrix, int) {
	for _, x := range s.xs {
		m, _ := x.Dims()
		if i < m {
			return x, i
		}
		i -= m
	}
	panic("data: a row beyond the last")
}

// each calls f with the values of row i that are stored.
func (s stack) each(i int, f func(j int, v float64)) {
	x, i := s.at(i)
	data.Each(x, i, f)
}

// sample returns every so-manyth of the rows in an order, at most so many.
func sample(order []int32, most int) []int32 {
	step := max(1, (len(order)+most-1)/most)
	some := make([]int32, 0, most)
	for k := 0; k < len(order); k += step {
		some = append(some, order[k])
	}
	return some
}

// alikeDigits is how far values of equal rows may differ, relative to the larger.
const alikeDigits = 0x1p-20

// place is a row at two weighted sums of its values.
type place struct {
	sum, other, most float32 // most is the first sum with absolute values
	row              int32
}

// alike joins rows that are equal or nearly so, and returns the rows in an order in which these are neighbours; no
// joins where there are none. Two sums of the values with weights are near for near rows: rows next to one another by
// the first sum are compared where the other one is near, too. A look at the most varied of neighbouring columns of a
// dense matrix comes first: mostly it finds none, and it reads little memory.
func (s stack) alike() (order []int32, joined *joins.Joins) {
	const few = 8
	weights, varied := s.weights(few)
	sparse := slices.ContainsFunc(s.xs, func(x data.Matrix) bool { return !isDense(x) })
	if s.columns > few && !sparse && !s.join(s.places(weights, varied, few), nil) {
		return nil, nil
	}
	places := s.places(weights, 0, s.columns)
	joined = joins.NewJoins(s.rows)
	if !s.join(places, joined) {
		return nil, nil
	}
	order = make([]int32, s.rows)
	for a, p := range places {
		order[a] = p.row
	}
	return order, joined
}

// join joins near rows, and reports whether there are any. Without joins it stops at the first, or where many rows may
// be near.
func (s stack) join(places []place, joined *joins.Joins) (found bool) {
	const neighbours, further = 8, 64
	const rounding = 0.25 // of sums in single precision
	for a, p := range places {
		compared := 0
		for _, q := range places[a+1 : min(a+1+further, len(places))] {
			within := (1 + rounding) * alikeDigits * max(p.most, q.most)
			if !(q.sum-p.sum <= within) || compared == neighbours {
				break
			}
			if max(q.other-p.other, p.other-q.other) > within {
				continue
			}
			near := s.near(int(p.row), int(q.row))
			if compared++; joined == nil && (near || compared == neighbours) {
				return true
			}
			if near {
				joined.Join(int(p.row), int(q.row))
				found = true
				break
			}
		}
	}
	return found
}

// places are the rows in ascending order of their sums over some columns of dense matrices, and all of sparse ones.
func (s stack) places(weights [][2]float64, from, columns int) []place {
	all, first := make([]place, s.rows), 0
	for _, x := range s.xs {
		m, n := x.Dims()
		dense, _ := x.(*data.Dense)
		lo, hi := min(from, n), min(from+columns, n)
		parallel.Chunks(m, 256, func(_, begin, end int) {
			for i := begin; i < end; i++ {
				sum, other, most := 0.0, 0.0, 0.0
				if dense != nil {
					some := weights[lo:hi]
					for j, v := range dense.Row(i)[lo:hi] {
						w := &some[j]
						sum, other, most = sum+w[0]*v, other+w[1]*v, most+math.Abs(w[0]*v)
					}
				} else {
					data.Each(x, i, func(j int, v float64) {
						w := &weights[j]
						sum, other, most = sum+w[0]*v, other+w[1]*v, most+math.Abs(w[0]*v)
					})
				}
				all[first+i] = place{float32(sum), float32(other), float32(most), int32(first + i)}
			}
		})
		first += m
	}
	return ascending(all)
}

// ascending sorts places by their sums: into some thousand bins, each of these into as many as it has places, and these
// by comparing. A bin of the first kind fits the cache, and no second array is filled.
func ascending(all []place) []place {
	const bins = 1 << 12
	var fine []int32
	from := int32(0)
	for _, end := range spread(all, bins, nil) {
		some, at := all[from:end], int32(0)
		fine = spread(some, len(some), fine)
		for _, to := range fine {
			if to-at > 1 {
				slices.SortFunc(some[at:to], func(p, q place) int {
					return cmp.Or(cmp.Compare(p.sum, q.sum), int(p.row-q.row))
				})
			}
			at = to
		}
		from = end
	}
	return all
}

// spread puts places in the order of bins of equal width, and returns the end of each, in memory that is given.
func spread(all []place, bins int, memory []int32) (ends []int32) {
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, p := range all {
		lo, hi = min(lo, p.sum), max(hi, p.sum)
	}
	scale := float32(bins-1) / (hi - lo)
	bin := func(sum float32) int {
		if at := (sum - lo) * scale; at > 0 {
			return min(int(at), bins-1)
		}
		return 0 // NaN, too
	}
	memory = append(memory[:0], make([]int32, 2*bins)...) // zeros
	ends, next := memory[:bins], memory[bins:]
	for _, p := range all {
		ends[bin(p.sum)]++
	}
	for b := 1; b < bins; b++ {
		next[b] = ends[b-1]
		ends[b] += ends[b-1]
	}
	for b, end := range ends {
		for next[b] < end {
			p := all[next[b]]
			for to := bin(p.sum); to != b; to = bin(p.sum) {
				q := &all[next[to]]
				next[to]++
				p, *q = *q, p
			}
			all[next[b]] = p
			next[b]++
		}
	}
	return ends
}

// weights are two weights of each column, numbers between 1 and 2 over its size in some rows, and where the few columns
// next to one another begin that differ most often from one of these rows to the next.
func (s stack) weights(few int) (weights [][2]float64, varied int) {
	size, differ, last := make([]float64, s.columns), make([]int32, s.columns), make([]float64, s.columns)
	some := sample(pick.All[int32](s.rows), 256)
	for _, i := range some {
		s.each(int(i), func(j int, v float64) {
			size[j] += math.Abs(v)
			if v != last[j] {
				differ[j]++
			}
			last[j] = v
		})
	}
	weights = make([][2]float64, s.columns)
	for j := range weights {
		scale := float64(len(some)) / size[j]
		if size[j] == 0 || math.IsInf(size[j], 0) {
			scale = 1
		}
		for k := range weights[j] {
			h := equal.Mixed(uint64(j)+1, uint64(k)+1)
			weights[j][k] = scale * (1 + float64((h^h>>29)*0x9e3779b97f4a7c15>>11)*0x1p-53)
		}
	}
	for at, sum, best := 0, int32(0), int32(0); at < s.columns; at++ {
		if sum += differ[at]; at >= few {
			sum -= differ[at-few]
		}
		if sum > best && at >= few-1 {
			varied, best = at-few+1, sum
		}
	}
	return weights, varied
}

// near reports whether two rows are equal, or but for rounding.
func (s stack) near(i, j int) bool {
	a, i := s.at(i)
	b, j := s.at(j)
	if a == b && equal.Same(a, i, j) {
		return true
	}
	values := map[int]float64{}
	data.Each(a, i, func(c int, v float64) { values[c] = v })
	same := true
	data.Each(b, j, func(c int, w float64) {
		v := values[c]
		same = same && math.Abs(v-w) <= alikeDigits*max(math.Abs(v), math.Abs(w))
		delete(values, c)
	})
	for _, v := range values {
		same = same && v == 0
	}
	return same
}
