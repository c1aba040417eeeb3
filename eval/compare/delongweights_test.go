package compare

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// weighedShares are naiveShares where each row of the other label counts its weight, and the weights of the rows.
func weighedShares(scores, y, w []float64, of float64) (v, own []float64) {
	for i, s := range scores {
		if y[i] != of {
			continue
		}
		sum, n := 0.0, 0.0
		for j, u := range scores {
			if y[j] == of {
				continue
			}
			n += w[j]
			switch {
			case s == u:
				sum += w[j] / 2
			case (s > u) == (of == 1):
				sum += w[j]
			}
		}
		v, own = append(v, sum/n), append(own, w[i])
	}
	return v, own
}

// weighedVariance is the mean of shares by weight and its variance with weights as given.
func weighedVariance(v, w []float64) (mean, variance float64) {
	s, q := 0.0, 0.0
	for i := range v {
		s, q = s+w[i], q+w[i]*w[i]
	}
	for i := range v {
		mean += w[i] * v[i] / s
	}
	for i := range v {
		variance += w[i] * w[i] * (v[i] - mean) * (v[i] - mean) / (s * s)
	}
	k := s * s / q
	return mean, variance * k / (k - 1)
}

func TestWeightedDeLongIsItsDefinition(t *testing.T) {
	const tiny = 1e-12
	r := rand.New(rand.NewPCG(21, 22))
	for trial := range 500 {
		m := 6 + r.IntN(40)
		y, a, b, w, of := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m), make([]int32, m)
		levels := []float64{2, 5, 1e9}[r.IntN(3)]
		for i := range y {
			y[i], w[i], of[i] = float64(i%2), 0.2+r.ExpFloat64(), int32(i/3)
			a[i], b[i] = math.Floor(levels*r.Float64()), math.Floor(levels*r.Float64())
		}
		got, err := DeLongBy(nil, w, y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		var means, variances, apart []float64
		for _, label := range []float64{1, 0} {
			va, own := weighedShares(a, y, w, label)
			vb, _ := weighedShares(b, y, w, label)
			d := make([]float64, len(va))
			for i := range va {
				d[i] = va[i] - vb[i]
			}
			mean, variance := weighedVariance(va, own)
			_, ofDifference := weighedVariance(d, own)
			means, variances, apart = append(means, mean), append(variances, variance), append(apart, ofDifference)
		}
		area, d := got.Areas[0], got.Differences[0]
		equalWeights(t, y, a, b, of)
		if few := min(effectiveOf(y, w, 1), effectiveOf(y, w, 0)) < 2; few || !area.StdErr.Defined {
			if few && (area.StdErr.Defined || d.StdErr.Defined || area.Interval.Defined) || !few {
				t.Fatalf("effective rows below 2: %v, %+v, %+v", few, area, d)
			}
			continue
		}
		for name, pair := range map[string][2]float64{
			"AUC": {area.AUC, means[0]}, "AUC by the negatives": {area.AUC, means[1]},
			"variance":                {math.Pow(area.StdErr.Value, 2), variances[0] + variances[1]},
			"difference":              {d.Difference, area.AUC - got.Areas[1].AUC},
			"variance of difference":  {math.Pow(d.StdErr.Value, 2), apart[0] + apart[1]},
			"effective rows positive": {got.Weights.EffectivePositives, effectiveOf(y, w, 1)},
		} {
			if math.Abs(pair[0]-pair[1]) > tiny*max(1, math.Abs(pair[1])) {
				t.Fatalf("trial %d: %s: %v, want %v", trial, name, pair[0], pair[1])
			}
		}
	}
}

func effectiveOf(y, w []float64, label float64) float64 {
	s, q := 0.0, 0.0
	for i := range w {
		if y[i] == label {
			s, q = s+w[i], q+w[i]*w[i]
		}
	}
	return s * s / q
}

// equalWeights checks that weights of 1 give what none give, and that a factor changes nothing.
func equalWeights(t *testing.T, y, a, b []float64, of []int32) {
	t.Helper()
	ones, twos := make([]float64, len(y)), make([]float64, len(y))
	for i := range ones {
		ones[i], twos[i] = 1, 2
	}
	for _, groups := range [][]int32{nil, of} {
		none, err := DeLongBy(groups, nil, y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := DeLongBy(groups, ones, y, a, b)
		two, _ := DeLongBy(groups, twos, y, a, b)
		one.Weights, two.Weights = nil, nil
		if !reflect.DeepEqual(one, none) || !reflect.DeepEqual(two, none) {
			t.Fatalf("weights of 1 %+v, of 2 %+v, none %+v", one, two, none)
		}
	}
}

// Scores without a wrong pair have an area of exactly 1 and no variance, whatever the weights.
func TestWeightedDeLongWithoutErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 100 {
		var y, a, b, w []float64
		for i := range 30 {
			y, w = append(y, float64(i%2)), append(w, r.ExpFloat64())
			a, b = append(a, y[i]+r.Float64()/2), append(b, 3*y[i]+r.Float64())
		}
		got, err := DeLongBy(nil, w, y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		if d := got.Differences[0]; got.Areas[0].AUC != 1 || got.Areas[0].StdErr.Value != 0 || d.P.Defined {
			t.Fatalf("%+v, %+v", got.Areas[0], d)
		}
	}
}
