package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/eval/metric"
)

// weighing draws the weight of a row with a score, and says by how much the positives of the population that is
// weighted are further up.
type weighing struct {
	name  string
	of    func(r *rand.Rand, score, label float64) float64
	shift float64
}

var weighings = []weighing{
	{"exponential", func(r *rand.Rand, _, _ float64) float64 { return r.ExpFloat64() }, 0},
	{"1 or 5", func(r *rand.Rand, _, _ float64) float64 { return 1 + 4*float64(r.IntN(2)) }, 0},
	// e^(s/2) makes of a normal score one that is ½ further up
	{"by the score", func(_ *rand.Rand, score, label float64) float64 { return math.Exp(score * label / 2) }, 0.5},
}

// TestWeightedCoverage measures the coverage of the intervals of areas and their differences under weights, in 400
// draws a cell: 90 % and more in each, since of 400 draws of 95 % that is five deviations below.
func TestWeightedCoverage(t *testing.T) {
	const draws, least = 400, 0.9
	r := rand.New(rand.NewPCG(71, 72))
	for _, rows := range [][2]int{{15, 15}, {30, 60}, {100, 100}} {
		for _, mean := range []float64{0.5, 1.5} {
			for _, by := range weighings {
				area, difference := 0, 0
				truth := func(mean float64) float64 { return (1 + math.Erf(mean/2)) / 2 }
				for range draws {
					var y, a, b, w []float64
					for i := range rows[0] + rows[1] {
						label := 0.0
						if i < rows[0] {
							label = 1
						}
						u := r.NormFloat64()
						v := 0.6*u + 0.8*r.NormFloat64()
						y, a, b = append(y, label), append(a, u+mean*label), append(b, v+mean*label)
						w = append(w, by.of(r, u, label))
					}
					got, err := DeLongBy(nil, w, y, a, b)
					if err != nil {
						t.Fatal(err)
					}
					at := truth(mean + by.shift)
					if i := got.Areas[0].Interval; i.Defined && i.Lo <= at && at <= i.Hi {
						area++
					}
					apart := at - truth(mean+0.6*by.shift)
					if i := got.Differences[0].Interval; i.Defined && i.Lo <= apart && apart <= i.Hi {
						difference++
					}
				}
				p, q := float64(area)/draws, float64(difference)/draws
				t.Logf("%d and %d rows, mean %v, weights %s: area %.1f %%, difference %.1f %%", rows[0], rows[1], mean, by.name,
					100*p, 100*q)
				if p < least || q < least {
					t.Errorf("%v rows, mean %v, weights %s: an interval holds in %.3f and %.3f", rows, mean, by.name, p, q)
				}
			}
		}
	}
}

// TestWeightedTimesCoverage is that of the c-index of half censored times, whose value is that of very many rows.
func TestWeightedTimesCoverage(t *testing.T) {
	const draws, least = 400, 0.9
	r := rand.New(rand.NewPCG(73, 74))
	for _, by := range weighings {
		study := func(m int) metric.Input {
			var in metric.Input
			for range m {
				u := r.NormFloat64()
				time, end := r.ExpFloat64()*math.Exp(u), 2*r.ExpFloat64()
				in.Labels, in.Censored = append(in.Labels, min(time, end)), append(in.Censored, end < time)
				in.Scores = append(in.Scores, u)
				in.Weights = append(in.Weights, by.of(r, u, 1))
			}
			return in
		}
		population := study(400_000)
		found, err := metric.Evaluate(population, []metric.Metric{metric.CIndex}, metric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		truth := found.Results[0].Mean.Value
		for _, m := range []int{40, 80, 200} {
			held := 0
			for range draws {
				in := study(m)
				got, err := Times(in, nil, []metric.Metric{metric.CIndex}, in.Scores)
				if err != nil {
					t.Fatal(err)
				}
				if i := got.Values[0].Interval; i.Defined && i.Lo <= truth && truth <= i.Hi {
					held++
				}
			}
			p := float64(held) / draws
			t.Logf("%d rows, weights %s: c-index %.1f %%", m, by.name, 100*p)
			if p < least {
				t.Errorf("%d rows, weights %s: the interval holds in %.3f", m, by.name, p)
			}
		}
	}
}

// TestWeightedGroupCoverage is that of areas of weighted rows in groups of four, half of whose variance is the group's.
func TestWeightedGroupCoverage(t *testing.T) {
	const draws, least = 400, 0.9
	r := rand.New(rand.NewPCG(75, 76))
	for _, groups := range []int{20, 60} {
		for _, by := range weighings[:2] {
			held := 0
			at := (1 + math.Erf(0.5)) / 2 // of rows of different groups, and nearly of all
			for range draws {
				var y, a, w []float64
				var of []int32
				for g := range groups {
					own := r.NormFloat64()
					for range 4 {
						label := float64(g % 2)
						u := math.Sqrt(0.5)*own + math.Sqrt(0.5)*r.NormFloat64()
						y, a, of = append(y, label), append(a, u+label), append(of, int32(g))
						w = append(w, by.of(r, u, label))
					}
				}
				got, err := DeLongBy(of, w, y, a)
				if err != nil {
					t.Fatal(err)
				}
				if i := got.Areas[0].Interval; i.Defined && i.Lo <= at && at <= i.Hi {
					held++
				}
			}
			p := float64(held) / draws
			t.Logf("%d groups, weights %s: area %.1f %%", groups, by.name, 100*p)
			if p < least {
				t.Errorf("%d groups, weights %s: the interval holds in %.3f", groups, by.name, p)
			}
		}
	}
}
