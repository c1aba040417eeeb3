package pairrank

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/kernel"
)

// trainedFolds are options with which folds are retrained.
func trainedFolds() map[string]EstimateOptions {
	folds := &cv.Method{Kind: cv.KFold, Folds: 5}
	return map[string]EstimateOptions{
		"ranksvm": {Options: Options{Learner: RankSVM{}, Method: folds}},
		"squared hinge": {Options: Options{Learner: RankSVM{Loss: "squared-hinge"}, Method: folds,
			Lambdas: []float64{0.01, 1}}},
		"unconverged": {Options: Options{Learner: RankSVM{MaxIterations: 2, Epsilon: 1e-9}, Method: folds,
			Lambdas: []float64{1e-4, 1e-2}}},
		"svm map": {Options: Options{Learner: RankSVM{Basis: Basis{Size: 20}}, Kernels: []kernel.Kernel{
			kernel.Gaussian{Gamma: 0.1}, kernel.Gaussian{Gamma: 1}}, Method: folds, Lambdas: []float64{0.1, 1}}},
		"rankboost": {Options: Options{Learner: RankBoost{Rounds: []int{5, 20}}, Method: folds}, HeldOut: true},
		"cg":        {Options: Options{Learner: LeastSquares{Solver: CG}, Method: folds, Lambdas: []float64{1, 10}}},
		"nested": {Options: Options{Learner: RankBoost{Rounds: []int{2, 8}}, Method: folds},
			Nested: &cv.Method{Kind: cv.KFold, Folds: 3}},
	}
}

// told formats the nested error of an estimate, whose candidate is NaN.
func told(e *Estimated) string {
	if e.Nested == nil {
		return ""
	}
	return fmt.Sprintf("%+v", *e.Nested)
}

// Estimates that retrain on folds, one fold a thread, are the same to the last bit for any number of threads.
// So are their notes in order, with the counts of trainings that did not converge.
func TestFoldsAtOnceChangeNothing(t *testing.T) {
	set := made(300, 6, 20, 5)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, o := range trainedFolds() {
		o.Intervals = cv.IntervalsNone // TestHalvesOfTrainedFolds has them
		var want *Estimated
		for _, threads := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(threads)
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(name, err)
			}
			if want == nil {
				want = e
				continue
			}
			if !reflect.DeepEqual(e.Choice, want.Choice) || told(e) != told(want) ||
				!reflect.DeepEqual(e.Notes, want.Notes) {
				t.Errorf("%s on %d threads: %+v, %v, on one %+v, %v", name, threads,
					e.Choice, e.Notes, want.Choice, want.Notes)
			}
			for k, kernel := range e.Choice.Kernels {
				for c, points := range kernel.Outputs {
					if other := want.Choice.Kernels[k].Outputs[c]; !reflect.DeepEqual(points, other) {
						t.Errorf("%s on %d threads: %+v, on one %+v", name, threads, points, other)
					}
				}
			}
		}
	}
}

// Each thread trains a fold if memory allows, and at least one thread does. Folds with a factorisation are
// trained one after the other.
func TestFoldsFitIntoMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	of := func(m int, o EstimateOptions) *trainer {
		p, err := prepared(&Problem{Set: made(m, 5, 6, 1)}, o, true)
		if err != nil {
			t.Fatal(err)
		}
		if p.solution, err = p.learner.chooseSolver(p); err != nil {
			t.Fatal(err)
		}
		return p.under(p.o.Kernels[0])
	}
	svm := EstimateOptions{Options: Options{Learner: RankSVM{}}}
	if n := of(60, svm).foldsAtOnce(); n != 4 {
		t.Errorf("%d folds of a few rows at once, on 4 threads", n)
	}
	if n := of(60, EstimateOptions{}).foldsAtOnce(); n != 1 {
		t.Errorf("%d factorisations at once", n)
	}
	const rows = 200_000
	large := of(rows, svm)
	need := large.foldMemory()
	if bytes := 8.0 * rows * 5; need < 2*bytes || 4*need < 1<<28 {
		t.Fatalf("a fold of %.0f bytes takes %.0f", bytes, need)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(2.5 * need)))
	if n := large.foldsAtOnce(); n != 2 {
		t.Errorf("%d folds at once where two and a half fit", n)
	}
	debug.SetMemoryLimit(int64(need / 2))
	if n := large.foldsAtOnce(); n != 1 {
		t.Errorf("%d folds at once where none fits", n)
	}
}

// An interrupted training on folds ends with the error of its context.
func TestFoldsEndWithTheirContext(t *testing.T) {
	set := made(300, 6, 20, 5)
	for name, o := range trainedFolds() {
		ctx, cancel := context.WithCancel(t.Context())
		o.Monitor = event.Monitor{Progress: func(p event.Progress) {
			if p.Done >= 1 {
				cancel()
			}
		}}
		if e, err := Estimate(ctx, Problem{Set: set}, o); e != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, e, err)
		}
		cancel()
	}
}

// The progress of folds by conjugate gradients moves within them, with one Krylov space and with features of other
// sizes, and ends with all.
func TestProgressWithinFolds(t *testing.T) {
	set := made(300, 6, 20, 5)
	for _, size := range []float64{1, 1e3} {
		var mu sync.Mutex
		var told []int64
		total := int64(0)
		o := EstimateOptions{Options: Options{Learner: LeastSquares{Solver: CG}, Method: &cv.Method{Kind: cv.KFold,
			Folds: 2}, Lambdas: []float64{1e-3, 1}}}
		o.Monitor = event.Monitor{Progress: func(p event.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if p.Task == "cross-validating" && !p.Ended {
				told, total = append(told, p.Done), p.Total
			}
		}}
		for i := range set.X.(*data.Dense).Rows {
			set.X.(*data.Dense).Row(i)[0] *= size
		}
		if _, err := Estimate(t.Context(), Problem{Set: set}, o); err != nil {
			t.Fatal(err)
		}
		if k := len(told); k < 7 || told[k-1] != total || !slices.IsSorted(told) {
			t.Errorf("first feature times %g: told %d of %d", size, told, total)
		}
	}
}
