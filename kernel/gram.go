package kernel

import (
	"pairrank/data"
	"pairrank/internal/parallel"
)

// Gram returns the kernel matrix, m×m, of m values of any type with themselves, for a
// symmetric positive semidefinite k. It costs m(m+1)/2 calls of k, one for each unordered
// pair and each value with itself, from several goroutines.
func Gram[T any](xs []T, k func(x, z T) float64) *data.Dense {
	m := len(xs)
	dst := data.NewDense(m, m, nil)
	parallel.For(m, func(_, i int) {
		row := dst.Row(i)
		for j := i; j < m; j++ {
			row[j] = k(xs[i], xs[j])
		}
	})
	parallel.For(m, func(_, i int) {
		row := dst.Row(i)
		for j := range i {
			row[j] = dst.Data[j*dst.Stride+i]
		}
	})
	return dst
}

// Cross returns the kernel matrix, m×p, of m values with p others: entry (i,j) is
// k(xs[i], zs[j]). It costs m·p calls of k, from several goroutines.
func Cross[T any](xs, zs []T, k func(x, z T) float64) *data.Dense {
	dst := data.NewDense(len(xs), len(zs), nil)
	parallel.For(len(xs), func(_, i int) {
		row := dst.Row(i)
		for j, z := range zs {
			row[j] = k(xs[i], z)
		}
	})
	return dst
}
