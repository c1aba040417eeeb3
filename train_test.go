package pairrank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// made is gen.Set.
var made = gen.Set

// written are the bytes of a model.
func written(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Model.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// asymmetric is a kernel matrix with a rounding error above the diagonal.
func asymmetric(set *data.Set) *data.Dense {
	k := kernel.Matrix(kernel.Gaussian{Gamma: 0.1}, set.X, set.X)
	k.Row(0)[1] += 1e-12
	return k
}

// settings are options and problems of every kind.
func settings(set *data.Set) map[string]struct {
	p Problem
	o EstimateOptions
} {
	type setting = struct {
		p Problem
		o EstimateOptions
	}
	one := []float64{1}
	out := map[string]setting{
		"default": {Problem{Set: set}, EstimateOptions{}},
		"zscore":  {Problem{Set: set}, EstimateOptions{Options: Options{Normalize: "zscore"}}},
		"query":   {Problem{Set: set}, EstimateOptions{Options: Options{Normalize: "query-minmax"}}},
		"dual": {Problem{Set: set}, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: Dual},
			Lambdas: one}}},
		"sparse": {Problem{Set: set}, EstimateOptions{Options: Options{Learner: LeastSquares{Basis: Basis{Size: 9}},
			Seed: 4}}},
		"cg": {Problem{Set: set}, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: CG},
			Lambdas: []float64{1, 10}}}},
		"gaussian": {Problem{Set: set},
			EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.1},
				kernel.Gaussian{Gamma: 1}}}}},
		"random": {Problem{Set: set},
			EstimateOptions{Options: Options{Normalize: "zscore", Kernels: []kernel.Kernel{kernel.Fourier{Gamma: 0.1,
				Features: 20},
				kernel.Fourier{Gamma: 1, Features: 20}}}}},
		"random svm": {Problem{Set: set},
			EstimateOptions{Options: Options{Learner: RankSVM{}, Kernels: []kernel.Kernel{kernel.Fourier{Gamma: 0.01,
				Features: 200}}, Lambdas: one}}},
		"ranksvm": {Problem{Set: set}, EstimateOptions{Options: Options{Learner: RankSVM{}, Lambdas: []float64{0.01,
			0.1}, Method: &cv.Method{Kind: cv.KFold, Folds: 3}}}},
		"svm map": {Problem{Set: set},
			EstimateOptions{Options: Options{Learner: RankSVM{Loss: "squared-hinge", Basis: Basis{Rows: []int{3, 1,
				7}}}, Lambdas: one}}},
		"rankboost": {Problem{Set: set}, EstimateOptions{Options: Options{Learner: RankBoost{Rounds: []int{5, 20}}}}},
		"threshold": {Problem{Set: set}, EstimateOptions{Options: Options{Threshold: new(1.0)}}},
		"metric":    {Problem{Set: set}, EstimateOptions{Options: Options{Metric: &metric.TauB}}},
		"matrix":    {Problem{Set: set, Kernel: asymmetric(set)}, EstimateOptions{}},
		"outputs": {Problem{Set: set, Labels: data.NewDense(len(set.Y), 2, slices.Concat(set.Y, set.Y))},
			EstimateOptions{}},
		"validation": {Problem{Set: set, Valid: made(30, 5, 3, 9)},
			EstimateOptions{Options: Options{Normalize: "minmax"}}},
	}
	return out
}

