package pairrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/kernel"
	"pairrank/model"
)

// mappedTolerance bounds the difference between a model of the features of a map and the linear model of rows that
// were mapped beforehand: the same numbers go through the same routines.
const mappedTolerance = 1e-10

// mapFor is the map of a kernel, with the knots of a set.
func mapFor(set *data.Set, k kernel.Kernel) kernel.FeatureMap {
	if s, is := k.(kernel.Spline); is {
		return kernel.NewSplineMap(s, set.Names, set.X, set.Weights, set.Substitutes.Levels()...)
	}
	return kernel.NewFourierMap(k.(kernel.Fourier))
}

// by is a set with its features replaced by those of a map, and beforehand by those of a kernel.
func by(set *data.Set, z kernel.FeatureMap) *data.Set {
	mapped := *set
	mapped.X, mapped.Names = kernel.Mapped(z, set.X), nil
	return &mapped
}

func beforehand(set *data.Set, k kernel.Kernel) *data.Set { return by(set, mapFor(set, k)) }

// mappedSettings are ways to train by a kernel of few and one of many features, of sets around a point away from 0.
func mappedSettings(few, many kernel.Kernel) map[string]EstimateOptions {
	of := func(k kernel.Kernel) []kernel.Kernel { return []kernel.Kernel{k} }
	folds := &cv.Method{Kind: cv.KFold, Folds: 4}
	return map[string]EstimateOptions{
		"default":       {Options: Options{Kernels: of(few)}},
		"one λ":         {Options: Options{Kernels: of(few), Lambdas: []float64{2}}},
		"dual":          {Options: Options{Kernels: of(many)}},
		"dual, one λ":   {Options: Options{Kernels: of(many), Lambdas: []float64{0.5}}},
		"leave one out": {Options: Options{Kernels: of(many), Method: &cv.Method{Kind: cv.LeaveOneOut}}},
		"conjugate": {Options: Options{Kernels: of(few), Learner: LeastSquares{Solver: CG, Tolerance: 1e-12},
			Lambdas: []float64{1, 8}, Method: folds}},
		"regression": {Options: Options{Kernels: of(few), Learner: LeastSquares{Regression: true}}},
		"ranksvm": {Options: Options{Kernels: of(few), Learner: RankSVM{Epsilon: 1e-6},
			Lambdas: []float64{0.01, 0.1}, Method: folds}},
		"squared hinge": {Options: Options{Kernels: of(few), Learner: RankSVM{Loss: "squared-hinge", Epsilon: 1e-9},
			Lambdas: []float64{0.1}}},
		"in place":       {Options: Options{Kernels: of(few), InPlace: true}},
		"two thresholds": {Options: Options{Kernels: of(few), Threshold: new(1.0)}},
	}
}

// TestMappedAreFeatures: training by the features of a map is the linear learner on rows that were mapped beforehand,
// for the choice and for the model.
func TestMappedAreFeatures(t *testing.T) {
	for _, k := range [][2]kernel.Kernel{
		{kernel.Fourier{Gamma: 0.05, Features: 24, Seed: 3}, kernel.Fourier{Gamma: 0.05, Features: 300, Seed: 5}},
		{kernel.Spline{Knots: 3, Bends: 2}, kernel.Spline{Knots: 40, Bends: 0.5}},
	} {
		for name, o := range mappedSettings(k[0], k[1]) {
			for _, q := range []int{1, 8} {
				checkMappedSetting(t, fmt.Sprint(k[0], ", ", name, " of ", q), made(80, 4, q, 2), o)
			}
		}
	}
}

