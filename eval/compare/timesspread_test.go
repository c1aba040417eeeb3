package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/eval/metric"
	"pairrank/internal/student"
)

// Where all units add the same, as many right as wrong, the degrees of freedom are those of their number: the
// difference of Satterthwaite's is 0 but for rounding.
func TestTimesSpreadOfEqualUnits(t *testing.T) {
	for n := 6; n <= 40; n += 2 {
		s := &unitSums{}
		for g := range n {
			s.units = append(s.units, metric.Term{Num: float64(g % 2), Den: 1})
		}
		s.all = metric.Term{Num: float64(n / 2), Den: float64(n)}
		if got := s.spread(n - 1); got < n-2 {
			t.Errorf("%d units: %d degrees of freedom", n, got)
		}
	}
}

// The quantile of an interval is that of Satterthwaite's degrees of freedom, from the pairs of each row by their
// definition, and at most that of the events or rows.
func TestTimesSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 1))
	fewer := 0
	for try := range 200 {
		in, f, _ := trial(rng, 40+rng.IntN(40), 0.5, 0.4)
		for range len(f) * (try % 2) {
			in.Weights = append(in.Weights, math.Exp(1.5*rng.NormFloat64()))
		}
		found, err := Times(in, nil, []metric.Metric{metric.CIndex}, f)
		if err != nil {
			t.Fatal(err)
		}
		c := found.Values[0]
		right, all := make([]float64, len(f)), make([]float64, len(f))
		num, den := 0.0, 0.0
		for i := range f {
			for j := range f {
				if in.Censored[i] || in.Labels[i] >= in.Labels[j] {
					continue
				}
				w := 1.0
				if in.Weights != nil {
					w = in.Weights[i] * in.Weights[j]
				}
				r := 0.0
				if f[i] < f[j] {
					r = w
				}
				num, den = num+r, den+w
				right[i], right[j], all[i], all[j] = right[i]+r, right[j]+r, all[i]+w, all[j]+w
			}
		}
		second, fourth, n := 0.0, 0.0, 0.0
		for i := range f {
			if all[i] > 0 {
				l := right[i] - num/den*all[i]
				second, fourth, n = second+l*l, fourth+math.Pow(l, 4), n+1
			}
		}
		most := seen(in, math.Inf(1), false) - 1
		df := int(2 / (fourth/(second*second) - 1/n))
		if df < most {
			fewer++
		}
		logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
		v := c.Value.Value
		want := student.Quantile975(max(1, min(most, df))) * c.StdErr.Value / (v * (1 - v))
		if min(v, 1-v) < 1/(2*float64(max(most, 1)+1)) {
			continue // nearer to an end than the units say
		}
		if half := (logit(c.Interval.Hi) - logit(c.Interval.Lo)) / 2; math.Abs(half-want) > 1e-8*want {
			t.Fatalf("half an interval is %v, want %v (%d of %d degrees of freedom)", half, want, df, most)
		}
	}
	if fewer < 50 {
		t.Errorf("fewer degrees of freedom in %d studies", fewer)
	}
}
