package data

import (
	"math"

	"pairrank/internal/parallel"
)

// columns holds numbers of every feature over all rows, the zeros that a sparse
// matrix leaves out included.
type columns struct {
	min, max, mean, dev []float64
}

// columnStats finds least, greatest, mean and standard deviation (over m) of
// every feature in two passes; the second one corrects the mean.
func columnStats(x Matrix) columns {
	rows, n := x.Dims()
	c := columns{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	if rows == 0 {
		return c
	}
	left := c.bounds(x)
	c.moments(x, left)
	return c
}

// bounds finds min, max and a first mean, and returns the number of entries of
// each feature that are left out.
func (c columns) bounds(x Matrix) (left []float64) {
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
		c.min[j], c.max[j], c.mean[j] = at[1], at[2], at[3]
		if left[j] > 0 {
			c.min[j], c.max[j] = min(c.min[j], 0), max(c.max[j], 0)
		}
	}
	return left
}

// moments finds dev and corrects mean, from the differences to the first mean
// in units of the spread, so that no square leaves the range of a float64.
func (c columns) moments(x Matrix, left []float64) {
	rows, n := x.Dims()
	m := float64(rows)
	inverse := make([]float64, n) // of the spread
	for j := range n {
		if spread := c.max[j] - c.min[j]; spread > smallestSpread {
			inverse[j] = 1 / spread
		}
	}
	sums := foldRows(x, 2*n, func([]float64) {}, func(sum []float64, j int, v float64) {
		d := (v - c.mean[j]) * inverse[j]
		sum[2*j] += d
		sum[2*j+1] += d * d
	}, func(sum, part []float64) {
		for k, v := range part {
			sum[k] += v
		}
	})
	for j := range n {
		zero := -c.mean[j] * inverse[j]
		d := sums[2*j] + left[j]*zero
		square := sums[2*j+1] + left[j]*zero*zero
		spread := c.max[j] - c.min[j]
		c.dev[j] = spread * math.Sqrt(max(0, square-d*(d/m))/m)
		c.mean[j] += spread * (d / m)
	}
}

// foldRows adds every stored value to the sums of its piece of the rows and
// merges the sums in the order of the pieces; the pieces depend on the size of
// x alone.
func foldRows(x Matrix, size int, begin func(sum []float64), add func(sum []float64, j int, v float64), merge func(sum, part []float64)) []float64 {
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
