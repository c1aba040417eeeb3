package rows

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/pref"
)

// overProcesses trains on the parts of a set, one process each.
func overProcesses(ctx context.Context, parts []*data.Set, options func(process int) Plan) ([]*Result, []error) {
	results, errs := make([]*Result, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for process, member := range ranksvm.NewInProcess(len(parts)) {
		all.Go(func() {
			defer member.Leave(nil)
			results[process], errs[process] = TrainProcesses(ctx, member, Problem{Set: parts[process]},
				options(process))
		})
	}
	all.Wait()
	return results, errs
}

// spread deals the queries of a set to processes in turn; of three processes the second gets none.
func spread(set *data.Set, size int) []*data.Set {
	parts := make([]*data.Set, size)
	for process := range parts {
		var rows []int
		for g := range set.Queries.Len() {
			owner := g % size
			if size == 3 && owner == 1 {
				owner = 0
			}
			if owner == process {
				for _, i := range set.Queries.Part(g) {
					rows = append(rows, int(i))
				}
			}
		}
		parts[process] = set.Subset(rows)
	}
	return parts
}

// The model of several processes is that of one process on all rows: the same facts, and weights that differ by
// rounding and the remainder of a gradient of 1e-12.
func TestTrainProcessesIsTrain(t *testing.T) {
	set := made(120, 5, 12, 9)
	for _, normalize := range []string{"", data.NormalizeQueryMinMax, data.NormalizeZScore, data.NormalizeMinMax} {
		for _, learner := range []RankSVM{
			{Loss: ranksvm.SquaredHinge, Epsilon: 1e-12},
			{Loss: ranksvm.SquaredHinge, Epsilon: 1e-12, Weight: pref.Edges},
			{Epsilon: 1e-11},
		} {
			o := Plan{Learner: learner, Lambdas: []float64{0.01}, Normalize: normalize}
			want, err := Train(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := TrainProcesses(t.Context(), nil, Problem{Set: set}, o)
			if err != nil || written(t, alone) != written(t, want) {
				t.Errorf("%+v alone: %v, another model than of Train", learner, err)
			}
			for size := 1; size <= 3; size++ {
				results, errs := overProcesses(t.Context(), spread(set, size), func(int) Plan { return o })
				for process, r := range results {
					if errs[process] != nil {
						t.Fatal(errs[process])
					}
					if written(t, r) != written(t, results[0]) {
						t.Fatalf("%+v: processes 0 and %d of %d have other models", learner, process, size)
					}
				}
				sameTraining(t, set, learner, results[0], want)
			}
		}
	}
}

// sparse is a matrix with its zeros left out.
func sparse(x data.Matrix) *data.CSR {
	rows, cols := x.Dims()
	s := &data.CSR{Rows: rows, Cols: cols, Ptr: []int{0}}
	for i := range rows {
		data.Each(x, i, func(j int, v float64) { s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v) })
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

// Rows may be sparse on one process and dense on another, and also on a process that is alone.
func TestTrainProcessesOfSparseRows(t *testing.T) {
	set := made(120, 5, 12, 9)
	learner := RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-12}
	o := Plan{Learner: learner, Lambdas: []float64{0.01}}
	want, err := Train(t.Context(), Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; size <= 3; size++ {
		parts := spread(set, size)
		parts[0].X = sparse(parts[0].X)
		results, errs := overProcesses(t.Context(), parts, func(int) Plan { return o })
		for process, r := range results {
			if errs[process] != nil || written(t, r) != written(t, results[0]) {
				t.Fatalf("process %d of %d: %v, or another model than process 0", process, size, errs[process])
			}
		}
		sameTraining(t, set, learner, results[0], want)
	}
}

// sameTraining compares the result of several processes with the result of one.
func sameTraining(t *testing.T, set *data.Set, learner RankSVM, got, want *Result) {
	t.Helper()
	if off := math.Abs(got.Training.Minimum-want.Training.Minimum) / want.Training.Minimum; off > 1e-10 {
		t.Errorf("%+v: J is off by %v", learner, off)
	}
	i, w := got.Model.Info, want.Model.Info
	for _, v := range []*model.Info{&i, &w} { // fields that rounding may change
		v.Further = nil
	}
	if !reflect.DeepEqual(i, w) || got.Training.Rows != want.Training.Rows ||
		got.Training.Queries != want.Training.Queries || len(got.Notes) != len(want.Notes) {
		t.Errorf("%+v: %+v, want %+v", learner, i, w)
	}
	a, err := got.Model.Score(set)
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.Model.Score(set)
	if err != nil {
		t.Fatal(err)
	}
	limit := 1e-3 // for the hinge loss: √(gap/λ)
	if learner.Loss == ranksvm.SquaredHinge {
		limit = 1e-9
	}
	for k := range a {
		if math.Abs(a[k]-b[k]) > limit {
			t.Fatalf("%+v: row %d scores %v, want %v", learner, k, a[k], b[k])
		}
	}
}

// Several processes refuse what they cannot do before they send anything, and name the option.
func TestTrainProcessesRefuses(t *testing.T) {
	set := made(20, 3, 4, 1)
	good := Plan{Learner: RankSVM{}, Lambdas: []float64{1}}
	change := func(f func(*Plan)) Plan {
		o := good
		f(&o)
		return o
	}
	for want, o := range map[string]Plan{
		"Learner":           change(func(o *Plan) { o.Learner = LeastSquares{} }),
		"Lambdas":           change(func(o *Plan) { o.Lambdas = nil }),
		"Method":            change(func(o *Plan) { o.Method = &cv.Method{Kind: cv.LeaveQueryOut} }),
		"Kernels":           change(func(o *Plan) { o.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 1}} }),
		"Basis":             change(func(o *Plan) { o.Learner = RankSVM{Basis: Basis{Size: 2}} }),
		"Loss":              change(func(o *Plan) { o.Learner = RankSVM{Loss: "log"} }),
		"pairs of all rows": change(func(o *Plan) { o.AllPairs = true }),
		"neither is below 0": change(func(o *Plan) {
			o.Learner = RankSVM{Checkpoints: ranksvm.Checkpoints{Iterations: -1}}
		}),
	} {
		_, errs := overProcesses(t.Context(), spread(set, 2), func(int) Plan { return o })
		for process, err := range errs {
			var known *fault.Error
			if !errors.As(err, &known) || known.Kind != fault.Use || !strings.Contains(err.Error(), want) {
				t.Errorf("process %d: %v, want %q", process, err, want)
			}
		}
	}
}

// An error in the rows of one process is the error of that process, and ends the others.
func TestTrainProcessesOfBadRows(t *testing.T) {
	set := made(20, 3, 4, 1)
	for name, c := range map[string]struct {
		part func(p *data.Set)
		want string
	}{
		"label":    {func(p *data.Set) { p.Y[1] = math.Inf(1) }, "the label of row 2 is +Inf"},
		"value":    {func(p *data.Set) { p.X.(*data.Dense).Row(1)[0] = math.NaN() }, "row 2 has a feature that is NaN"},
		"features": {func(p *data.Set) { p.X = data.Widen(p.X, 4) }, "process 0 has 3 features and process 1 4"},
	} {
		parts := spread(set, 2)
		c.part(parts[1])
		_, errs := overProcesses(t.Context(), parts,
			func(int) Plan { return Plan{Learner: RankSVM{}, Lambdas: []float64{1}} })
		if errs[1] == nil || !strings.Contains(errs[1].Error(), c.want) || errs[0] == nil ||
			name != "features" && errs[0] != ranksvm.ErrElsewhere {
			t.Errorf("%s: %v", name, errs)
		}
	}
	alike := made(20, 3, 4, 1)
	for i := range alike.Y {
		alike.Y[i] = 1
	}
	_, errs := overProcesses(t.Context(), spread(alike, 2),
		func(int) Plan { return Plan{Learner: RankSVM{}, Lambdas: []float64{1}} })
	for _, err := range errs {
		var known *fault.Error
		if !errors.As(err, &known) || known.Code != FaultNothing {
			t.Errorf("labels that are all alike: %v", err)
		}
	}
}

// A training with checkpoints is stopped and resumed: alone by Train, and over processes.
func TestTrainResumes(t *testing.T) {
	set := made(300, 6, 12, 5)
	for _, size := range []int{0, 2} {
		learner := RankSVM{Epsilon: 1e-9}
		o := Plan{Learner: learner, Lambdas: []float64{1e-3}, Normalize: data.NormalizeZScore}
		want, err := Train(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		learner.Checkpoints = ranksvm.Checkpoints{Path: filepath.Join(t.TempDir(), "run.ckpt")}
		learner.MaxIterations = 5
		o.Learner = learner
		train := func() (*Result, error) {
			if size == 0 {
				return Train(t.Context(), Problem{Set: set}, o)
			}
			results, errs := overProcesses(t.Context(), spread(set, size), func(int) Plan { return o })
			return results[1], errs[1]
		}
		var stopped *ranksvm.StoppedError
		if _, err := train(); !errors.As(err, &stopped) {
			t.Fatalf("five iterations: %v", err)
		}
		learner.MaxIterations = 0
		o.Learner = learner
		got, err := train()
		if err != nil || got.Training.Iterations >= want.Training.Iterations ||
			math.Abs(got.Training.Minimum-want.Training.Minimum) > 2e-9 {
			t.Errorf("on %d processes: %v, %+v, want %+v", size, err, got.Training, want.Training)
		}
		if got.Notes[0].Code != NoteResumed || !strings.Contains(got.Notes[0].Text, "iteration 5 ") {
			t.Errorf("notes %v", got.Notes)
		}
		// the rows are those of any number of processes, though their mean is rounded differently
		if results, errs := overProcesses(t.Context(), spread(set, 3), func(int) Plan { return o }); errs[0] != nil ||
			results[0].Training.Iterations > 2 {
			t.Errorf("from the end on three processes: %v", errs)
		}
		other := o
		other.Normalize = data.NormalizeMinMax
		if _, err := Train(t.Context(), Problem{Set: set}, other); err == nil ||
			!strings.Contains(err.Error(), "has other data") {
			t.Errorf("of another normalisation: %v", err)
		}
		o.Lambdas[0] = 1
		var known *fault.Error
		if _, err := Train(t.Context(), Problem{Set: set}, o); !errors.As(err, &known) ||
			known.Kind != fault.Data || !strings.Contains(err.Error(), "its λ is 0.001, and here it is 1") {
			t.Errorf("of another λ: %v", err)
		}
	}
}