// A training does not change its arguments, and gives the same result when it is repeated, or done in place.
func TestTrainingChangesNothing(t *testing.T) {
	for name := range settings(made(60, 5, 6, 1)) {
		set := made(60, 5, 6, 1)
		s := settings(set)[name]
		x, y := slices.Clone(set.X.(*data.Dense).Data), slices.Clone(set.Y)
		var k, valid []float64
		if s.p.Kernel != nil {
			k = slices.Clone(s.p.Kernel.Data)
		}
		if s.p.Valid != nil {
			valid = slices.Clone(s.p.Valid.X.(*data.Dense).Data)
		}
		first, err := learn(t.Context(), s.p, s.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(x, set.X.(*data.Dense).Data) || !slices.Equal(y, set.Y) {
			t.Errorf("%s: the rows or labels are not what they were", name)
		}
		if k != nil && !slices.Equal(k, s.p.Kernel.Data) ||
			valid != nil && !slices.Equal(valid, s.p.Valid.X.(*data.Dense).Data) {
			t.Errorf("%s: the kernel matrix or the rows for validation are not what they were", name)
		}
		again, err := learn(t.Context(), s.p, s.o)
		if err != nil {
			t.Fatal(name, err)
		}
		s.o.InPlace = true
		inPlace, err := learn(t.Context(), s.p, s.o)
		if err != nil {
			t.Fatal(name, err)
		}
		if text := written(t, first); text != written(t, again) || text != written(t, inPlace) {
			t.Errorf("%s: trained again, or in place, the model is another", name)
		}
	}
}

// Estimate and Train choose the same.
func TestEstimateChoosesAsTrain(t *testing.T) {
	set := made(60, 5, 6, 1)
	for name, s := range settings(set) {
		if s.p.Valid != nil || len(s.o.Lambdas) == 1 {
			continue
		}
		trained, err := learn(t.Context(), s.p, s.o)
		if err != nil {
			t.Fatal(name, err)
		}
		s.o.Intervals = cv.IntervalsNone
		e, err := Estimate(t.Context(), s.p, s.o)
		if err != nil {
			t.Fatal(name, err)
		}
		a, b := trained.Choice, e.Choice
		if a.Lambda != b.Lambda || a.Rounds != b.Rounds || a.Error != b.Error ||
			a.Kernel != b.Kernel || a.Method != b.Method {
			t.Errorf("%s: chosen in training %+v, by the estimate %+v", name, a, b)
		}
	}
}

// Each of several kinds of kernels has the errors that it has alone.
func TestKernelsOfSeveralKinds(t *testing.T) {
	set := made(40, 4, 1, 2)
	kernels := []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.1},
		kernel.Polynomial{Gamma: 1, Coef0: 1, Degree: 2}}
	for _, learner := range []Learner{LeastSquares{}, RankSVM{}} {
		o := EstimateOptions{Options: Options{Learner: learner, Kernels: kernels, Lambdas: []float64{0.1, 10},
			Method: &cv.Method{Kind: cv.KFold, Folds: 4}}}
		together, err := learn(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		for k, spec := range kernels {
			alone := o
			alone.Kernels = []kernel.Kernel{spec}
			r, err := learn(t.Context(), Problem{Set: set}, alone)
			if err != nil {
				t.Fatal(err)
			}
			for l, p := range r.Choice.Kernels[0].Outputs[0].Points {
				if got := together.Choice.Kernels[k].Outputs[0].Points[l].Error; math.Abs(got-p.Error) > 1e-3 {
					t.Errorf("%s, kernel %s, λ = %g: error %v among others and %v alone",
						learner.Name(), spec, p.Candidate, got, p.Error)
				}
			}
		}
	}
}

