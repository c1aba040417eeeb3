// Package equal finds rows of a matrix that are equal.
package equal

import (
	"fmt"
	"math"
	"math/bits"

	"pairrank/data"
	"pairrank/internal/parallel"
)

// EqualRows returns, for each of the m rows of a matrix, the number of the first row
// that equals it, which is its own number where no earlier row does. −0 equals 0. Rows with equal
// hashes are compared; where different rows share a hash, the later ones count as equal to no other
// row. It costs a pass over the values and about 28 bytes a row. It panics when x does not fit.
func Rows(x data.Matrix) []int32 {
	data.Check("equal: Rows: x", x)
	x = source(x)
	m, _ := x.Dims()
	hash, equal := rowHash(x)
	sums := make([]uint64, m)
	parallel.Chunks(m, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sums[i] = hash(i)
		}
	})
	first := make([]int32, m)
	seen := make(map[uint64]int32, m)
	for i, sum := range sums {
		j, ok := seen[sum]
		if !ok {
			j = int32(i)
			seen[sum] = j
		} else if !equal(i, int(j)) {
			j = int32(i) // another row of the same hash: it counts as equal to no other row
		}
		first[i] = j
	}
	return first
}

// SameRow reports whether rows i and j of a matrix are equal; −0 equals 0.
// It costs O(n), or the stored values of the two rows, and stops at the first difference.
// It panics when i or j is not in [0,m).
func Same(x data.Matrix, i, j int) bool {
	switch x := source(x).(type) {
	case *data.Dense:
		return equalDense(x, i, j)
	case *data.CSR:
		return equalStored(x, i, j)
	}
	panic(fmt.Sprintf("equal: a matrix of type %T", x))
}

// source is the matrix whose rows decide which rows of x are equal: that of which a data.Made makes its rows, else x.
func source(x data.Matrix) data.Matrix {
	if made, is := x.(interface{ From() data.Matrix }); is {
		return made.From()
	}
	return x
}

// rowHash is a hash of a row by its values that are not 0, and whether two rows
// are equal.
func rowHash(x data.Matrix) (hash func(i int) uint64, equal func(i, j int) bool) {
	switch x := x.(type) {
	case *data.Dense:
		hash = func(i int) uint64 {
			h := uint64(0)
			for _, v := range x.Row(i) {
				h = Mixed(h, math.Float64bits(v+0)) // −0 + 0 = 0
			}
			return h
		}
		return hash, func(i, j int) bool { return equalDense(x, i, j) }
	case *data.CSR:
		hash = func(i int) uint64 {
			h := uint64(0)
			cols, values := x.Row(i)
			for a, c := range cols {
				if values[a] != 0 {
					h = Mixed(Mixed(h, uint64(c)), math.Float64bits(values[a]))
				}
			}
			return h
		}
		return hash, func(i, j int) bool { return equalStored(x, i, j) }
	}
	panic(fmt.Sprintf("equal: a matrix of type %T", x))
}

// mixed is the hash h with another word in it.
func Mixed(h, word uint64) uint64 {
	return (bits.RotateLeft64(h, 23) ^ word) * 0x9e3779b97f4a7c15
}

func equalDense(x *data.Dense, i, j int) bool {
	other := x.Row(j)
	for c, v := range x.Row(i) {
		if v != other[c] {
			return false
		}
	}
	return true
}

func equalStored(x *data.CSR, i, j int) bool {
	next := func(cols []int32, values []float64) ([]int32, []float64) {
		for len(cols) > 0 && values[0] == 0 {
			cols, values = cols[1:], values[1:]
		}
		return cols, values
	}
	cols, values := next(x.Row(i))
	others, other := next(x.Row(j))
	for len(cols) > 0 && len(others) > 0 {
		if cols[0] != others[0] || values[0] != other[0] {
			return false
		}
		cols, values = next(cols[1:], values[1:])
		others, other = next(others[1:], other[1:])
	}
	return len(cols) == len(others)
}
