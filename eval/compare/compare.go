package compare

import (
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Options of a comparison. The zero value is the default.
type Options struct {
	// Resamples is the number of samples of the bootstrap and, where there are
	// too many queries to count all, of patterns of signs; 0 is 10,000. Each
	// sample of the bootstrap takes 8 bytes for each metric.
	Resamples int

	// Seed seeds the random draws.
	Seed uint64

	// Zeros says how the signed-ranks test treats queries where A and B are equal; the zero value
	// drops them.
	Zeros Zeros
}

// Report is the result of a comparison.
type Report struct {
	Results  []Result // in the order of the metrics
	Warnings []string // sentences for people
}

// Result is one metric under A and B. Without a query to compare, A, B and
// Difference are undefined; with fewer than two so are Lo and Hi.
type Result struct {
	Metric     metric.Metric
	A, B       metric.Value // means over the queries compared
	Difference metric.Value // A − B
	Lo, Hi     metric.Value // the Interval of Difference

	Wins, Ties, Losses int // queries where A is better, alike, worse
	Queries            int // compared
	Undefined          int // left out: no value under A or none under B

	Wilcoxon SignedRanks
	Flips    Flips

	// The p-values of the two tests, Holm's correction over the metrics applied.
	WilcoxonHolm, FlipsHolm float64
}

// Reports compares, metric by metric, the evaluations A and B of two rankings of the same data.
// Differences are A − B. In every result, differences that are equal up to rounding errors count as
// equal, and those that are 0 up to rounding errors as 0 (see [FlushRounding]). Exchanging A and B
// changes only signs. A metric over q queries costs O(N·q) for N resamples, and the patterns of
// signs of [SignFlip]. The random words of the resamples, which take longer than the sums of a
// metric, are generated once for all metrics; the interval of a metric does not depend on the other
// metrics.
//
// It returns an error for a metric that pools the pairs of all queries, unless it is of times and of one query. It
// panics unless a and b have the same metrics and the same queries, in the same order, with the values of every query.
func Reports(a, b *metric.Report, opts Options) (*Report, error) {
	checkPaired(a, b)
	r := &Report{}
	var samples []*sample
	for j, res := range a.Results {
		if pools(res.Metric, a) {
			return nil, pooled(res.Metric)
		}
		result, sample := compareMetric(res.Metric, a.PerQuery, b.PerQuery, j, opts)
		r.Results, samples = append(r.Results, result), append(samples, sample)
	}
	finish(r.Results, samples, opts)
	var told spell.Once
	for j := range r.Results {
		r.Results[j].warn(&told, r.Results[j].Metric.String())
	}
	r.Warnings = told.Sentences()
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

// compareMetric compares metric number j, except for the interval. It returns the sample for the
// interval, nil for fewer than two queries.
func compareMetric(m metric.Metric, a, b []metric.QueryValues, j int, opts Options) (Result, *sample) {
	r := Result{Metric: m}
	var d []float64
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
	}
	d = FlushRounding(d)
	r.Queries = len(d)
	r.count(d)
	if q := float64(len(d)); q > 0 {
		difference, _ := mean(d)
		r.A, r.B, r.Difference = defined(sumA/q), defined(sumB/q), defined(difference)
	}
	r.Wilcoxon = Wilcoxon(d, opts.Zeros)
	r.Flips = SignFlip(d, opts.Resamples, opts.Seed)
	if len(d) < 2 {
		return r, nil
	}
	least, most := m.Range()
	return r, newSample(d, most-least)
}

// addIntervals computes the intervals of the results that have a sample. They share their draws.
func addIntervals(results []Result, samples []*sample, opts Options) {
	known := slices.DeleteFunc(slices.Clone(samples), func(s *sample) bool { return s == nil })
	studentise(known, draws(opts.Resamples), opts.Seed)
	for j, s := range samples {
		if s != nil {
			results[j].Lo, results[j].Hi = defined(s.lo), defined(s.hi)
		}
	}
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

// warn warns where a name has too few queries for the tests or the interval.
func (r *Result) warn(told *spell.Once, name string) {
	tell := func(format string, args ...any) { told.Add(name, fmt.Sprintf(format, args...)) }
	switch n := r.Wilcoxon.NonZero; {
	case r.Queries == 0:
		tell("has no value under both on any of %d queries", r.Undefined)
	case r.Queries == 1:
		tell("is of a single list: no test over queries says anything")
	case n == 0:
		tell("is the same under both on all %d queries", r.Queries)
	case n < 6: // 2/2⁵ > 0.05
		tell("differs on %d of %d queries: the least possible p-value is %.2g", n, r.Queries, math.Ldexp(1, 1-n))
	}
	if r.Lo.Defined && r.Lo == r.Hi && r.Difference.Value != 0 {
		tell("differs by the same amount on all %d queries: the interval has length 0 and says nothing about other "+
			"queries",
			r.Queries)
	}
}

func defined(x float64) metric.Value { return metric.Value{Value: x, Defined: true} }

// pools reports whether a metric has no values by query.
func pools(m metric.Metric, r *metric.Report) bool {
	return m.Pooled() && !(timed(m) && len(r.PerQuery) == 1)
}

// timed reports whether a metric is of censored times.
func timed(m metric.Metric) bool {
	until, _ := m.Horizon()
	return until > 0
}
