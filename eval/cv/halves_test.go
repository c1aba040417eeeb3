package cv_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/holdout"
)

// TestHalfSamplesOfAMean: of the mean of numbers H is, in the mean over splits of n
// numbers into halves, the variance of the mean, Σ(x−x̄)²/(n−1)/n: a half's mean
// differs from the other's by twice its own deviation, whose variance without
// replacement is s²/n. The means of two halves add up to twice that of all, so that B is 0. Of a statistic of pairs,
// Σ_{i≠j} z_i z_j / n^1.5 of signs z, which has no part of single units, 2B is the variance over samples, 2/n.
func TestHalfSamplesOfAMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, splits = 40, 20_000
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	mean := func(units []int) (sum float64) {
		for _, i := range units {
			sum += x[i] / float64(len(units))
		}
		return sum
	}
	ofPairs := func(units []int) float64 {
		sum, h := 0.0, float64(len(units))
		for _, i := range units {
			sum += float64(1 - 2*(i%2))
		}
		return (sum*sum - h) / math.Pow(h, 1.5)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	want := 0.0
	for _, v := range x {
		want += (v - mean(all)) * (v - mean(all)) / (n - 1) / n
	}
	got, err := cv.HalfSamples(t.Context(), splits, 7, holdout.SplitQueries(n),
		func(_ context.Context, units []int) ([]float64, error) {
			return []float64{mean(units), 2 * mean(units), ofPairs(units)}, nil
		}, nil)
	if err != nil || got.Splits != splits {
		t.Fatalf("%+v, %v", got, err)
	}
	// the standard error of V over 20,000 splits is √2/√20,000 of it
	if math.Abs(got.Half[0]/want-1) > 0.04 || math.Abs(got.Half[1]/got.Half[0]-4) > 1e-9 {
		t.Errorf("%v, want %g", got.Half, want)
	}
	const rounding = 1e-25
	if got.Both[0] > rounding || math.Abs(2*got.Both[2]*n/2-1) > 0.1 {
		t.Errorf("variances of the mean of both halves %v, want 0 and %g", got.Both, 1.0/n)
	}
}

