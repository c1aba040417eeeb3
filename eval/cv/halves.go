package cv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/eval/metric"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
)

// Halves are estimates on disjoint halves of the units. They give the variance of the estimate on
// all units.
type Halves struct {
	// Mean of each value over the halves.
	Mean []float64
	// Half is half the variance of each value on a half,
	//
	//	H = mean over splits of (A₁ − A₂)²/4.
	Half []float64
	// Both is the variance over the splits of the mean of each value on the two halves,
	//
	//	B = Σ (M − M̄)²/(S − 1)        M = (A₁ + A₂)/2
	Both []float64
	// Splits is the number of splits that have an estimate on both halves.
	Splits int
	// Units is the number of rows, queries or nodes that were split; Of names them.
	Units int
	Of    string
	// Given says that the standard error of a Point is over the same units.
	Given bool
	// Drawn says that folds or pairs are drawn in each half, which adds to Both.
	Drawn bool

	values [][2][]float64 // of each split, nil where it does not count
}

// VarianceSource is where the variance of an estimate comes from.
type VarianceSource string

const (
	// VarianceHalves is the variance from the halves.
	VarianceHalves VarianceSource = "halves"
	// VarianceGiven is the square of the standard error, which takes the trained models as given;
	// it is used where it is larger.
	VarianceGiven VarianceSource = "given"
)

// variancePower is p of Variance, the largest of 1, 1.5 and 2 whose intervals covered; see
// docs/decisions/intervals.md.
const variancePower = 1.5

// Variance returns the variance of value k on all units, a share a, with or without a standard
// error s over the units,
//
//	V = max(H, 2B) min(1, a(1−a)/(ā(1−ā)))^1.5, and at least s²
//
// with H, B and the mean ā of the halves. B counts for rows if the halves are Given, and not Drawn: without a signal H
// is in proportion to the signal that these rows have by chance, and is small where the estimate is too (see Minus).
// Half of the units have twice the variance of all. They also train worse models, whose estimates vary more: exponent 1
// in place of 1.5 would be the variance of a binomial share, and 2 a constant variance on the logit scale. Both shares
// are
// kept at least half a unit away from 0 and 1. Cost O(1).
func (h *Halves) Variance(a float64, stderr metric.Value, k int) (float64, VarianceSource) {
	v := h.Half[k]
	if h.Given && !h.Drawn && h.Of == "row" {
		v = max(v, 2*h.Both[k])
	}
	v *= h.shrink(a, k)
	if given := stderr.Value * stderr.Value; h.Given && stderr.Defined && given > v {
		return given, VarianceGiven
	}
	return v, VarianceHalves
}

// shrink is the factor of H in the variance of value k on all units, where it is a.
func (h *Halves) shrink(a float64, k int) float64 {
	spread := func(a float64) float64 {
		a = fromEnds(a, h.Units)
		return a * (1 - a)
	}
	return math.Pow(min(1, spread(a)/spread(h.Mean[k])), variancePower)
}

// Interval returns the 95 % interval of value k, a share with or without a standard error, by
// Variance and ShareInterval, in O(1). A nil Halves has none.
func (h *Halves) Interval(share float64, stderr metric.Value, k int) Interval {
	if h == nil {
		return Interval{}
	}
	v, _ := h.Variance(share, stderr, k)
	return ShareInterval(share, v, h.Units)
}

// IntervalOver is Interval with the standard error of a point, over its units. It counts on fewer of them where these
// limit the precision: on twice the rarer of two labels, as that of an ROC does, and where few of the split units have
// most of the pairs, on as many as they amount to (see metric.Over). Then the variance is at least that of the standard
// error, since two halves show only half of the deviation of a unit that is always in one of them. The interval is not
// Defined over fewer than ratio.LeastUnits units, or of the rarer label.
func (h *Halves) IntervalOver(share float64, p Point, k int) Interval {
	over, own := p.Over, h != nil && p.Over.Of == h.Of
	if h == nil || ratio.RarelySeen(over) || own && ratio.Few(over) {
		return Interval{}
	}
	v, _ := h.Variance(share, p.StdErr, k)
	units := h.Units
	if over.Rarer > 0 {
		units = min(units, 2*over.Rarer)
	}
	if own && ratio.Weighs(over) {
		units, v = min(units, ratio.Counting(over)), max(v, p.StdErr.Value*p.StdErr.Value)
	}
	return ShareInterval(share, v, units)
}

