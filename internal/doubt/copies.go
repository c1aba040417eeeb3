package doubt

import (
	"cmp"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/equal"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// Copied are rows that equal others, or but for rounding.
type Copied struct {
	first []int32 // of each row, the first row of those that it equals
	spans []bool  // of such a first row, whether the rows are in several parts

	Ordinary bool // few values make so many equal rows ordinary
}

// MostDoubted is the number of features up to which Copies looks at rows: it takes some 100 bytes for each.
const MostDoubted = 1 << 22

// Copies finds rows of matrices, one below the other, that are equal or whose values agree to six digits, in several
// parts of apart. It returns nil where there are none. They are Ordinary, by few values, unless
//
//   - there are five times as many equal pairs of rows as the values of each column alone make expected, m(m−1)/2·Πc
//     with c the share of pairs that agree in a column, from up to 2,000 rows; and
//   - of the pairs that agree in some third of the columns, in which they are not 0 alone, three of four agree in all.
//     Columns that depend on one another explain the first, but not that.
//
// It costs O(mn), a sort of m numbers, and 40 bytes a row.
func Copies(apart *data.Partition, xs ...data.Matrix) *Copied {
	s := stack{xs: xs}
	for _, x := range xs {
		m, n := x.Dims()
		s.rows, s.columns = s.rows+m, max(s.columns, n)
	}
	if s.columns > MostDoubted {
		return nil
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
	if !any {
		return nil
	}
	c.Ordinary = !s.unusual(order, c.first, size)
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
func (c *Copied) other(i int, apart *data.Partition) int {
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
	key, order := make([]uint64, s.columns), pick.All[int32](s.columns)
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
	h := equal.Mixed(equal.Mixed(0, column), math.Float64bits(v))
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
