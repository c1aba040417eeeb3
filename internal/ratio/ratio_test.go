package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/eval/metric"
	"pairrank/internal/naive"
)

// The standard error of a ratio is that of leaving out each unit, and for units of equal weight that of a mean.
func TestRatioError(t *testing.T) {
	const rounding = 1e-12
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		units := make([]metric.Term, 1+r.IntN(12))
		perUnit, right, pairs, equal := map[int32][2]float64{}, 0.0, 0.0, seed%2 == 0
		for k := range units {
			den := float64(r.IntN(9))
			if equal {
				den = 4
			}
			units[k] = metric.Term{Num: float64(r.IntN(int(den)+1)) / 2, Den: den}
			if den > 0 {
				perUnit[int32(k)] = [2]float64{units[k].Num, den}
				right, pairs = right+units[k].Num, pairs+den
			}
		}
		got, over := Error(units)
		want := naive.RatioError(perUnit, right/pairs)
		if got.Defined != (want > 0) || math.Abs(got.Value-want) > rounding || over.N != len(perUnit) {
			t.Errorf("seed %d: %v over %+v, want %v over %d", seed, got, over, want, len(perUnit))
		}
		if n, sum := float64(over.N), 0.0; equal && got.Defined {
			for _, u := range units {
				d := u.Num/u.Den - right/pairs
				sum += d * d
			}
			if mean := math.Sqrt(sum / n / (n - 1)); math.Abs(mean-got.Value) > rounding || over.Effective != n {
				t.Errorf("seed %d: %v over %v effective units, and that of the mean is %v", seed, got, over.Effective, mean)
			}
		}
	}
}

// Nothing has a standard error over fewer than three units, or one of 0.
func TestStandardError(t *testing.T) {
	for _, c := range []struct {
		variance float64
		units    int
		defined  bool
	}{{0.25, 3, true}, {0.25, 2, false}, {0, 100, false}, {1e-32, 100, false}, {1e-20, 100, true}, {-1, 9, false},
		{math.Inf(1), 9, false}, {math.NaN(), 9, false}} {
		if got := StandardError(c.variance, c.units); got.Defined != c.defined ||
			c.defined && got.Value != math.Sqrt(c.variance) {
			t.Errorf("%v over %d: %v", c.variance, c.units, got)
		}
	}
}

// One query with most of the pairs counts as hardly more than one.
func TestOver(t *testing.T) {
	units := []metric.Term{{Num: 20, Den: 990}}
	for range 11 {
		units = append(units, metric.Term{Num: 2, Den: 9})
	}
	stderr, over := Error(units)
	over.Of = "query"
	if !Few(over) || Counting(over) != 1 || Text(over) != "1.2 effective queries of 12" || stderr.Value < 0.17 {
		t.Errorf("± %v over %s, %d counting", stderr, Text(over), Counting(over))
	}
	for _, c := range []struct {
		over     metric.Over
		few      bool
		counting int
		text     string
	}{
		{metric.Over{N: 2, Of: "query", Effective: 2}, true, 2, "2 queries"},
		{metric.Over{N: 3, Of: "query", Effective: 3}, false, 3, "3 queries"},
		{metric.Over{N: 40, Of: "query", Effective: 4.7}, false, 4, "4.7 effective queries of 40"},
		{metric.Over{N: 40, Of: "query", Effective: 30}, false, 40, "40 queries"},
		{metric.Over{N: 9, Of: "row"}, false, 9, "9 rows"},
		{metric.Over{}, false, 0, "0 s"},
	} {
		if Few(c.over) != c.few || Counting(c.over) != c.counting || Text(c.over) != c.text {
			t.Errorf("%+v: few %v, %d counting, %q", c.over, Few(c.over), Counting(c.over), Text(c.over))
		}
	}
}
