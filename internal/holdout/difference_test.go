package holdout_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/student"
)

// TestMinusIsOfTheSameHalves compares Minus with half-samples of the differences themselves: of estimates that share
// noise, some of which fail.
func TestMinusIsOfTheSameHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for problem := range 50 {
		m := 8 + r.IntN(40)
		noise := make([]float64, m)
		for i := range noise {
			noise[i] = r.Float64()
		}
		fails := func(units []int, by int) bool { return problem%2 == 1 && (7*units[1]+13*units[2]+5*units[3])%19 == by }
		value := func(units []int, weight float64) float64 {
			sum := 0.0
			for k, i := range units {
				sum += noise[i] * (1 + weight*float64(k%3))
			}
			return sum / float64(4*len(units))
		}
		sample := func(estimate func(units []int) ([]float64, bool)) *cv.Halves {
			h := holdout.Halving{Units: m, Of: "row", Draw: holdout.SplitQueries(m),
				Estimate: func(_ context.Context, units []int) ([]float64, error) {
					v, ok := estimate(units)
					if !ok {
						return nil, errors.New("no estimate")
					}
					return v, nil
				}}
			halves, err := h.Sample(context.Background(), 5, nil)
			if err != nil {
				t.Fatal(err)
			}
			return halves
		}
		one := func(units []int) float64 { return value(units, 0.5) }
		two := func(units []int) float64 { return value(units, 1) }
		a := sample(func(units []int) ([]float64, bool) { return []float64{one(units)}, !fails(units, 1) })
		b := sample(func(units []int) ([]float64, bool) { return []float64{two(units)}, !fails(units, 2) })
		naive := sample(func(units []int) ([]float64, bool) {
			return []float64{one(units) - two(units)}, !fails(units, 1) && !fails(units, 2)
		})
		p, q := cv.Point{Error: a.Mean[0] - 0.02, Pairs: 9}, cv.Point{Error: b.Mean[0] - 0.05, Pairs: 9}
		d, back := cv.Minus(p, q, a, b, 0), cv.Minus(q, p, b, a, 0)
		if d.Halves.Splits != naive.Splits || math.Abs(d.Halves.Half[0]-naive.Half[0]) > 1e-12*naive.Half[0] ||
			math.Abs(d.Halves.Mean[0]-naive.Mean[0]) > 1e-14 {
			t.Fatalf("problem %d: %d splits, H %g, mean %g; naive %d, %g, %g", problem, d.Halves.Splits, d.Halves.Half[0],
				d.Halves.Mean[0], naive.Splits, naive.Half[0], naive.Mean[0])
		}
		one2, _ := a.Variance(p.Error, p.StdErr, 0)
		two2, _ := b.Variance(q.Error, q.StdErr, 0)
		f := max(one2/a.Half[0], two2/b.Half[0])
		a.Given, b.Given = true, true
		alone := cv.Minus(p, q, a, b, 0)
		for _, c := range []struct {
			got  cv.Difference
			want float64
		}{{d, f * naive.Half[0]}, {alone, f * max(naive.Half[0], 2*naive.Both[0])}} {
			want := student.Quantile975(m-1) * math.Sqrt(c.want)
			i := c.got.Interval
			if !i.Defined || math.Abs(i.Hi-min(1, d.Error+want)) > 1e-12 || math.Abs(max(-1, d.Error-want)-i.Lo) > 1e-12 {
				t.Fatalf("problem %d: interval %v around %g, want ± %g", problem, i, d.Error, want)
			}
		}
		if back.Error != -d.Error || math.Abs(back.Interval.Lo+d.Interval.Hi) > 1e-15 {
			t.Fatalf("problem %d: the other way round %v, %v", problem, back, d)
		}
		if same := cv.Minus(p, p, a, a, 0); same.Error != 0 || same.Interval.Defined {
			t.Fatalf("problem %d: a procedure less itself is %v", problem, same)
		}
		if none := cv.Minus(p, q, a, nil, 0); none.Interval.Defined || none.Error != d.Error {
			t.Fatalf("problem %d: without halves %v", problem, none)
		}
	}
}
