package rls

import (
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/learn/rls/internal/pencil"
)

// foldSums are the sums over the queries of one fold. The products are those of the
// columns of [T Z], the targets before the features, so that k grows at the end: entry
// (i, j) for i ≤ j is at j(j+1)/2 + i.
type foldSums struct {
	rows, queries, pairs int64
	// informed counts, for each output, the queries that have two labels.
	informed []int64
	// size is Σ L_ii ‖x_i‖², which the rounding of centred rows is relative to.
	size     doubles
	constant doubles // Σ w_ij target_ij² of each output
	products doubles
}

func newFoldSums(outputs int) foldSums {
	return foldSums{informed: make([]int64, outputs), size: newDoubles(1), constant: newDoubles(outputs)}
}

func triangle(columns int) int { return columns * (columns + 1) / 2 }

// addSums adds sign times o, of whose counts the caller knows that they fit.
func (s *foldSums) addSums(sign int64, o *foldSums) {
	s.rows += sign * o.rows
	s.queries += sign * o.queries
	s.pairs += sign * o.pairs
	for c, n := range o.informed {
		s.informed[c] += sign * n
	}
	s.products.grow(len(o.products.hi))
	s.size.add(float64(sign), o.size)
	s.constant.add(float64(sign), o.constant)
	s.products.add(float64(sign), o.products)
}

// counts are all counts of s, for comparisons one by one.
func (s *foldSums) counts() []int64 {
	return append([]int64{s.rows, s.queries, s.pairs}, s.informed...)
}

// columns is the number of columns of [T Z] that were seen.
func (s *foldSums) columns() int {
	return int(math.Round((math.Sqrt(8*float64(len(s.products.hi))+1) - 1) / 2))
}

// addTile adds the product of two blocks of columns, from i0 and from j0 on: row b of
// tile is column j0 + b, of which the entries (i, j) with i ≤ j < columns are added.
func (s *foldSums) addTile(tile linalg.Mat, i0, j0, columns int) {
	for b := range min(tile.Rows, columns-j0) {
		j := j0 + b
		n := min(tile.Cols, j+1-i0)
		s.products.slice(triangle(j)+i0, triangle(j)+i0+n).addFloats(tile.Row(b)[:n])
	}
}

// moments are A, its upper triangle, and B for k features.
func (s *foldSums) moments(k int) pencil.Moments {
	v := len(s.informed)
	m := pencil.Moments{A: linalg.NewMat(k, k), B: linalg.NewMat(k, v)}
	for j := range min(k, s.columns()-v) {
		column := s.products.hi[triangle(v+j):][:v+j+1]
		copy(m.B.Row(j), column[:v])
		for i, a := range column[v:] {
			m.A.Data[i*k+j] = a
		}
	}
	return m
}

// clone is a copy that shares nothing.
func (s *foldSums) clone() foldSums {
	c := *s
	c.informed = slices.Clone(s.informed)
	c.size, c.constant, c.products = s.size.clone(), s.constant.clone(), s.products.clone()
	return c
}

func (d doubles) clone() doubles { return doubles{slices.Clone(d.hi), slices.Clone(d.lo)} }
