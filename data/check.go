package data

import (
	"fmt"

	"pairrank/internal/parallel"
)

// Check panics where the fields of a matrix do not fit its shape. An example is a Dense without a
// Stride, whose rows would all be the first one. The message calls the matrix name. Functions that
// take matrices from a caller use Check; functions that run once per row, such as Each, do not.
// Cost O(1): it does not look at the columns of sparse rows. NewDense makes matrices that fit.
func Check(name string, x Matrix) {
	switch x := x.(type) {
	case *Dense:
		x.check(name)
	case *CSR:
		x.check(name)
	case *made: // which Made has checked
	default:
		panic(name + noMatrix)
	}
}

const noMatrix = ": there is no matrix"

func (x *Dense) check(name string) {
	if x == nil {
		panic(name + noMatrix)
	}
	last := 0 // one past the last number
	if x.Rows > 0 {
		last = (x.Rows-1)*x.Stride + x.Cols
	}
	if x.Rows < 0 || x.Cols < 0 || x.Rows > 1 && x.Stride < x.Cols || len(x.Data) < last {
		panic(fmt.Sprintf("%s: a Dense of %d×%d with Stride %d and %d numbers: NewDense makes one that fits",
			name, x.Rows, x.Cols, x.Stride, len(x.Data)))
	}
}

func (x *CSR) check(name string) {
	if x == nil {
		panic(name + noMatrix)
	}
	if x.Rows < 0 || x.Cols < 0 || len(x.Ptr) != x.Rows+1 || len(x.Col) != len(x.Val) || x.Ptr[0] < 0 ||
		x.Ptr[x.Rows] < x.Ptr[0] || x.Ptr[x.Rows] > len(x.Val) {
		panic(fmt.Sprintf("%s: a CSR of %d×%d with %d row bounds, %d columns and %d values",
			name, x.Rows, x.Cols, len(x.Ptr), len(x.Col), len(x.Val)))
	}
}

// FirstNotFinite returns the first row of x that has a value which is NaN or infinite, and
// the value; −1 where there is none. It costs one pass over the stored values, on all
// cores.
func FirstNotFinite(x Matrix) (row int, value float64) {
	m, _ := x.Dims()
	const rows = 1024
	pieces := (m + rows - 1) / rows
	first := make([]int, pieces)
	parallel.For(pieces, func(_, p int) {
		first[p] = -1
		for i := p * rows; i < min(m, (p+1)*rows); i++ {
			if _, bad := notFiniteIn(x, i); bad {
				first[p] = i
				return
			}
		}
	})
	for _, i := range first {
		if i >= 0 {
			v, _ := notFiniteIn(x, i)
			return i, v
		}
	}
	return -1, 0
}

// notFiniteIn returns the first value of row i that is NaN or infinite.
func notFiniteIn(x Matrix, i int) (value float64, found bool) {
	switch x := x.(type) {
	case *Dense:
		return firstBad(x.Row(i))
	case *CSR:
		_, vals := x.Row(i)
		return firstBad(vals)
	case *made:
		return firstBad(x.row(i))
	}
	panic(unknownMatrix(x))
}

func firstBad(values []float64) (value float64, found bool) {
	var a, b, c, d float64 // sums of 0 unless a value is not finite; four, since an addition waits for the one before
	k := 0
	for ; k+4 <= len(values); k += 4 {
		v := (*[4]float64)(values[k:])
		a += v[0] - v[0]
		b += v[1] - v[1]
		c += v[2] - v[2]
		d += v[3] - v[3]
	}
	for _, v := range values[k:] {
		a += v - v
	}
	if a+b+c+d == 0 {
		return 0, false
	}
	for _, v := range values {
		if v-v != 0 {
			return v, true
		}
	}
	return 0, false
}
