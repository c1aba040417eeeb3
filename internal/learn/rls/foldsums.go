package rls

import (
	"math"

	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// foldSums are the sums over the queries of one fold. The products are those of the columns of [T
// Z]. The targets T come before the features Z, so that new features extend the end: entry (i, j)
// for i ≤ j is at j(j+1)/2 + i.
type foldSums struct {
	counts []int64 // see countRows
	// size is Σ L_ii ‖x_i‖², the scale of the rounding in centred rows. Of rows with weights there follow the sum of
	// these and the number of those that are not 1.
	size     doubles
	constant doubles // Σ w_ij target_ij² of each output
	products doubles
}

// The places of the counts. From countInformed on there is one count per output: of the queries
// with two labels, or in regression of the rows with a label other than 0.
const (
	countRows = iota
	countQueries
	countPairs
	countInformed
)

func newFoldSums(outputs int, weights bool) foldSums {
	return foldSums{counts: make([]int64, countInformed+outputs), size: newDoubles(sizes(weights)),
		constant: newDoubles(outputs)}
}

// sizes is the number of entries of foldSums.size.
func sizes(weights bool) int {
	if weights {
		return 3
	}
	return 1
}

// doubles are the sums in the order of the format.
func (s *foldSums) doubles() [3]doubles { return [3]doubles{s.size, s.constant, s.products} }

func triangle(columns int) int { return columns * (columns + 1) / 2 }

// addSums adds sign times o. The caller has checked that the counts fit.
func (s *foldSums) addSums(sign int64, o *foldSums) {
	for i, n := range o.counts {
		s.counts[i] += sign * n
	}
	s.products.grow(len(o.products.hi))
	s.size.add(float64(sign), o.size)
	s.constant.add(float64(sign), o.constant)
	s.products.add(float64(sign), o.products)
}

// columns is the number of columns of [T Z] that were seen.
func (s *foldSums) columns() int {
	return int(math.Round((math.Sqrt(8*float64(len(s.products.hi))+1) - 1) / 2))
}

// addTile adds the product of two blocks of columns, from i0 and from j0 on: row b of tile is
// column j0 + b. It adds the entries (i, j) with i ≤ j < columns.
func (s *foldSums) addTile(tile linalg.Mat, i0, j0, columns int) {
	for b := range min(tile.Rows, columns-j0) {
		j := j0 + b
		n := min(tile.Cols, j+1-i0)
		s.products.slice(triangle(j)+i0, triangle(j)+i0+n).addFloats(tile.Row(b)[:n])
	}
}

// moments are A, its upper triangle, and B for k features.
func (s *foldSums) moments(k int) pencil.Moments {
	v := len(s.constant.hi)
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
