package holdout

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// Leave-pair-out reports progress within a λ, too: of all pairs of every output and λ, from none to
// all, and many times for each λ.
func TestPairProgress(t *testing.T) {
	const m, v = 60, 2
	lambdas := []float64{0.1, 1, 10}
	r := rand.New(rand.NewPCG(1, 7))
	x, y := data.NewDense(m, 3, nil), make([]float64, m*v)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = r.NormFloat64()
	}
	goal, err := goals.Scored(y, v, data.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var told []int
	const pairs = m * (m - 1) / 2
	o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: lambdas, Progress: func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, done)
		if total != pairs*v*len(lambdas) {
			t.Errorf("%d of %d", done, total)
		}
	}}
	labels := Labels{Y: y, Outputs: v, Queries: data.OneList(m)}
	if _, err := EstimatePath(t.Context(), path, labels, o); err != nil {
		t.Fatal(err)
	}
	slices.Sort(told)
	if told[0] != 0 || told[len(told)-1] != pairs*v*len(lambdas) {
		t.Errorf("told from %d to %d, want all of %d", told[0], told[len(told)-1], pairs*v*len(lambdas))
	}
	for l := range lambdas {
		within := 0
		for _, done := range told {
			if done > l*pairs*v && done < (l+1)*pairs*v {
				within++
			}
		}
		if within < 10 {
			t.Errorf("told %d times within λ %d", within, l+1)
		}
	}
}

// TestPairProgressEndsAtItsTotal counts pairs in many goroutines: what is told grows, and ends at the total.
func TestPairProgressEndsAtItsTotal(t *testing.T) {
	const m = 200
	for range 50 {
		last, of := -1, 0
		o := Options{Candidates: []float64{1}, Progress: func(done, total int) {
			if done <= last {
				t.Errorf("%d is told after %d", done, last)
			}
			last, of = done, total
		}}
		take := newPairProgress(o, m, 1).over(func(int, int, int, []float64, []float64) {})
		parallel.ForWorkers(8, m, func(worker, i int) { take(worker, i, 0, make([]float64, i), nil) })
		if last != of {
			t.Fatalf("%d of %d pairs are told at the end", last, of)
		}
	}
}