func TestOptionsThatDoNotGoTogether(t *testing.T) {
	set := made(20, 3, 4, 1)
	p := Problem{Set: set}
	matrix := Problem{Set: set, Kernel: asymmetric(set)}
	gaussian := []kernel.Kernel{kernel.Gaussian{Gamma: 1}}
	for _, c := range []struct {
		p    Problem
		o    EstimateOptions
		want string
	}{
		{Problem{}, EstimateOptions{}, "has a Set"},
		{matrix, EstimateOptions{Options: Options{Kernels: gaussian}}, "Kernels"},
		{matrix, EstimateOptions{Options: Options{Normalize: "zscore"}}, "Normalize"},
		{p, EstimateOptions{Options: Options{Normalize: "rank"}}, "Normalize"},
		{p, EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Precomputed{}}}}, "Kernels"},
		{p, EstimateOptions{Options: Options{Lambdas: []float64{1, 1}}}, "Lambdas"},
		{p, EstimateOptions{Options: Options{Lambdas: []float64{0}}}, "Lambdas"},
		{p, EstimateOptions{Options: Options{Lambdas: []float64{math.NaN()}}}, "Lambdas"},
		{p, EstimateOptions{Options: Options{Method: &cv.Method{}}}, "Method"},
		{p, EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.KFold}}}, "Method"},
		{p, EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.KFold, Folds: -3}}}, "Method"},
		{p, EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.Validation}}}, "Method"},
		{p, EstimateOptions{Options: Options{Kernels: []kernel.Kernel{nil}}}, "Kernels"},
		{p, EstimateOptions{Options: Options{AllPairs: true, Learner: LeastSquares{Regression: true}}}, "Pairs"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: Dual, Tolerance: 1e-3}}}, "Tolerance"},
		{Problem{Set: &data.Set{X: set.X, Y: set.Y}}, EstimateOptions{}, "data.OneList"},
		{Problem{Set: set, Valid: &data.Set{X: set.X, Y: set.Y}}, EstimateOptions{}, "no queries"},
		{Problem{Set: &data.Set{X: set.X, Y: set.Y, Queries: set.Queries, IDs: []string{"one"}}}, EstimateOptions{},
			"with 1 names"},
		{Problem{Set: &data.Set{X: set.X, Y: set.Y, Queries: set.Queries, Groups: data.OneList(1)}}, EstimateOptions{},
			"1 rows in groups"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: "magic"}}}, "Solver"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: Sparse}}}, "Solver"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: Primal}, Kernels: gaussian}}, "Solver"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Solver: Dual, Basis: Basis{Size: 3}}}}, "Basis"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Basis: Basis{Size: 21}}}}, "Basis"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Basis: Basis{Rows: []int{1, 1}}}}}, "Basis"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Basis: Basis{Rows: []int{20}}}}}, "Basis"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Basis: Basis{Rows: []int{}}}}}, "Basis"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Tolerance: 2}}}, "Tolerance"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{MaxIterations: -1}}}, "MaxIterations"},
		{p, EstimateOptions{Options: Options{Learner: LeastSquares{Pairs: pref.Options{Cost: "dear"}}}},
			"unknown cost"},
		{p, EstimateOptions{Options: Options{Learner: RankSVM{Weight: pref.Size}}}, "Weight"},
		{p, EstimateOptions{Options: Options{Learner: RankSVM{Loss: "ranking"}}}, "Loss"},
		{p, EstimateOptions{Options: Options{Learner: RankSVM{Epsilon: -1}}}, "Epsilon"},
		{p, EstimateOptions{Options: Options{Learner: RankSVM{Start: make([]float64, 4)}}}, "Start"},
		{p, EstimateOptions{Options: Options{Learner: RankBoost{Rounds: []int{2, 1}}}}, "Rounds"},
		{p, EstimateOptions{Options: Options{Learner: RankBoost{}, Lambdas: []float64{1}}}, "Lambdas"},
		{p, EstimateOptions{Options: Options{Learner: RankBoost{}, Kernels: gaussian}}, "Kernels"},
		{Problem{Set: set, Labels: data.NewDense(3, 2, nil)}, EstimateOptions{}, "20 rows"},
		{Problem{Set: set, Kernel: data.NewDense(3, 3, nil)}, EstimateOptions{}, "20 rows"},
		{Problem{Set: set, Valid: made(9, 2, 3, 1)}, EstimateOptions{}, "2 features"},
		{Problem{Set: set, Valid: made(9, 3, 3, 1)},
			EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveQueryOut}}}, "Method"},
	} {
		_, err := learn(t.Context(), c.p, c.o)
		var known *fault.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &known) ||
			known.Kind != fault.Use && known.Kind != fault.Data {
			t.Errorf("%+v: %v, want an *fault.Error about %q", c.o, err, c.want)
		}
	}
}

