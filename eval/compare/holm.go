package compare

import (
	"cmp"
	"slices"
)

// Holm corrects p-values for being k together: the i-th smallest becomes
// max over j ≤ i of min(1, (k−j+1)·p_j), in the place of the input. To reject
// what is then at most α keeps the chance of any false rejection below α,
// however the p-values depend on each other. It costs a sort. p is not changed; values
// beyond [0,1] are not looked at.
//
// Source: Holm, A simple sequentially rejective multiple test procedure,
// Scandinavian Journal of Statistics 6, 1979.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