// errFewHalves is the reason why there is no variance.
var errFewHalves = errors.New("too few halves of the data give an estimate")

// HalfSamples estimates the variance of an estimate, including all its choices, by random splits of
// the independent units, rows or queries, into two disjoint halves,
//
//	H = (1/S) Σ_s (a_s − b_s)²/4
//
// over S splits with the estimates a and b of the halves (half-samples: McCarthy 1969,
// Pseudo-replication: half samples; Politis, Romano and Wolf 1999, Subsampling). Unlike the
// standard error of a Point it does not take the trained models as given: it includes the variance
// of training, which is the larger part for few rows and many features.
//
// draw makes a split; estimate returns the values of a half, always the same number. HalfSamples
// calls estimate from several goroutines; the result does not depend on their number. A split with
// a half whose estimate is an error does not count. HalfSamples returns such an error where less
// than half of the splits count, and the error of ctx. The cost is 2·splits estimates.
func HalfSamples(ctx context.Context, splits int, seed uint64, draw func(r *rand.Rand) [2][]int,
	estimate func(ctx context.Context, units []int) ([]float64, error),
	progress func(done, total int)) (*Halves, error) {
	values := make([][2][]float64, splits)
	failed := make([]error, splits)
	var done atomic.Int64
	parallel.For(splits, func(_, s int) {
		if failed[s] = ctx.Err(); failed[s] != nil {
			return
		}
		for h, units := range draw(rand.New(rand.NewPCG(seed, 0x68616c660000+uint64(s)))) {
			if values[s][h], failed[s] = estimate(ctx, units); failed[s] != nil {
				break
			}
		}
		if n := done.Add(1); progress != nil {
			progress(int(n), splits)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for s, err := range failed {
		if err != nil {
			values[s] = [2][]float64{}
		}
	}
	out := newHalves(values)
	if 2*out.Splits < splits || splits == 0 {
		return nil, fmt.Errorf("%w: %w", errFewHalves, cmp.Or(failed...))
	}
	return out, nil
}

// newHalves are the half-samples of the values of some splits, nil where a split does not count.
func newHalves(values [][2][]float64) *Halves {
	out := &Halves{values: values}
	for _, v := range values {
		if v[0] == nil {
			continue
		}
		if out.Half == nil {
			out.Half, out.Mean = make([]float64, len(v[0])), make([]float64, len(v[0]))
		}
		out.Splits++
		for k := range out.Half {
			d := v[0][k] - v[1][k]
			out.Half[k] += d * d / 4
			out.Mean[k] += (v[0][k] + v[1][k]) / 2
		}
	}
	out.Both = make([]float64, len(out.Half))
	for k := range out.Half {
		out.Half[k] /= float64(out.Splits)
		out.Mean[k] /= float64(out.Splits)
	}
	for _, v := range values {
		if v[0] == nil {
			continue
		}
		for k := range out.Both {
			m := (v[0][k]+v[1][k])/2 - out.Mean[k]
			out.Both[k] += m * m / float64(max(1, out.Splits-1))
		}
	}
	return out
}

// Intervals says whether half-samples give an estimate 95 % intervals.
type Intervals string

const (
	// IntervalsAuto, the default, makes them where they take at most some ten seconds of one core,
	// see HalvesBudget; otherwise a note says that they are missing.
	IntervalsAuto Intervals = ""
	// IntervalsHalves makes them however long they take. It is an error where there are none.
	IntervalsHalves Intervals = "halves"
	// IntervalsNone makes none.
	IntervalsNone Intervals = "none"
)

// Known reports whether i is one of the constants.
func (i Intervals) Known() bool {
	return i == IntervalsAuto || i == IntervalsHalves || i == IntervalsNone
}
