package holdout

import (
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
)

// Worse returns the difference w by which point is worse than another over the same held-out rows,
// by the same method and metric, nil for the error: its error minus the other's, with the opposite
// sign for a metric where more is better. The standard error of w is paired. With the units u of
// both points, Num over Den, and D = Σ Den, it is
//
//	ratio.Error of Num_u − Num'_u over Den_u      over queries of test sets
//	√Σ_u (Num_u − Num'_u − w Den_u)² / pairs            over rows, for leave-pair-out
//
// as Point.StdErr is for one error. For two labels the second is the standard error for two areas
// under the ROC curve on the same rows (DeLong, DeLong and Clarke-Pearson 1988, as for Point). It
// takes the held-out predictions as given, without the variance of training. It is undefined where
// a point has no Units, for a single ranking, and where the pairs of the points differ. Cost
// O(units).
func Worse(point, than cv.Point, method cv.Method, m *metric.Metric) (worse float64, stderr metric.Value) {
	worse = point.Criterion(m) - than.Criterion(m)
	if math.IsNaN(worse) || math.IsInf(worse, 0) || len(point.Units) != len(than.Units) {
		return worse, metric.Value{}
	}
	change := worse // of Num over Den
	if m != nil && !m.Loss() {
		change = -worse
	}
	n, den, sum := 0, 0.0, 0.0
	apart := make([]metric.Term, len(point.Units))
	for u, t := range point.Units {
		if t.Den != than.Units[u].Den {
			return worse, metric.Value{}
		}
		apart[u] = metric.Term{Num: t.Num - than.Units[u].Num, Den: t.Den}
		if t.Den != 0 {
			n++
			den += t.Den
			d := apart[u].Num - change*t.Den
			sum += d * d
		}
	}
	switch {
	case method.Kind != cv.LeavePairOut:
		stderr, _ = ratio.Error(apart)
	case point.StdErr.Defined || than.StdErr.Defined:
		stderr = ratio.StandardError(4*sum/den/den, n)
	}
	return worse, stderr
}
