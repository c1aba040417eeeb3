package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/eval/metric"
	"pairrank/internal/student"
)

// naiveInterval is the formula, one sample after another, from the same draws.
func naiveInterval(d []float64, most float64, resamples int, seed uint64) (lo, hi float64) {
	q := float64(len(d))
	moments := func(x []float64) (m, squares float64) {
		for _, v := range x {
			m += v / float64(len(x))
		}
		for _, v := range x {
			squares += (v - m) * (v - m)
		}
		return m, squares
	}
	m, squares := moments(d)
	variance := squares / (q - 1)
	var ts []float64
	drawn := make([]float64, len(d))
	for from := 0; from < resamples; from += perDraw {
		rng := rand.New(generator(seed, bootstrapSequence, from))
		for range min(perDraw, resamples-from) {
			for i := range drawn {
				drawn[i] = d[rng.IntN(len(d))]
			}
			mean, within := moments(drawn)
			ts = append(ts, (mean-m)/math.Sqrt((within+variance)/q/q))
		}
	}
	slices.Sort(ts)
	at := max(1, (resamples+1)/40)
	t, unit := student.Quantile975(len(d)-1), math.Sqrt(variance/q)
	return max(-most, m-max(t, ts[resamples-at])*unit), min(most, m-min(-t, ts[at-1])*unit)
}

func TestIntervalIsItsFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, q := range []int{2, 3, 5, 10, 40, 130} {
		d := make([]float64, q)
		for i := range d {
			d[i] = 0.1 * rng.ExpFloat64()
		}
		lo, hi := Interval(d, 1, 700, 9)
		wantLo, wantHi := naiveInterval(d, 1, 700, 9)
		const rounding = 1e-12 // of sums of squares, at t of some tens
		if math.Abs(lo-wantLo) > rounding || math.Abs(hi-wantHi) > rounding {
			t.Errorf("q = %d: %v to %v, want %v to %v", q, lo, hi, wantLo, wantHi)
		}
	}
}

func TestInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	d, negated := make([]float64, 400), make([]float64, 400)
	for i := range d {
		d[i] = rng.NormFloat64()
		negated[i] = -d[i]
	}
	lo, hi := Interval(d, math.Inf(1), 0, 1)
	m, _ := mean(d)
	s := 0.0
	for _, x := range d {
		s += (x - m) * (x - m) / float64(len(d)*len(d))
	}
	s = math.Sqrt(s)
	// a quantile of 10,000 draws has a standard error of 0.027 standard errors of
	// the mean; 400 normal numbers make the interval all but normal
	const tolerance = 0.15
	if math.Abs((lo-m)/s+1.96) > tolerance || math.Abs((hi-m)/s-1.96) > tolerance {
		t.Errorf("interval %v to %v, mean %v, standard error %v", lo, hi, m, s)
	}
	if a, b := Interval(negated, math.Inf(1), 0, 1); a != -hi || b != -lo {
		t.Errorf("interval %v to %v, that of −d %v to %v", lo, hi, a, b)
	}
	if a, b := Interval(d, math.Inf(1), 0, 2); a == lo && b == hi {
		t.Error("the seed does not matter")
	}
}

// Samples with few values give limits that are numbers, within the range, around the mean.
func TestIntervalOfFewValues(t *testing.T) {
	long := make([]float64, 300)
	long[7], long[70] = 1, 0.5
	for _, d := range [][]float64{
		{0, 1}, {-1, 1}, {1, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		{1, 1, 1, 1, -1}, long,
	} {
		lo, hi := Interval(d, 1, 500, 3)
		m, _ := mean(d)
		if !(-1 <= lo && lo < m && m < hi && hi <= 1) {
			t.Errorf("%v: %v to %v", d, lo, hi)
		}
	}
	for _, x := range []float64{0, 0.1, -1, 0.7} {
		for _, q := range []int{2, 3, 10, 37} {
			if lo, hi := Interval(slices.Repeat([]float64{x}, q), 1, 100, 1); lo != x || hi != x {
				t.Errorf("%d differences of %v: %v to %v", q, x, lo, hi)
			}
		}
	}
}

// An interval is at least as long as Student's, so that with five normal differences it has its
// nominal coverage; the percentile interval has coverage 84 %.
func TestIntervalCoversOfFewDifferences(t *testing.T) {
	const simulations = 2000
	rng := rand.New(rand.NewPCG(14, 0))
	for _, q := range []int{3, 5, 10} {
		covered := 0
		d := make([]float64, q)
		for k := range simulations {
			for i := range d {
				d[i] = rng.NormFloat64()
			}
			if lo, hi := Interval(d, math.Inf(1), 200, uint64(k)); lo <= 0 && 0 <= hi {
				covered++
			}
		}
		// four standard errors of a share of 0.95
		if share := float64(covered) / simulations; share < 0.95-4*math.Sqrt(0.95*0.05/simulations) {
			t.Errorf("%d differences: covers %v", q, share)
		}
	}
}

// Metrics of any number of queries share their draws, and have the interval that they
// have alone.
func TestSharedDrawsAreTheOwnOnes(t *testing.T) {
	a, b := reports(t, 40, metric.NDCGAt(3), metric.TauB, metric.MAP, metric.Disagreement)
	r, err := Reports(a, b, Options{Resamples: 600, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	for j, res := range r.Results {
		x, y := reports(t, 40, res.Metric)
		alone, err := Reports(x, y, Options{Resamples: 600, Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		if only := alone.Results[0]; only.Lo != res.Lo || only.Hi != res.Hi {
			t.Errorf("metric %d, %s: %v to %v, alone %v to %v", j, res.Metric, res.Lo, res.Hi, only.Lo, only.Hi)
		}
	}
}

// Differences that are all alike get a warning, for their interval is a point.
func TestEqualDifferencesWarn(t *testing.T) {
	x, y := tenths([]int{3, 5, 8, 9, 4, 7, 10}, []int{2, 4, 7, 8, 3, 6, 9})
	r, err := Reports(x, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	res := r.Results[0]
	if res.Lo != res.Hi || res.Lo != res.Difference || math.Abs(res.Lo.Value-0.1) > 1e-16*4 {
		t.Errorf("%v to %v, difference %v", res.Lo, res.Hi, res.Difference)
	}
	if want := "p@10 differs by the same amount on all 7 queries: the interval has length 0 and says nothing " +
		"about other queries"; !slices.Equal(r.Warnings, []string{want}) {
		t.Errorf("warnings %q", r.Warnings)
	}
}
