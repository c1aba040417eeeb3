package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/eval/metric"
)

// Differences that are equal but for rounding become equal, and 0.
func TestFlushRounding(t *testing.T) {
	x, y, z := 0.3, 0.2, 0.8 // not constants, which Go subtracts exactly
	if x-y == 0.1 || z-0.7 == 0.1 {
		t.Fatal("there are no rounding errors")
	}
	got := FlushRounding([]float64{x - y, 0.1, 0.7 - z, -1e-17, x + y - 0.5, 0.25, 0.1 + 3*apart})
	for _, k := range []int{0, 1} {
		if got[k] != -got[2] || math.Abs(got[k]-0.1) > 1e-16 {
			t.Errorf("%v in %v", got[k], got)
		}
	}
	for _, k := range []int{3, 4} {
		if got[k] != 0 || math.Signbit(got[k]) {
			t.Errorf("a rounding error becomes %v", got[k])
		}
	}
	if got[5] != 0.25 || got[6] != 0.1+3*apart {
		t.Errorf("%v: what differs has been changed", got)
	}
	if got := FlushRounding(nil); len(got) != 0 {
		t.Errorf("nothing becomes %v", got)
	}
}

// Wherever they lie, magnitudes a rounding error apart are one; a grid has places
// where they are not.
func TestFlushHasNoSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for k := range 2000 {
		x := rng.Float64()
		if k%2 == 0 { // half way between two steps of a grid of width apart
			x = (math.Floor(x/apart) + 0.5) * apart
		}
		d := []float64{x, -math.Nextafter(x, 2), math.Nextafter(x, -1), 2 + rng.Float64()}
		got := FlushRounding(d)
		if got[0] != -got[1] || got[0] != got[2] || got[3] != d[3] {
			t.Fatalf("%v becomes %v", d, got)
		}
		negative := []float64{-d[0], -d[1], -d[2], -d[3]}
		for i, v := range FlushRounding(negative) {
			if v != -got[i] {
				t.Fatalf("%v becomes %v, and with the sign turned %v", d, got, v)
			}
		}
	}
}

// tenths are reports of a metric with values a and b in tenths, b added up so that it has rounding
// errors.
func tenths(a, b []int) (x, y *metric.Report) {
	x = &metric.Report{Results: []metric.Result{{Metric: metric.PrecisionAt(10)}}}
	y = &metric.Report{Results: x.Results}
	for g := range a {
		sum := 0.0
		for range b[g] {
			sum += 0.1
		}
		x.PerQuery = append(x.PerQuery, metric.QueryValues{Values: []metric.Value{defined(float64(a[g]) / 10)}})
		y.PerQuery = append(y.PerQuery, metric.QueryValues{Values: []metric.Value{defined(sum)}})
	}
	return x, y
}

// No number of a comparison is as small as a rounding error: the mean and the limits are 0 where
// they are 0 in whole numbers.
func TestNoResultIsARoundingError(t *testing.T) {
	const least = 1e-9 // of tenths, draws and quantiles nothing is nearer to 0
	rng := rand.New(rand.NewPCG(12, 0))
	zeros := 0
	for range 400 {
		a, b := make([]int, 3+rng.IntN(6)), []int(nil)
		total := 0
		for g := range a {
			a[g] = rng.IntN(11)
			b = append(b, rng.IntN(11))
			total += a[g] - b[g]
		}
		x, y := tenths(a, b)
		r, err := Reports(x, y, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		res := r.Results[0]
		if total == 0 {
			zeros++
		}
		if (res.Difference.Value == 0) != (total == 0) {
			t.Errorf("%v and %v: difference %v", a, b, res.Difference.Value)
		}
		for _, v := range []float64{res.Difference.Value, res.Lo.Value, res.Hi.Value} {
			if v != 0 && math.Abs(v) < least || v == 0 && math.Signbit(v) {
				t.Errorf("%v and %v: %v is a rounding error", a, b, v)
			}
		}
	}
	if zeros == 0 {
		t.Error("no differences that sum to 0")
	}
}

// The same differences with and without rounding errors give the same report.
func TestRoundingErrorsChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	for range 100 {
		a, b := make([]int, 12), make([]int, 12)
		for g := range a {
			a[g], b[g] = rng.IntN(11), rng.IntN(11)
		}
		x, y := tenths(a, b)
		noisy := &metric.Report{Results: y.Results, PerQuery: slices.Clone(y.PerQuery)}
		for g := range b {
			v := y.PerQuery[g].Values[0].Value
			v += float64(rng.IntN(5)-2) * 0x1p-53
			noisy.PerQuery[g] = metric.QueryValues{Values: []metric.Value{defined(v)}}
		}
		one, err := Reports(x, y, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		two, err := Reports(x, noisy, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		p, q := one.Results[0], two.Results[0]
		if p.Wins != q.Wins || p.Ties != q.Ties || p.Wilcoxon != q.Wilcoxon || p.Flips != q.Flips {
			t.Errorf("%v and %v: %+v and %+v", a, b, p, q)
		}
		const rounding = 1e-14 // of a mean of twelve, times a quantile of at most 20
		if math.Abs(p.Lo.Value-q.Lo.Value) > rounding || math.Abs(p.Hi.Value-q.Hi.Value) > rounding {
			t.Errorf("%v and %v: %v to %v and %v to %v", a, b, p.Lo, p.Hi, q.Lo, q.Hi)
		}
	}
}
