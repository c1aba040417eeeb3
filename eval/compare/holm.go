package compare

import (
	"cmp"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/pick"
)

// Holm corrects k p-values for multiple comparisons: the i-th smallest becomes max over j ≤ i of
// min(1, (k−j+1)·p_j), in the place of the input. Rejecting all hypotheses with a corrected p-value
// of at most α keeps the family-wise error rate at most α, for any dependence of the p-values. It
// does not change p, and does not check that values are in [0,1]. Cost O(k log k).
//
// Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian
// Journal of Statistics 6, 1979.
func Holm(p []float64) []float64 {
	order := pick.All[int](len(p))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}

// correct sets Holm's correction of those of n p-values that are defined.
func correct(n int, of func(k int) (p, holm *metric.Value)) {
	var values []float64
	for k := range n {
		if p, _ := of(k); p.Defined {
			values = append(values, p.Value)
		}
	}
	values = Holm(values)
	for k := range n {
		if p, holm := of(k); p.Defined {
			*holm, values = defined(values[0]), values[1:]
		}
	}
}
