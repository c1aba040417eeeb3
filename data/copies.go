package data

import (
	"cmp"
	"math"
	"slices"

	"pairrank/internal/parallel"
)

// Copied are rows that equal others, or but for rounding, by more than chance.
type Copied struct {
	first []int32 // of each row, the first row of those that it equals
	spans []bool  // of such a first row, whether the rows are in several parts
}

// Copies finds rows of matrices, one below the other, that are equal or whose values agree to six digits, in several
// parts of apart. It returns nil where there are none, and where few values make equal rows ordinary. They are ordinary
// unless
//
//   - there are five times as many equal pairs of rows as the values of each column alone make expected, m(m−1)/2·Πc
//     with c the share of pairs that agree in a column, from up to 2,000 rows; and
//   - of the pairs that agree in some third of the columns, in which they are not 0 alone, three of four agree in all.
//     Columns that depend on one another explain the first, but not that.
//
// It costs O(mn), a sort of m numbers, and 40 bytes a row.
func Copies(apart *Partition, xs ...Matrix) *Copied {
	s := stack{xs: xs}
	for _, x := range xs {
		m, n := x.Dims()
		s.rows, s.columns = s.rows+m, max(s.columns, n)
	}
	order, joins := s.alike()
	if joins == nil {
		return nil
	}
	c := &Copied{first: make([]int32, s.rows), spans: make([]bool, s.rows)}
	size, part, any := make([]int32, s.rows), apart.Of(), false
	for i := range c.first {
		f := joins.First(i)
		c.first[i] = int32(f)
		size[f]++
		c.spans[f] = c.spans[f] || part[f] != part[i]
		any = any || c.spans[f]
	}
	if !any || !s.unusual(order, c.first, size) {
		return nil
	}
	return c
}

// spanning returns those of some rows that equal one of another part.
func (c *Copied) spanning(rows []int) (found []int) {
	for _, i := range rows {
		if c.spans[c.first[i]] {
			found = append(found, i)
		}
	}
	return found
}

// Across is the number of rows from the m-th on that equal one of another part.
func (c *Copied) Across(m int) int {
	return len(c.spanning(indicesFrom(m, len(c.first))))
}

func indicesFrom(lo, hi int) []int {
	rows := make([]int, 0, hi-lo)
	for i := lo; i < hi; i++ {
		rows = append(rows, i)
	}
	return rows
}

// other is a row of another part that row i equals.
func (c *Copied) other(i int, apart *Partition) int {
	for j, f := range c.first {
		if f == c.first[i] && apart.Of()[j] != apart.Of()[i] {
			return j
		}
	}
	return i
}

// otherLabels counts those of some rows of which an equal one has another label.
func (c *Copied) otherLabels(rows []int, y []float64) (n int) {
	mixed := map[int32]bool{}
	for i, f := range c.first {
		if y[i] != y[f] {
			mixed[f] = true
		}
	}
	for _, i := range rows {
		if mixed[c.first[i]] {
			n++
		}
	}
	return n
}

// stack is the rows of matrices, one below the other.
type stack struct {
	xs            []Matrix
	rows, columns int
}

// at is row i.
func (s stack) at(i int) (Matrix, int) {
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
	Each(x, i, f)
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
func (s stack) alike() (order []int32, joins *Joins) {
	const few = 8
	weights, varied := s.weights(few)
	sparse := slices.ContainsFunc(s.xs, func(x Matrix) bool { return !isDense(x) })
	if s.columns > few && !sparse && !s.join(s.places(weights, varied, few), nil) {
		return nil, nil
	}
	places := s.places(weights, 0, s.columns)
	joins = NewJoins(s.rows)
	if !s.join(places, joins) {
		return nil, nil
	}
	order = make([]int32, s.rows)
	for a, p := range places {
		order[a] = p.row
	}
	return order, joins
}

// join joins near rows, and reports whether there are any. Without joins it stops at the first, or where many rows may
// be near.
func (s stack) join(places []place, joins *Joins) (found bool) {
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
			if compared++; joins == nil && (near || compared == neighbours) {
				return true
			}
			if near {
				joins.Join(int(p.row), int(q.row))
				found = true
				break
			}
		}
	}
	return found
}

// places are the rows in ascending order of their sums over some columns of dense matrices, and all of sparse ones.
func (s stack) places(weights [][2]float64, from, columns int) []place {
	some := weights[from : from+columns]
	all := make([]place, s.rows)
	parallel.Chunks(s.rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sum, other, most := 0.0, 0.0, 0.0
			if x, at := s.at(i); isDense(x) {
				for j, v := range x.(*Dense).Row(at)[from:min(from+columns, x.(*Dense).Cols)] {
					w := some[j]
					sum, other, most = sum+w[0]*v, other+w[1]*v, most+math.Abs(w[0]*v)
				}
			} else {
				Each(x, at, func(j int, v float64) {
					w := &weights[j]
					sum, other, most = sum+w[0]*v, other+w[1]*v, most+math.Abs(w[0]*v)
				})
			}
			all[i] = place{float32(sum), float32(other), float32(most), int32(i)}
		}
	})
	return ascending(all)
}