func checkMappedSetting(t *testing.T, name string, set *data.Set, o EstimateOptions) {
	fresh, k := made(30, 4, 1, 9), o.Kernels[0]
	z := mapFor(set, k)
	mapped := by(set, z)
	got, err := learn(t.Context(), Problem{Set: set}, o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	linear := o
	linear.Kernels = nil
	want, err := learn(t.Context(), Problem{Set: mapped}, linear)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got.Choice.Lambda != want.Choice.Lambda || got.Choice.Kernel != k ||
		got.Training.Kernel != k || got.Training.Features != 4 ||
		math.Abs(got.Choice.Error-want.Choice.Error) > mappedTolerance ||
		got.Training.Solver != want.Training.Solver {
		t.Errorf("%s: chose λ %v of kernel %v, error %v by %v, and of mapped rows λ %v, error %v by %v",
			name, got.Choice.Lambda, got.Choice.Kernel,
			got.Choice.Error, got.Training.Solver, want.Choice.Lambda, want.Choice.Error, want.Training.Solver)
	}
	var weights *data.Dense
	switch of := got.Model.Scorer.(type) {
	case *model.Fourier:
		if weights = of.Weights; of.Kernel != k || of.Inputs != 4 {
			t.Errorf("%s: a model %+v", name, of)
		}
	case *model.Spline:
		if weights = of.Weights; of.Map.Kernel() != k || of.Map.Inputs() != 4 {
			t.Errorf("%s: a model %+v", name, of)
		}
	}
	wanted := want.Model.Scorer.(*model.Linear).Weights.Data
	if d := relativeDifference(weights.Data, wanted); !(d <= mappedTolerance) {
		t.Errorf("%s: the weights differ by %.2g", name, d)
	}
	a, err := got.Model.Score(fresh)
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.Model.Score(by(fresh, z))
	if err != nil {
		t.Fatal(err)
	}
	if d := relativeDifference(a, b); !(d <= mappedTolerance) {
		t.Errorf("%s: the scores differ by %.2g", name, d)
	}
}

// relativeDifference is the largest difference of two lists, relative to the largest number.
func relativeDifference(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst, size := 0.0, 0.0
	for i := range a {
		worst, size = max(worst, math.Abs(a[i]-b[i])), max(size, math.Abs(b[i]))
	}
	return worst / size
}

// TestMappedChoose: each of several kernels has the estimate that it has alone, on rows that were
// mapped beforehand, and the best kernel is chosen; also with rows for validation.
func TestMappedChoose(t *testing.T) {
	set, valid := made(90, 3, 9, 4), made(40, 3, 4, 5)
	gammas := []kernel.Kernel{kernel.Fourier{Gamma: 1, Features: 30}, kernel.Fourier{Gamma: 0.01, Features: 30},
		kernel.Fourier{Gamma: 10, Features: 30}}
	bends := []kernel.Kernel{kernel.Spline{Knots: 4, Bends: 1}, kernel.Spline{Knots: 9, Bends: 0.1}}
	for _, p := range []Problem{{Set: set}, {Set: set, Valid: valid}} {
		checkMappedChoice(t, p, gammas)
		checkMappedChoice(t, p, bends)
	}
}

func checkMappedChoice(t *testing.T, p Problem, kernels []kernel.Kernel) {
	set, valid := p.Set, p.Valid
	{
		got, err := learn(t.Context(), p, EstimateOptions{Options: Options{Kernels: kernels}})
		if err != nil {
			t.Fatal(err)
		}
		best := 0
		for k, of := range kernels {
			alone := Problem{Set: beforehand(set, of)}
			if p.Valid != nil {
				alone.Valid = by(valid, mapFor(set, of))
			}
			want, err := learn(t.Context(), alone, EstimateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(got.Choice.Kernels[k].Error() - want.Choice.Error); d > mappedTolerance {
				t.Errorf("%v: error %v, alone %v", of, got.Choice.Kernels[k].Error(), want.Choice.Error)
			}
			if got.Choice.Kernels[k].Error() < got.Choice.Kernels[best].Error() {
				best = k
			}
		}
		if got.Choice.Best != best || got.Choice.Kernel != kernels[best] ||
			got.Model.KernelSpec() != kernels[best].String() {
			t.Errorf("chose %v, saved %s, and %v is best", got.Choice.Kernel, got.Model.KernelSpec(), kernels[best])
		}
	}
}

// TestRandomFeaturesEstimate: nested folds, halves, permutations, learning curves and held-out scores are
// those of rows that were mapped beforehand.
func TestRandomFeaturesEstimate(t *testing.T) {
	for _, q := range []int{1, 10} { // splines have other knots in each part: TestKnotsOfParts
		set := made(60, 3, q, 6)
		k := kernel.Fourier{Gamma: 0.05, Features: 16, Seed: 2}
		o := EstimateOptions{Options: Options{Lambdas: []float64{0.5, 4, 32}}, Intervals: cv.IntervalsHalves,
			Nested: &cv.Method{Kind: cv.KFold, Folds: 3}, Permutations: 20, LearningCurve: q == 10, HeldOut: q == 10}
		of := func(set *data.Set, kernels []kernel.Kernel) (*Estimated, []float64) {
			o.Kernels = kernels
			e, err := Estimate(context.Background(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			out := []float64{e.Choice.Error, e.Nested.Error, e.Permutation.P, e.Halves.Half[0]}
			if q == 10 {
				curve, err := e.LearningCurve(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range curve.Points {
					out = append(out, p.Error)
				}
				held, err := e.HeldOut(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, held.Data...)
			}
			return e, out
		}
		_, got := of(set, []kernel.Kernel{k})
		_, want := of(beforehand(set, k), nil)
		if d := relativeDifference(got, want); !(d <= mappedTolerance) {
			t.Errorf("%d queries: %v, and of mapped rows %v", q, got[:4], want[:4])
		}
	}
}

func TestRandomFeaturesAreRefused(t *testing.T) {
	p := Problem{Set: made(20, 3, 4, 1)}
	one := kernel.Spline{Knots: 1, Bends: 1}
	ten, bad := kernel.Fourier{Gamma: 1, Features: 10}, kernel.Fourier{Gamma: 1, Features: 9}
	for says, o := range map[string]EstimateOptions{
		"are all of random features, or none is": {Options: Options{Kernels: []kernel.Kernel{ten,
			kernel.Gaussian{Gamma: 1}}}},
		"have one number of random features, not both 10 and": {Options: Options{Kernels: []kernel.Kernel{ten,
			kernel.Fourier{Gamma: 1, Features: 12}}}},
		"even number": {Options: Options{Kernels: []kernel.Kernel{bad}}},
		"are splines and the linear one, or none": {Options: Options{Kernels: []kernel.Kernel{one,
			kernel.Gaussian{Gamma: 1}}}},
		"or none is, not both spline:knots=1,bends=1 and": {Options: Options{Kernels: []kernel.Kernel{one, ten}}},
		"from 1 to 64 knots": {Options: Options{Kernels: []kernel.Kernel{kernel.Spline{Knots: 65,
			Bends: 1}}}},
		"is not for splines": {Options: Options{Kernels: []kernel.Kernel{one},
			Learner: LeastSquares{Basis: Basis{Size: 3}}}},
		"two ways to approximate a kernel": {Options: Options{Kernels: []kernel.Kernel{ten},
			Learner: LeastSquares{Basis: Basis{Size: 3}}}},
		"Basis and random features": {Options: Options{Kernels: []kernel.Kernel{ten},
			Learner: RankSVM{Basis: Basis{Size: 3}}}},
		"is for the linear kernel without a basis": {Options: Options{Kernels: []kernel.Kernel{ten},
			Learner: RankSVM{Start: make([]float64, 3)}}},
		"are not for RankBoost": {Options: Options{Kernels: []kernel.Kernel{ten},
			Learner: RankBoost{}}},
	} {
		if err := o.Options.Check(p); err == nil || !strings.Contains(err.Error(), says) &&
			!strings.Contains("Basis "+err.Error(), says) {
			t.Errorf("%v, want what says %q", err, says)
		}
	}
	if _, err := Estimate(t.Context(), p, EstimateOptions{Options: Options{Kernels: []kernel.Kernel{ten}},
		Importance: true}); err == nil ||
		!strings.Contains(err.Error(), "each random feature mixes all of them") {
		t.Errorf("importance: %v", err)
	}
}

// Random features that do not fit into memory are refused before they are made.
func TestRandomFeaturesThatDoNotFit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 32))
	p := Problem{Set: made(200, 3, 4, 1)}
	many, wide := []kernel.Kernel{kernel.Fourier{Gamma: 1, Features: 1 << 28}},
		[]kernel.Kernel{kernel.Fourier{Gamma: 1, Features: 1 << 16}}
	for says, o := range map[string]EstimateOptions{
		"the cg solver would take about 4": {Options: Options{Kernels: many, Lambdas: []float64{1}}},
		"random features (268435456) of 200 row": {Options: Options{Kernels: many, Learner: RankSVM{},
			Lambdas: []float64{1}}},
		"the primal solver would take about": {Options: Options{Kernels: wide, Lambdas: []float64{1},
			Learner: LeastSquares{Solver: Primal}}},
	} {
		_, err := learn(t.Context(), p, o)
		var known *fault.Error
		if !errors.As(err, &known) || known.Kind != fault.Memory || known.Code != codes.FaultRandomFeatures ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want what says %q", err, says)
		}
	}
}
