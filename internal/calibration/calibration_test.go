package calibration

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/naive"
)

// someRanking is labels and scores in queries, full of ties.
func someRanking(r *rand.Rand, m, q int) metric.Input {
	in := metric.Input{}
	of := make([]int32, m)
	for i := range m {
		in.Labels = append(in.Labels, float64(r.IntN(4)))
		in.Scores = append(in.Scores, float64(r.IntN(9))/4)
		of[i] = int32(r.IntN(q))
	}
	in.Queries = data.NewPartition(of, q)
	return in
}

// The bins of a calibration hold every pair of a query with different labels once, with equal
// differences in one bin, and the share in the right order equals that of counting.
func TestCalibrate(t *testing.T) {
	const rounding = 1e-12 // of sums of some hundred terms
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		in := someRanking(r, 2+r.IntN(60), 1+r.IntN(6))
		bins := 1 + r.IntN(8)
		c, err := Calibrate(in, Options{Bins: bins})
		if err != nil {
			t.Fatal(err)
		}
		total, last := 0, math.Inf(-1)
		for _, b := range c.Bins {
			if b.Lo <= last || b.Hi < b.Lo {
				t.Errorf("%d: a bin from %v to %v after %v", seed, b.Lo, b.Hi, last)
			}
			last = b.Hi
			pairs, right, sum, perQuery := naiveBin(in, b.Lo, b.Hi)
			if pairs != b.Pairs || math.Abs(right/float64(pairs)-b.Right) > rounding ||
				math.Abs(sum/float64(pairs)-b.Mean) > rounding {
				t.Errorf("%d: bin %+v has %d pairs, %v right", seed, b, pairs, right)
			}
			if want := naive.RatioError(perQuery, b.Right); b.StdErr.Defined != (want > 0) ||
				math.Abs(want-b.StdErr.Value) > rounding {
				t.Errorf("%d: standard error %v, want %v", seed, b.StdErr, want)
			}
			total += pairs
		}
		if all, _, _, _ := naiveBin(in, 0, math.Inf(1)); total != all || float64(all) != c.Pairs ||
			len(c.Bins) > bins || c.Drawn != 0 {
			t.Errorf("%d: %d pairs of %d in %d bins of %d", seed, total, all, len(c.Bins), bins)
		}
	}
}

// naiveBin counts the pairs whose scores differ by lo to hi.
func naiveBin(in metric.Input, lo, hi float64) (pairs int, right, sum float64, perQuery map[int32][2]float64) {
	perQuery = map[int32][2]float64{}
	for i := range in.Labels {
		for j := range i {
			d := math.Abs(in.Scores[i] - in.Scores[j])
			g := in.Queries.Of()[i]
			if g != in.Queries.Of()[j] || in.Labels[i] == in.Labels[j] || d < lo || d > hi {
				continue
			}
			w := 0.5
			if in.Scores[i] != in.Scores[j] {
				w = 0
				if (in.Scores[i] > in.Scores[j]) == (in.Labels[i] > in.Labels[j]) {
					w = 1
				}
			}
			pairs, right, sum = pairs+1, right+w, sum+d
			perQuery[g] = [2]float64{perQuery[g][0] + w, perQuery[g][1] + 1}
		}
	}
	return pairs, right, sum, perQuery
}

// Drawn pairs agree with all pairs, and are the same for one seed; a calibration without pairs has
// no bin.
func TestCalibrateDraws(t *testing.T) {
	in := someRanking(rand.New(rand.NewPCG(7, 7)), 900, 3)
	all, err := Calibrate(in, Options{Bins: 1})
	if err != nil {
		t.Fatal(err)
	}
	const most = 40000
	some, err := Calibrate(in, Options{Bins: 1, Most: most, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Calibrate(in, Options{Bins: 1, Most: most, Seed: 5})
	if some.Drawn == 0 || some.Drawn > most || !math.IsNaN(some.Pairs) || some.Bins[0] != again.Bins[0] {
		t.Errorf("drawn %d of %d: %+v and %+v", some.Drawn, most, some.Bins, again.Bins)
	}
	const far = 0.015 // five standard errors of a share of some 30,000
	if d := math.Abs(some.Bins[0].Right - all.Bins[0].Right); d > far {
		t.Errorf("%v of the drawn pairs are right, %v of all", some.Bins[0].Right, all.Bins[0].Right)
	}
	none, err := Calibrate(metric.Input{Labels: []float64{1, 1}, Scores: []float64{1, 2}}, Options{})
	if err != nil || len(none.Bins) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	for _, bad := range []metric.Input{{Labels: []float64{1}, Scores: []float64{math.Inf(1)}},
		{Labels: []float64{math.NaN()}, Scores: []float64{1}}} {
		if _, err := Calibrate(bad, Options{}); err == nil {
			t.Errorf("%+v is calibrated", bad)
		}
	}
}

// Calibration by weights of 1 is that of none, and by any it is the definition in one bin.
func TestWeightedCalibration(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for trial := range 60 {
		in := someRanking(r, 40, 6)
		in.Weights = make([]float64, len(in.Labels))
		for i := range in.Scores {
			in.Weights[i] = []float64{1, float64(r.IntN(4)), r.ExpFloat64()}[trial%3]
			in.Scores[i] = r.NormFloat64()
		}
		c, err := Calibrate(in, Options{Bins: 1})
		if err != nil || len(c.Bins) == 0 {
			continue
		}
		if in.Weights = slices.Clone(in.Weights); trial%3 == 0 {
			in.Weights = nil
			if none, _ := Calibrate(in, Options{Bins: 1}); !slices.Equal(none.Bins, c.Bins) {
				t.Fatalf("weights of 1 give %+v, none %+v", c.Bins, none.Bins)
			}
			continue
		}
		report, err := metric.Evaluate(in, []metric.Metric{metric.PooledDisagreement}, metric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Results[0].Mean; math.Abs(1-got.Value-c.Bins[0].Right) > 1e-12 {
			t.Fatalf("share %v, 1 − pooled disagreement %v", c.Bins[0].Right, 1-got.Value)
		}
	}
}