// Empty lists mean the same as nil.
func TestEmptyListsAreDefaults(t *testing.T) {
	set := made(60, 5, 6, 1)
	for _, o := range []EstimateOptions{{Options: Options{Lambdas: []float64{}}},
		{Options: Options{Kernels: []kernel.Kernel{}}},
		{Options: Options{Learner: RankBoost{Rounds: []int{}}}}} {
		if _, err := learn(t.Context(), Problem{Set: set}, o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A value that is not finite is refused with its row. A matrix without a Stride panics with its name.
func TestBrokenInput(t *testing.T) {
	for name, broken := range map[string]func(p *Problem){
		"row 3 has a feature": func(p *Problem) { p.Set.X.(*data.Dense).Row(2)[1] = math.NaN() },
		"label of row 4":      func(p *Problem) { p.Set.Y[3] = math.Inf(1) },
	} {
		p := Problem{Set: made(20, 3, 4, 1)}
		broken(&p)
		if _, err := learn(t.Context(), p, EstimateOptions{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
	set := made(20, 3, 4, 1)
	for name, p := range map[string]Problem{
		"Problem.Set.X": {Set: &data.Set{X: &data.Dense{Rows: 20, Cols: 3, Data: make([]float64, 60)},
			Y: set.Y, Queries: set.Queries}},
		"Problem.Kernel": {Set: set, Kernel: &data.Dense{Rows: 20, Cols: 20, Data: make([]float64, 400)}},
		"Problem.Labels": {Set: set, Labels: &data.Dense{Rows: 20, Cols: 2, Data: make([]float64, 40)}},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), name) {
					t.Errorf("%s: %v", name, r)
				}
			}()
			learn(t.Context(), p, EstimateOptions{})
		}()
	}
}

// Errors of the learners get their kind and code, and still unwrap to themselves.
func TestErrorsCarryFacts(t *testing.T) {
	equal := made(20, 3, 4, 1)
	for i := range equal.Y {
		equal.Y[i] = 1
	}
	tied := made(20, 3, 20, 1)
	untied := EstimateOptions{Options: Options{Learner: LeastSquares{Pairs: pref.Options{Ties: "exclude"}},
		Method: &cv.Method{Kind: cv.LeavePairOut}}}
	var inexact *rls.NotExactError
	for _, c := range []struct {
		set  *data.Set
		o    EstimateOptions
		kind fault.Kind
		code fault.Code
		is   func(err error) bool
	}{
		{equal, EstimateOptions{}, fault.Data, codes.FaultOneLabel, func(error) bool { return true }},
		{tied, EstimateOptions{}, fault.Data, codes.FaultNothing,
			func(err error) bool { return errors.Is(err, goals.ErrNothingToLearn) }},
		{made(20, 3, 4, 1), untied, fault.Use, codes.FaultNotExact, func(err error) bool { return errors.As(err, &inexact) }},
	} {
		_, err := learn(t.Context(), Problem{Set: c.set}, c.o)
		var known *fault.Error
		if !errors.As(err, &known) || known.Kind != c.kind || known.Code != c.code || !c.is(err) {
			t.Errorf("%v (%+v), want kind %d, code %q", err, known, c.kind, c.code)
		}
	}
}

// A stopped training returns its best model, and the error bounds the distance from the optimum.
func TestStoppedTrainingLeavesItsBest(t *testing.T) {
	set := made(400, 6, 20, 1)
	r, err := learn(t.Context(), Problem{Set: set},
		EstimateOptions{Options: Options{Learner: RankSVM{MaxIterations: 2, Epsilon: 1e-9}, Lambdas: []float64{1e-4}}})
	var stopped *ranksvm.StoppedError
	if r == nil || !errors.As(err, &stopped) || !(stopped.Gap > 0) || r.Training.Iterations != 2 ||
		r.Training.Converged {
		t.Fatalf("%+v, %v", r, err)
	}
	if at := slices.IndexFunc(r.Notes, func(n event.Note) bool { return n.Code == codes.NoteStopped }); at < 0 {
		t.Errorf("no note says so: %v", r.Notes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := learn(ctx, Problem{Set: set}, EstimateOptions{}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", r, err)
	}
}

// The monitor receives the notes of the result, and the progress of every task to its end.
func TestMonitor(t *testing.T) {
	set := made(60, 5, 6, 1)
	var notes []event.Note
	open := map[string]bool{}
	o := EstimateOptions{Options: Options{Learner: RankSVM{}, Method: &cv.Method{Kind: cv.KFold, Folds: 3},
		Lambdas: []float64{1e-3, 1e-2, 1e-1}}}
	o.Monitor = event.Monitor{
		Note: func(n event.Note) { notes = append(notes, n) },
		Progress: func(p event.Progress) {
			if open[p.Task] = true; p.Ended {
				delete(open, p.Task)
			}
		},
	}
	r, err := learn(t.Context(), Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(notes, r.Notes, func(a, b event.Note) bool { return a.String() == b.String() }) ||
		len(open) > 0 {
		t.Errorf("heard %v, and the result has %v; tasks without an end: %v", notes, r.Notes, open)
	}
}
