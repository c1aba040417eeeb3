package pairrank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/internal/learn/ranksvm"
)

// curveSet makes rows in queries, or one list, whose labels follow the first feature.
func curveSet(t *testing.T, m, q int) pairrank.Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(m), uint64(q)))
	x, y, queries := make([][]float64, m), make([]float64, m), []string(nil)
	for i := range x {
		x[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		y[i] = math.Round(x[i][0] + r.NormFloat64())
		if q > 1 {
			queries = append(queries, fmt.Sprint(i%q))
		}
	}
	set, err := pairrank.Rows(x, y, queries)
	if err != nil {
		t.Fatal(err)
	}
	return pairrank.Problem{Set: set}
}

// The last point of a learning curve is the estimate itself, the others are estimates of halves of halves. All
// points are the same for any number of threads. Learners that retrain on folds have a curve, too.
func TestLearningCurve(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range map[string]struct {
		p     pairrank.Problem
		o     pairrank.Options
		of    string
		sizes []float64
	}{
		"queries": {curveSet(t, 160, 20), pairrank.Options{}, "query", []float64{5, 10, 20}},
		"rows":    {curveSet(t, 40, 1), pairrank.Options{Lambdas: []float64{1}}, "row", []float64{10, 20, 40}},
		"folds": {curveSet(t, 96, 12), pairrank.Options{Learner: pairrank.RankSVM{Loss: ranksvm.SquaredHinge},
			Lambdas: []float64{0.1}, Method: &cv.Method{Kind: cv.KFold, Folds: 3}}, "query", []float64{6, 12}},
	} {
		o := pairrank.EstimateOptions{Options: c.o, LearningCurve: true, Intervals: cv.IntervalsNone}
		var curves [2]*cv.LearningCurve
		for k, threads := range []int{1, 3} {
			runtime.GOMAXPROCS(threads)
			e, err := pairrank.Estimate(t.Context(), c.p, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if curves[k], err = e.LearningCurve(t.Context()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if last := curves[k].Points[len(curves[k].Points)-1]; last.Error != e.Choice.Error ||
				!math.IsNaN(last.Deviation) || last.Repeats != 1 {
				t.Errorf("%s: the last point is %+v, the estimate %v", name, last, e.Choice.Error)
			}
		}
		if curves[0].Of != c.of || len(curves[0].Points) != len(c.sizes) ||
			fmt.Sprint(curves[0]) != fmt.Sprint(curves[1]) {
			t.Fatalf("%s: %+v and %+v", name, curves[0], curves[1])
		}
		for k, p := range curves[0].Points {
			if math.Abs(p.Units-c.sizes[k]) > 1 || p.Error < 0 || p.Error > 0.6 {
				t.Errorf("%s: point %+v, want %v units", name, p, c.sizes[k])
			}
		}
	}
}

// A request for a curve that does not exist is refused before the work.
func TestNoLearningCurve(t *testing.T) {
	few := curveSet(t, 15, 1)
	if _, err := pairrank.Estimate(t.Context(), few, pairrank.EstimateOptions{LearningCurve: true}); err == nil {
		t.Error("fifteen rows have a curve")
	}
	e, err := pairrank.Estimate(t.Context(), few, pairrank.EstimateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.LearningCurve(t.Context()); err == nil {
		t.Error("fifteen rows have a curve")
	}
}

// BenchmarkLearningCurve times the curve, and the estimate that precedes it.
func BenchmarkLearningCurve(b *testing.B) {
	for _, m := range []int{500, 2000} {
		r := rand.New(rand.NewPCG(1, uint64(m)))
		x, y, queries := make([][]float64, m), make([]float64, m), make([]string, m)
		for i := range x {
			x[i] = make([]float64, 20)
			for j := range x[i] {
				x[i][j] = r.NormFloat64()
			}
			y[i], queries[i] = x[i][0]+r.NormFloat64(), fmt.Sprint(i/10)
		}
		set, err := pairrank.Rows(x, y, queries)
		if err != nil {
			b.Fatal(err)
		}
		o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone}
		estimate := func() *pairrank.Estimated {
			e, err := pairrank.Estimate(b.Context(), pairrank.Problem{Set: set}, o)
			if err != nil {
				b.Fatal(err)
			}
			return e
		}
		b.Run(fmt.Sprintf("estimate/m=%d/n=20", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				estimate()
			}
		})
		e := estimate()
		b.Run(fmt.Sprintf("curve/m=%d/n=20", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.LearningCurve(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