// TestHalfSamplesAreTheSameForAnyThreads also checks that only splits with an estimate on both
// halves count.
func TestHalfSamplesAreTheSameForAnyThreads(t *testing.T) {
	odd := errors.New("odd")
	run := func() *cv.Halves {
		h, err := cv.HalfSamples(t.Context(), 50, 3, holdout.SplitQueries(9),
			func(_ context.Context, units []int) ([]float64, error) {
				if units[0] == 0 && units[1] == 1 {
					return nil, odd
				}
				return []float64{float64(units[0])}, nil
			}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	many := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := run(); one.Splits != many.Splits || one.Splits == 50 || !slices.Equal(one.Half, many.Half) {
		t.Errorf("%+v on one thread, %+v on more", one, many)
	}
	_, err := cv.HalfSamples(t.Context(), 50, 3, holdout.SplitQueries(9),
		func(context.Context, []int) ([]float64, error) {
			return nil, odd
		}, nil)
	if !errors.Is(err, odd) || !strings.HasPrefix(err.Error(), "too few halves") {
		t.Errorf("all failed: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	one := func(context.Context, []int) ([]float64, error) { return []float64{1}, nil }
	if _, err := cv.HalfSamples(ended, 50, 3, holdout.SplitQueries(9), one, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

// TestSplitRows: halves are disjoint, cover all rows, differ by one row at most, and
// have as many of each frequent label to one.
func TestSplitRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for trial := range 300 {
		y := make([]float64, 1+r.IntN(40))
		levels := 1 + r.IntN(12)
		for i := range y {
			y[i] = float64(r.IntN(levels))
		}
		halves := holdout.SplitRows(y)(r)
		if d := len(halves[0]) - len(halves[1]); d < -1 || d > 1 {
			t.Fatalf("trial %d: halves of %d and %d", trial, len(halves[0]), len(halves[1]))
		}
		both := slices.Concat(halves[0], halves[1])
		slices.Sort(both)
		for i, v := range both {
			if i != v {
				t.Fatalf("trial %d: rows %v", trial, both)
			}
		}
		count := map[float64][2]int{}
		for h, rows := range halves {
			for _, i := range rows {
				c := count[y[i]]
				c[h]++
				count[y[i]] = c
			}
		}
		for label, c := range count {
			if d := c[0] - c[1]; c[0]+c[1] >= 4 && (d < -1 || d > 1) {
				t.Errorf("trial %d: label %g %d and %d times", trial, label, c[0], c[1])
			}
		}
	}
}

// TestShareInterval: the interval contains the share, mirrors that of the complement, and is not
// empty at the ends.
func TestShareInterval(t *testing.T) {
	for _, share := range []float64{0, 0.001, 0.3, 0.5, 0.97, 1} {
		for _, v := range []float64{0, 1e-6, 0.004, 0.2} {
			i, other := cv.ShareInterval(share, v, 40), cv.ShareInterval(1-share, v, 40)
			if inner := share == 0.3 || share == 0.5 || share == 0.97; inner && v == 0 {
				if i.Defined {
					t.Errorf("an interval of %g without variance: %+v", share, i)
				}
				continue
			}
			if !i.Defined || i.Lo > share || i.Hi < share || i.Lo < 0 || i.Hi > 1 || i.Hi-i.Lo < 1e-4 {
				t.Errorf("%g with variance %g: %+v", share, v, i)
			}
			if math.Abs(i.Lo-(1-other.Hi)) > 1e-12 || math.Abs(i.Hi-(1-other.Lo)) > 1e-12 {
				t.Errorf("%g with variance %g: %+v, and of the rest %+v", share, v, i, other)
			}
		}
	}
	// 2.2622 is the 97.5 % quantile of Student's t with 9 degrees of freedom
	if i := cv.ShareInterval(0.8, 0.01, 10); math.Abs(i.Lo-1/(1+math.Exp(2.2622*0.1/0.16-math.Log(4)))) > 1e-4 {
		t.Errorf("%+v", i)
	}
	for _, bad := range []float64{math.NaN(), -0.1, 1.1} {
		if cv.ShareInterval(bad, 0.01, 10).Defined {
			t.Errorf("an interval of %g", bad)
		}
	}
}

// TestVarianceOfHalves: it is that of the halves, less where they are worse, and at least the
// square of a standard error over the units.
func TestVarianceOfHalves(t *testing.T) {
	stderr := func(s float64) metric.Value { return metric.Value{Value: s, Defined: true} }
	for _, c := range []struct {
		half, mean float64
		given      bool
		stderr     metric.Value
		want       float64
		source     cv.VarianceSource
	}{
		{0.01, 0.2, true, stderr(0.06), 0.01, cv.VarianceHalves},
		{0.01, 0.5, true, stderr(0.06), 0.01 * 0.512, cv.VarianceHalves}, // 0.16/0.25 is 0.8²
		{0.01, 0.5, true, stderr(0.08), 0.0064, cv.VarianceGiven},
		{0.01, 0.1, true, stderr(0.06), 0.01, cv.VarianceHalves}, // halves that are better
		{0.01, 0.2, true, stderr(0.2), 0.04, cv.VarianceGiven},
		{0, 0, true, stderr(0.2), 0.04, cv.VarianceGiven},
		{0.01, 0.2, false, stderr(0.2), 0.01, cv.VarianceHalves},
		{0.01, 0.2, true, metric.Value{Value: 0.2}, 0.01, cv.VarianceHalves},
		{0.01, 0.2, true, stderr(math.NaN()), 0.01, cv.VarianceHalves},
	} {
		h := &cv.Halves{Half: []float64{7, c.half}, Mean: []float64{0, c.mean}, Both: []float64{9, c.half / 2},
			Units: 30,
			Given: c.given}
		for _, share := range []float64{0.2, 0.8} {
			if share == 0.8 {
				h.Mean[1] = 1 - c.mean
			}
			v, source := h.Variance(share, c.stderr, 1)
			if math.Abs(v-c.want) > 1e-15 || source != c.source {
				t.Errorf("%+v: %v of %q", c, v, source)
			}
			if got, want := h.Interval(share, c.stderr, 1), cv.ShareInterval(share, v, 30); got != want {
				t.Errorf("%+v: interval %+v, want %+v", c, got, want)
			}
		}
	}
	wide := &cv.Halves{Half: []float64{0.01}, Mean: []float64{0.5}, Both: []float64{0.02}, Units: 30, Of: "row"}
	for _, given := range []bool{false, true} { // 2B where nothing but halves is drawn
		wide.Given = given
		want := map[bool]float64{false: 0.01, true: 0.04}[given]
		if v, _ := wide.Variance(0.5, metric.Value{}, 0); v != want {
			t.Errorf("given %v: %v, want %v", given, v, want)
		}
	}
	end := &cv.Halves{Half: []float64{1e-4}, Mean: []float64{1e-3}, Units: 30}
	if v, _ := end.Variance(0, metric.Value{}, 0); v != 1e-4 {
		t.Errorf("of 0: %v", v) // both are within half a unit of 0
	}
	if (*cv.Halves)(nil).Interval(0.3, stderr(0.1), 0).Defined {
		t.Error("an interval without halves")
	}
}
