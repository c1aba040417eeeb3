package compare

import (
	"math"
	"slices"

	"pairrank/internal/parallel"
	"pairrank/internal/student"
)

// IntervalKind names the interval of a Report.
const IntervalKind = "studentised bootstrap"

// Interval is the studentised bootstrap interval of the mean difference at level
// 95 %. With x̄ and s² the mean and variance of the q differences, it is
//
//	x̄ − max(t_hi, t_q) s/√q  to  x̄ − min(t_lo, −t_q) s/√q
//
// where t_q is the 97.5 % quantile of Student's distribution with q − 1 degrees
// of freedom, and t_lo and t_hi are the ⌊(N+1)·0.025⌋-th from either end, the
// outermost if that is none, of N = resamples values of
//
//	t* = (x̄* − x̄) / (s*/√q),  s*² = (Σ(x* − x̄*)² + s²) / q
//
// for samples x* of q differences drawn with replacement. They follow the skewness of the
// differences; t_q keeps the interval as long as a normal distribution needs it, where few
// differences have few samples to draw; and s² among the squares, as if one more difference
// scattered as all do, keeps t* finite where a sample has a single value. evidence/checks/coverage.md has
// the measured coverage of this interval and of others.
//
// most is the largest magnitude that a difference can have, +Inf if there is none; the interval is
// clipped to it. Where all differences are equal the interval is that point. A limit that is 0 up
// to rounding is set to 0; see [FlushRounding] for such differences.
//
// resamples 0 means 10,000. It panics for a negative number, a NaN, and fewer than two differences.
// The interval depends on seed alone, not on the number of threads; that of −d is the same,
// mirrored. The cost is O(N·q). Sources: Efron and Tibshirani, An introduction to the bootstrap,
// 1993, section 12.5; Student, The probable error of a mean, Biometrika 6, 1908.
func Interval(d []float64, most float64, resamples int, seed uint64) (lo, hi float64) {
	of := newSample(d, most)
	studentise([]*sample{of}, draws(resamples), seed)
	return of.lo, of.hi
}

// sample is the differences of one metric and their interval.
type sample struct {
	mean, size, squares float64   // the mean, that of magnitudes, Σ(x − mean)²
	most                float64   // the largest magnitude that there can be
	centred             []float64 // x − mean
	ts                  []float64 // t* of each draw, while they are made
	lo, hi              float64
}

func newSample(d []float64, most float64) *sample {
	if len(d) < 2 {
		panic("compare: an interval needs two differences")
	}
	if slices.ContainsFunc(d, math.IsNaN) || !(most >= 0) {
		panic("compare: a difference, or the largest there can be, is NaN or negative")
	}
	s := &sample{most: most, centred: make([]float64, len(d))}
	s.mean, s.size = mean(d)
	for i, x := range d {
		s.centred[i] = x - s.mean
		s.squares += float64(s.centred[i] * s.centred[i])
	}
	return s
}

// studentise computes the intervals of samples by the same draws. The interval of a sample does not
// depend on the others.
func studentise(samples []*sample, resamples int, seed uint64) {
	for _, s := range samples {
		s.ts = make([]float64, resamples)
	}
	groups := alike(samples)
	workers := make([]drawing, parallel.Workers())
	parallel.Chunks(resamples, perDraw, func(worker, from, to int) {
		workers[worker].draw(groups, generator(seed, bootstrapSequence, from), from, to)
	})
	for _, s := range samples {
		slices.Sort(s.ts)
		at := max(1, (resamples+1)/40) // of 40, one is 2.5 %
		s.limit(s.ts[at-1], s.ts[resamples-at])
		s.ts = nil
	}
}

// studentised is t* of a sample with the given sum and sum of squares; 0 where all
// differences are equal.
func (s *sample) studentised(sum, squares float64) float64 {
	if s.squares == 0 {
		return 0
	}
	q := float64(len(s.centred))
	within := max(0, squares-sum*sum/q) + s.squares/(q-1)
	return sum / math.Sqrt(within) // (sum/q) / √(within/q / q)
}

// limit sets the interval by the quantiles of t*.
func (s *sample) limit(low, high float64) {
	q := float64(len(s.centred))
	t, unit := student.Quantile975(len(s.centred)-1), math.Sqrt(s.squares/(q-1)/q)
	within := func(x float64) float64 { return flushedSum(max(-s.most, min(x, s.most)), s.size) }
	s.lo, s.hi = within(s.mean-float64(max(high, t)*unit)), within(s.mean-float64(min(low, -t)*unit))
}