// ascending sorts places by their sums: into as many bins as there are, and within these.
func ascending(all []place) []place {
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, p := range all {
		lo, hi = min(lo, p.sum), max(hi, p.sum)
	}
	scale := float32(len(all)-1) / (hi - lo)
	bin := func(sum float32) int {
		if at := (sum - lo) * scale; at > 0 {
			return min(int(at), len(all)-1)
		}
		return 0 // NaN, too
	}
	start := make([]int32, len(all)+1)
	for _, p := range all {
		start[bin(p.sum)+1]++
	}
	for b := range all {
		start[b+1] += start[b]
	}
	sorted := make([]place, len(all))
	for _, p := range all {
		at := &start[bin(p.sum)]
		sorted[*at] = p
		*at++
	}
	for b, from := 0, int32(0); b < len(all); b++ { // start[b] is the end of bin b by now
		if end := start[b]; end-from > 1 {
			slices.SortFunc(sorted[from:end], func(p, q place) int {
				return cmp.Or(cmp.Compare(p.sum, q.sum), int(p.row-q.row))
			})
		}
		from = start[b]
	}
	return sorted
}

// weights are two weights of each column, numbers between 1 and 2 over its size in some rows, and where the few columns
// next to one another begin that differ most often from one of these rows to the next.
func (s stack) weights(few int) (weights [][2]float64, varied int) {
	size, differ, last := make([]float64, s.columns), make([]int32, s.columns), make([]float64, s.columns)
	some := sample(indices32(s.rows), 256)
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
			h := mixed(uint64(j)+1, uint64(k)+1)
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

func indices32(m int) []int32 {
	rows := make([]int32, m)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// near reports whether two rows are equal, or but for rounding.
func (s stack) near(i, j int) bool {
	a, i := s.at(i)
	b, j := s.at(j)
	if a == b && SameRow(a, i, j) {
		return true
	}
	values := map[int]float64{}
	Each(a, i, func(c int, v float64) { values[c] = v })
	same := true
	Each(b, j, func(c int, w float64) {
		v := values[c]
		same = same && math.Abs(v-w) <= alikeDigits*max(math.Abs(v), math.Abs(w))
		delete(values, c)
	})
	for _, v := range values {
		same = same && v == 0
	}
	return same
}

// unusual reports whether there are more equal rows than few values make ordinary: see Copies. size is the number of
// rows of each first one.
func (s stack) unusual(order, first, size []int32) bool {
	const times, share = 5, 0.75
	equal := 0.0
	for _, k := range size {
		equal += float64(k) * float64(k-1) / 2
	}
	m := float64(s.rows)
	if s.columns < 2 || equal < times*m*(m-1)/2*s.agreement(order)+0.5 {
		return false
	}
	for _, part := range s.thirds() {
		alike, all := s.agreeing(part, first, size)
		if all > 0 && all >= share*alike {
			return true
		}
	}
	return false
}

// agreement is the product over the columns of the share of pairs of rows that agree in it.
func (s stack) agreement(order []int32) float64 {
	some := sample(order, 2000)
	columns := make([][]float64, s.columns) // the values that are stored
	for _, i := range some {
		s.each(int(i), func(j int, v float64) { columns[j] = append(columns[j], v) })
	}
	pairs, product := float64(len(some))*float64(len(some)-1), 1.0
	for _, v := range columns {
		zeros := len(some) - len(v)
		slices.Sort(v)
		agree := 0.0
		for a := 0; a < len(v); {
			b := a + 1
			for b < len(v) && v[b] == v[a] {
				b++
			}
			k := float64(b - a)
			if v[a] == 0 {
				k, zeros = k+float64(zeros), 0
			}
			agree += k * (k - 1)
			a = b
		}
		agree += float64(zeros) * float64(zeros-1)
		product *= agree / pairs
	}
	return product
}

// thirds cuts the columns into up to three parts, by a sum over their values: the order of columns and rows does not
// matter.
func (s stack) thirds() (parts [3][]bool) {
	key, order := make([]uint64, s.columns), indices32(s.columns)
	for i := range s.rows {
		s.each(i, func(j int, v float64) {
			if v != 0 {
				key[j] += cell(1, v)
			}
		})
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(key[a], key[b]), int(a-b)) })
	for t := range parts {
		parts[t] = make([]bool, s.columns)
	}
	for k, j := range order {
		parts[k%3][j] = true
	}
	return parts
}

// cell is a hash of a value and the number of its column.
func cell(column uint64, v float64) uint64 {
	h := mixed(mixed(0, column), math.Float64bits(v))
	return h ^ h>>31
}

// agreeing counts the pairs of rows that agree in some columns, in which they are not 0 alone, and those of them that
// agree in all, among rows that equal another one.
func (s stack) agreeing(part []bool, first, size []int32) (alike, all float64) {
	hash := func(i int) (h uint64) {
		s.each(i, func(j int, v float64) {
			if part[j] && v != 0 {
				h += cell(uint64(j)+2, v)
			}
		})
		return h
	}
	rows := map[uint64]float64{}
	hashes := make([]uint64, s.rows)
	parallel.Chunks(s.rows, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			hashes[i] = hash(i)
		}
	})
	for i, h := range hashes {
		if size[first[i]] > 1 && h != 0 {
			rows[h] = 0
		}
	}
	for i, h := range hashes {
		if _, is := rows[h]; is {
			rows[h]++
			if int(first[i]) == i {
				k := float64(size[i])
				all += k * (k - 1) / 2
			}
		}
	}
	for _, k := range rows {
		alike += k * (k - 1) / 2
	}
	return alike, all
}
