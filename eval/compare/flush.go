package compare

import (
	"cmp"
	"math"
	"slices"

	"pairrank/internal/pick"
)

// apart is the least distance between two different magnitudes of differences: far above the
// rounding errors of a metric, far below any real difference of two rankings.
const apart = 1.0 / (1 << 40)

// FlushRounding returns a copy of q differences of values in [−1,1] with rounding errors
// flushed: magnitudes of at most 2⁻⁴⁰, about 10⁻¹², become 0, and of magnitudes within
// that of the least among them all become the least. So 0.3 − 0.2 and 0.1 − 0 are equal,
// and 0.1 + 0.2 − 0.3 is 0, for ranks, signs, sums and intervals alike. Unlike rounding
// to a grid, it has no steps between which equal differences could fall. The result for
// −d is the negative of that for d. The cost is a sort, O(q log q).
func FlushRounding(d []float64) []float64 {
	order := pick.All[int](len(d))
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(d[i]), math.Abs(d[j])) })
	flushed := make([]float64, len(d))
	least := 0.0
	for _, i := range order {
		if x := math.Abs(d[i]); !(x-least <= apart) {
			least = x
		}
		if flushed[i] = math.Copysign(least, d[i]); least == 0 {
			flushed[i] = 0 // not −0
		}
	}
	return flushed
}

// sameSum is how much two sums of the same numbers, in another order, may
// differ by rounding, as a share of the sum of magnitudes.
const sameSum = 1e-12

// flushedSum is a sum, or a mean, of numbers whose magnitudes have the sum, or
// the mean, size: 0 where rounding alone may have kept it from 0.
func flushedSum(sum, size float64) float64 {
	if math.Abs(sum) <= sameSum*size {
		return 0
	}
	return sum
}

// mean is the mean, exactly d[0] where all are equal, and how large the numbers
// are in the mean.
func mean(d []float64) (m, size float64) {
	sum := 0.0
	for _, x := range d {
		sum += x - d[0]
		size += math.Abs(x)
	}
	q := float64(len(d))
	size /= q
	return flushedSum(d[0]+sum/q, size), size
}
