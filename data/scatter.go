package data

import "fmt"

// Scatter returns, for each of the n features, Σ_i (x_ij − x̄_j)² over the m rows, where x̄ is the
// mean over the group of row i. This is the diagonal of the within-group scatter matrix (Fukunaga
// 1990, Introduction to statistical pattern recognition, section 10.2). group has length m and
// numbers in [0,groups). It costs two passes over the stored values, 20 bytes a feature and about 8
// bytes a row. It panics when group has another length, a number is out of range, or x does not
// fit.
func Scatter(x Matrix, group []int32, groups int) []float64 {
	Check("data: Scatter: x", x)
	m, n := x.Dims()
	if len(group) != m {
		panic(fmt.Sprintf("data: Scatter: %d rows and %d numbers of groups", m, len(group)))
	}
	byGroup := make([][]int, groups)
	for i, g := range group {
		byGroup[g] = append(byGroup[g], i)
	}
	mean, total, stored := make([]float64, n), make([]float64, n), make([]int32, n)
	var touched []int
	for _, rows := range byGroup {
		share := 1 / float64(max(1, len(rows)))
		touched = touched[:0]
		for _, i := range rows {
			Each(x, i, func(j int, v float64) {
				if stored[j] == 0 {
					touched = append(touched, j)
				}
				stored[j]++
				mean[j] += share * v
			})
		}
		for _, i := range rows {
			Each(x, i, func(j int, v float64) { total[j] += (v - mean[j]) * (v - mean[j]) })
		}
		for _, j := range touched {
			total[j] += float64(len(rows)-int(stored[j])) * mean[j] * mean[j]
			mean[j], stored[j] = 0, 0
		}
	}
	return total
}
