package compare

import (
	"fmt"
	"math"

	"pairrank/metric"
)

// Options are what a comparison can be told. The zero value is the default.
type Options struct {
	// Resamples is the number of samples of the bootstrap and, where there are
	// too many queries to look at all, of patterns of signs; 0: 10,000.
	Resamples int

	// Seed of the random draws.
	Seed uint64

	// Zeros is what the signed-ranks test does with queries where A and B are
	// alike; zero: it drops them.
	Zeros Zeros
}

// Report is what a comparison found.
type Report struct {
	Results  []Result // in the order of the metrics
	Warnings []string // for people: what to doubt
}

// Result is one metric under A and B. Without a query to compare, A, B and
// Difference are undefined; with fewer than two so are Lo and Hi.
type Result struct {
	Metric     metric.Metric
	A, B       metric.Value // means over the queries compared
	Difference metric.Value // A − B
	Lo, Hi     metric.Value // of the bootstrap interval of Difference, 95 %

	Wins, Ties, Losses int // queries where A is better, alike, worse
	Queries            int // compared
	Undefined          int // left out: no value under A or none under B

	Wilcoxon SignedRanks
	Flips    Flips

	// The p-values of the two tests, Holm's correction over the metrics applied.
	WilcoxonHolm, FlipsHolm float64
}

// Reports compares, metric by metric, the evaluations of two rankings of the
// same data. They must have the same metrics and the same queries, in the same
// order, with the values of every query; it panics if they do not. A metric that
// pools the pairs of all queries is an error.
//
// Differences that are equal but for rounding errors are ties, and as nothing if
// they are 0. Swapping A and B changes signs, and nothing else.
func Reports(a, b *metric.Report, opts Options) (*Report, error) {
	checkPaired(a, b)
	r := &Report{}
	for j, res := range a.Results {
		if res.Metric.Pooled() {
			return nil, fmt.Errorf("%s counts the pairs of all queries together, and a comparison needs a value of each query", res.Metric)
		}
		r.Results = append(r.Results, compareMetric(res.Metric, a.PerQuery, b.PerQuery, j, opts))
	}
	wilcoxon, flips := make([]float64, len(r.Results)), make([]float64, len(r.Results))
	for j, res := range r.Results {
		wilcoxon[j], flips[j] = res.Wilcoxon.P, res.Flips.P
	}
	wilcoxon, flips = Holm(wilcoxon), Holm(flips)
	for j := range r.Results {
		r.Results[j].WilcoxonHolm, r.Results[j].FlipsHolm = wilcoxon[j], flips[j]
		r.Warnings = append(r.Warnings, r.Results[j].warnings()...)
	}
	return r, nil
}

func checkPaired(a, b *metric.Report) {
	if len(a.Results) != len(b.Results) || len(a.PerQuery) != len(b.PerQuery) {
		panic("compare: the reports are not of the same metrics and queries")
	}
	for j := range a.Results {
		if a.Results[j].Metric != b.Results[j].Metric {
			panic("compare: the reports are not of the same metrics")
		}
	}
	for g := range a.PerQuery {
		if a.PerQuery[g].ID != b.PerQuery[g].ID {
			panic("compare: the reports are not of the same queries")
		}
	}
}

// compareMetric compares metric number j.
func compareMetric(m metric.Metric, a, b []metric.QueryValues, j int, opts Options) Result {
	r := Result{Metric: m}
	var d, rounded, signed []float64 // as they are; ties made equal; ties of A and B made 0
	sumA, sumB := 0.0, 0.0
	for g := range a {
		x, y := a[g].Values[j], b[g].Values[j]
		if !x.Defined || !y.Defined {
			r.Undefined++
			continue
		}
		sumA += x.Value
		sumB += y.Value
		d = append(d, x.Value-y.Value)
		rounded = append(rounded, Round(x.Value-y.Value))
		signed = append(signed, x.Value-y.Value)
		if rounded[len(rounded)-1] == 0 {
			signed[len(signed)-1] = 0
		}
	}
	r.Queries = len(d)
	r.count(rounded)
	if q := float64(len(d)); q > 0 {
		r.A, r.B, r.Difference = defined(sumA/q), defined(sumB/q), defined(mean(d))
	}
	if len(d) >= 2 {
		lo, hi := Bootstrap(d, opts.Resamples, opts.Seed)
		r.Lo, r.Hi = defined(lo), defined(hi)
	}
	r.Wilcoxon = Wilcoxon(rounded, opts.Zeros)
	r.Flips = SignFlip(signed, opts.Resamples, opts.Seed)
	return r
}

// count counts wins, ties and losses of A.
func (r *Result) count(d []float64) {
	for _, x := range d {
		switch {
		case x == 0:
			r.Ties++
		case x > 0 != r.Metric.Loss():
			r.Wins++
		default:
			r.Losses++
		}
	}
}

// warnings says where the tests have little to go by.
func (r *Result) warnings() []string {
	switch n := r.Wilcoxon.NonZero; {
	case r.Queries == 0:
		return []string{fmt.Sprintf("%s has no value under both on any of %d queries", r.Metric, r.Undefined)}
	case n == 0:
		return []string{fmt.Sprintf("%s is the same under both on all %d queries", r.Metric, r.Queries)}
	case n < 6: // 2/2⁵ > 0.05
		return []string{fmt.Sprintf("%s differs on %d of %d queries: no p-value of so few is below %.2g", r.Metric, n, r.Queries, math.Ldexp(1, 1-n))}
	}
	return nil
}

// step is what differences are rounded to: far above the rounding errors of a
// metric, far below any difference of two rankings.
const step = 1.0 / (1 << 40)

// Round rounds a difference of two values in [−1,1] to a multiple of 2⁻⁴⁰, about
// 10⁻¹², so that differences that are equal but for rounding errors, as are
// 0.3 − 0.2 and 0.1 − 0, become equal, and 0 if they are 0. Sums of them are not
// what rounded sums are: it is for ranks, not for [SignFlip].
func Round(d float64) float64 { return math.RoundToEven(d/step)*step + 0 }

func mean(d []float64) float64 {
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / float64(len(d))
}

func defined(x float64) metric.Value { return metric.Value{Value: x, Defined: true} }
