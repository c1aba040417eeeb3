package data

import (
	"math"

	"pairrank/internal/parallel"
)

// columns holds the least and greatest value, the mean and the deviation of each of n features over
// m rows. The zeros that a sparse matrix does not store count as values.
type columns struct {
	Rows                float64   // m
	Min, Max, Mean, Dev []float64 // Dev² = Σ(x−mean)²/m; all 0 where there is no row
}

// newColumns returns the columns of n features over zero rows.
func newColumns(n int) *columns {
	return &columns{Min: make([]float64, n), Max: make([]float64, n), Mean: make([]float64, n), Dev: make([]float64, n)}
}

// columnsOf computes the columns of x in two passes over the stored values; the second one corrects
// the mean. It panics when x does not fit.
func columnsOf(x Matrix) *columns {
	Check("data: ColumnsOf: x", x)
	rows, n := x.Dims()
	c := newColumns(n)
	if rows == 0 {
		return c
	}
	c.Rows = float64(rows)
	left := c.bounds(x)
	c.meanAndDev(x, left)
	return c
}

// bounds finds min, max and a first mean, and returns the number of entries of
// each feature that are left out.
func (c *columns) bounds(x Matrix) (left []float64) {
	rows, n := x.Dims()
	share := 1 / float64(rows)
	const wide = 4 // sums of a feature: count, least, greatest, mean
	sums := foldRows(x, wide*n, func(sum []float64) {
		for j := range n {
			sum[wide*j+1], sum[wide*j+2] = math.Inf(1), math.Inf(-1)
		}
	}, func(sum []float64, j int, v float64) {
		at := sum[wide*j : wide*j+wide]
		at[0]++
		at[1] = min(at[1], v)
		at[2] = max(at[2], v)
		at[3] += v * share
	}, func(sum, part []float64) {
		for j := range n {
			at, more := sum[wide*j:wide*j+wide], part[wide*j:wide*j+wide]
			at[0] += more[0]
			at[1] = min(at[1], more[1])
			at[2] = max(at[2], more[2])
			at[3] += more[3]
		}
	})
	left = make([]float64, n)
	for j := range n {
		at := sums[wide*j : wide*j+wide]
		left[j] = float64(rows) - at[0]
		c.Min[j], c.Max[j], c.Mean[j] = at[1], at[2], at[3]
		if left[j] > 0 {
			c.Min[j], c.Max[j] = min(c.Min[j], 0), max(c.Max[j], 0)
		}
	}
	return left
}

// meanAndDev finds dev and corrects mean, from the differences to the first mean
// in units of the spread, so that no square leaves the range of a float64.
func (c *columns) meanAndDev(x Matrix, left []float64) {
	rows, n := x.Dims()
	m := float64(rows)
	inverse := make([]float64, n) // of the spread
	for j := range n {
		if spread := c.Max[j] - c.Min[j]; spread > smallestSpread {
			inverse[j] = 1 / spread
		}
	}
	sums := foldRows(x, 2*n, func([]float64) {}, func(sum []float64, j int, v float64) {
		d := (v - c.Mean[j]) * inverse[j]
		sum[2*j] += d
		sum[2*j+1] += d * d
	}, func(sum, part []float64) {
		for k, v := range part {
			sum[k] += v
		}
	})
	for j := range n {
		zero := -c.Mean[j] * inverse[j]
		d := sums[2*j] + left[j]*zero
		square := sums[2*j+1] + left[j]*zero*zero
		spread := c.Max[j] - c.Min[j]
		c.Dev[j] = spread * math.Sqrt(max(0, square-d*(d/m))/m)
		c.Mean[j] += spread * (d / m)
	}
}

// foldRows adds every stored value to the sums of its piece of the rows and
// merges the sums in the order of the pieces; the pieces depend on the size of
// x alone.
func foldRows(x Matrix, size int, begin func(sum []float64), add func(sum []float64, j int, v float64),
	merge func(sum, part []float64)) []float64 {
	rows, n := x.Dims()
	sparse, isSparse := x.(*CSR)
	work := rows * n
	if isSparse {
		work = len(sparse.Val)
	}
	parts := min(max(rows, 1), transParts(work, n))
	sums := make([]float64, parts*size)
	parallel.For(parts, func(_, p int) {
		sum := sums[p*size : (p+1)*size]
		begin(sum)
		switch x := x.(type) {
		case *Dense:
			for i := p * rows / parts; i < (p+1)*rows/parts; i++ {
				for j, v := range x.Row(i) {
					add(sum, j, v)
				}
			}
		case *CSR:
			for i := x.split(p, parts); i < x.split(p+1, parts); i++ {
				cols, vals := x.Row(i)
				for k, j := range cols {
					add(sum, int(j), vals[k])
				}
			}
		default:
			panic(unknownMatrix(x))
		}
	})
	for p := 1; p < parts; p++ {
		merge(sums[:size], sums[p*size:(p+1)*size])
	}
	return sums[:size]
}
