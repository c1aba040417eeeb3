package holdout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// halfOf takes every second unit.
func halfOf(r *rand.Rand, some []int) []int {
	half := []int{}
	for _, at := range SplitQueries(len(some))(r)[0] {
		half = append(half, some[at])
	}
	return half
}

// The points of a learning curve are the means and deviations of the estimates of nested
// halves, those that fail left out, for any number of threads.
func TestLearning(t *testing.T) {
	const rounding = 1e-12
	calls := make(chan []int, 100)
	l := &Learning{Units: 33, Least: 4, Repeats: 6, Halve: halfOf,
		Estimate: func(_ context.Context, some []int) ([]float64, error) {
			calls <- some
			if len(some) < 6 && some[0] == 0 {
				return nil, errors.New("no pair")
			}
			return []float64{float64(some[0]), 1 / float64(len(some))}, nil
		}}
	points, err := l.Curve(t.Context(), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	close(calls)
	first := map[int][]float64{} // by size: 16 or 17, 8 or 9, 4 or 5
	counts := map[int]float64{}
	for some := range calls {
		size := 0
		for n := len(some); n < 16; n *= 2 {
			size++
		}
		if len(some) >= 6 || some[0] != 0 {
			first[size], counts[size] = append(first[size], float64(some[0])), counts[size]+float64(len(some))
		}
		for k := range some[1:] {
			if some[k] >= some[k+1] {
				t.Errorf("the units %v do not ascend", some)
			}
		}
	}
	if len(points) != 3 {
		t.Fatalf("%d sizes", len(points))
	}
	for k, p := range points {
		values := first[2-k]
		mean, squares := 0.0, 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		for _, v := range values {
			squares += (v - mean) * (v - mean)
		}
		want := LearningPoint{Units: counts[2-k] / float64(len(values)), Repeats: len(values)}
		if p.Repeats != want.Repeats || math.Abs(p.Units-want.Units) > rounding ||
			math.Abs(p.Mean[0]-mean) > rounding ||
			math.Abs(p.Deviation[0]-math.Sqrt(squares/float64(len(values)-1))) > rounding {
			t.Errorf("point %+v of %v", p, values)
		}
	}
	calls = make(chan []int, 100)
	again, err := l.Curve(t.Context(), 3, func(int, int) {})
	if err != nil || fmt.Sprint(again) != fmt.Sprint(points) {
		t.Errorf("%v, then %v, %v", points, again, err)
	}
}

// Too few units, estimates that all fail, and a context that ends are errors.
func TestLearningErrors(t *testing.T) {
	none := errors.New("no pair")
	l := &Learning{Units: 7, Least: 4, Halve: halfOf, Estimate: func(context.Context, []int) ([]float64, error) {
		return nil, none
	}}
	if _, err := l.Curve(t.Context(), 1, nil); err == nil {
		t.Error("a half of 7 is 4")
	}
	l.Units = 8
	if _, err := l.Curve(t.Context(), 1, nil); !errors.Is(err, none) {
		t.Errorf("error %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := l.Curve(ended, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
