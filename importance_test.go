package pairrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/gen"
	"pairrank/internal/learn/ranksvm"
	"pairrank/kernel"
	"pairrank/pref"
)

// importanceSet makes rows in so many queries with features of different worth and scale. The last feature is
// the sum of the first two, plus noise.
func importanceSet(m, n, queries int, seed uint64) *data.Set {
	r := rand.New(rand.NewPCG(seed, 3))
	x, y, of, ids := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m), []string{}
	for g := range queries {
		ids = append(ids, fmt.Sprint("q", g))
	}
	for i := range m {
		row := x.Row(i)
		for j := range row {
			row[j] = r.NormFloat64() * float64(1+j)
		}
		sum := row[0]
		if n > 2 {
			row[n-1] = row[0] + row[1]/2 + r.NormFloat64()/4
			sum += row[1] / 2
		}
		y[i] = max(0, 10+math.Round(sum+r.NormFloat64()))
		of[i] = int32((i*i + i) % queries)
	}
	set := &data.Set{X: x, Y: y, Queries: data.OneList(m)}
	if queries > 1 {
		set.Queries, set.HasQID = data.NewQueries(of, ids), true
	}
	for j := range n {
		set.Names = append(set.Names, fmt.Sprint("f", j+1))
	}
	return set
}

// without is a set without a column.
func without(set *data.Set, j int) *data.Set {
	var others []int
	_, n := set.X.Dims()
	for i := range n {
		if i != j {
			others = append(others, i)
		}
	}
	out := *set
	out.X, out.Names = data.SelectColumns(set.X, others), nil
	return &out
}

func TestImportanceIsTrainingWithoutTheColumn(t *testing.T) {
	few := func(k cv.Kind, folds int) *cv.Method { return &cv.Method{Kind: k, Folds: folds} }
	ndcg, err := metric.Parse("ndcg@3")
	if err != nil {
		t.Fatal(err)
	}
	lambdas := []float64{0.5, 4, 32}
	curves := []kernel.Kernel{kernel.Spline{Knots: 3, Bends: 0.5}}
	for name, c := range map[string]struct {
		m, n, queries int
		sparse        bool
		o             EstimateOptions
	}{
		"primal queries": {m: 90, n: 4, queries: 9, o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
		"primal pairs":   {m: 40, n: 4, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
		"many pairs":     {m: 530, n: 3, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas[:2]}}},
		"default path":   {m: 60, n: 3, queries: 6, o: EstimateOptions{}},
		"sparse rows": {m: 90, n: 4, queries: 9, sparse: true,
			o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
		"dual": {m: 20, n: 30, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
		"gaussian": {m: 40, n: 3, queries: 1,
			o: EstimateOptions{Options: Options{Lambdas: lambdas, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.05},
				kernel.Gaussian{Gamma: 0.5}}}}},
		"basis": {m: 60, n: 4, queries: 6,
			o: EstimateOptions{Options: Options{Lambdas: lambdas, Learner: LeastSquares{Basis: Basis{Size: 12}}}}},
		"linear dual basis": {m: 40, n: 4, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Learner: LeastSquares{Solver: Dual}}}},
		"regression": {m: 60, n: 3, queries: 1,
			o: EstimateOptions{Options: Options{Lambdas: lambdas, Learner: LeastSquares{Regression: true},
				Method: few(cv.LeaveOneOut, 0)}}},
		"folds of rows": {m: 60, n: 3, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Method: few(cv.KFold, 4), Seed: 5}}},
		"folds of queries": {m: 60, n: 3, queries: 6, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Method: few(cv.KFold, 3), Normalize: data.NormalizeZScore}}},
		"metric": {m: 90, n: 4, queries: 9, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Metric: &ndcg}}},
		"trained again": {m: 60, n: 3, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Method: few(cv.KFold, 3), Learner: LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}}}},
		"cg": {m: 60, n: 3, queries: 6, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Method: few(cv.KFold, 3), Learner: LeastSquares{Solver: CG, Tolerance: 1e-12}}}},
		"ranksvm": {m: 60, n: 3, queries: 6, o: EstimateOptions{Options: Options{Lambdas: []float64{0.01,
			0.1}, Method: few(cv.KFold, 3), Learner: RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-9}}}},
		"rankboost": {m: 60, n: 3, queries: 6,
			o: EstimateOptions{Options: Options{Method: few(cv.KFold, 3), Learner: RankBoost{Rounds: []int{2, 5}}}}},
		"at once": {m: 90, n: 6, queries: 9, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Normalize: data.NormalizeZScore}}},
		"at once, sparse": {m: 90, n: 4, queries: 9, sparse: true,
			o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2]}}},
		"at once, metric": {m: 90, n: 4, queries: 9, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Metric: &ndcg}}},
		"at once, rows": {m: 60, n: 4, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Method: few(cv.LeaveOneOut, 0)}}},
		"at once, folds": {m: 60, n: 4, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Method: few(cv.KFold, 4), Learner: LeastSquares{Regression: true}}}},
		"at once, folds of": {m: 60, n: 4, queries: 6, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Method: few(cv.KFold, 4)}}},
		"splines": {m: 90, n: 4, queries: 9, o: EstimateOptions{Options: Options{Lambdas: lambdas, Kernels: curves}}},
		"splines, pairs": {m: 40, n: 3, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas[1:2],
			Kernels: curves}}},
		"splines, folds, dual": {m: 30, n: 9, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Kernels: curves, Method: few(cv.KFold, 4), Learner: LeastSquares{Solver: Dual}}}},
		"splines, one by one": {m: 50, n: 3, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Kernels: curves, Method: few(cv.LeaveOneOut, 0), Learner: LeastSquares{Regression: true}}}},
		"splines, ranksvm": {m: 60, n: 3, queries: 6, o: EstimateOptions{Options: Options{Lambdas: []float64{0.1},
			Kernels: curves, Method: few(cv.KFold, 3), Learner: RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-9}}}},
		"splines, one feature": {m: 40, n: 1, queries: 5, o: EstimateOptions{Options: Options{Lambdas: lambdas,
			Kernels: curves}}},
		"one feature":     {m: 40, n: 1, queries: 1, o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
		"one, by queries": {m: 40, n: 1, queries: 5, o: EstimateOptions{Options: Options{Lambdas: lambdas}}},
	} {
		t.Run(name, func(t *testing.T) {
			set := importanceSet(c.m, c.n, c.queries, 9)
			if c.sparse {
				set.X = thin(set.X.(*data.Dense))
			}
			checkImportance(t, set, c.o)
		})
	}
}

// thin keeps two of every three entries.
func thin(x *data.Dense) *data.CSR {
	return gen.Sparse(x, func(i, j int, _ float64) bool { return (i+j)%3 > 0 })
}

func checkImportance(t *testing.T, set *data.Set, o EstimateOptions) {
	t.Helper()
	_, n := set.X.Dims()
	o.Intervals, o.Importance = cv.IntervalsNone, true
	e, err := Estimate(t.Context(), Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Importance(t.Context(), cv.ImportanceAll)
	if err != nil {
		t.Fatal(err)
	}
	l := newLeavingOut(e)
	l.labels = l.quiet.labels()
	if atOnce := l.together(n, cv.ImportanceAll) == n && !got.Again; atOnce != strings.HasPrefix(t.Name(),
		"TestImportanceIsTrainingWithoutTheColumn/at_once") {
		t.Errorf("all at once: %v", atOnce)
	}
	if len(got.Features) != n || got.Left != 0 {
		t.Fatalf("%d features and %d left, of %d", len(got.Features), got.Left, n)
	}
	chosen := e.Choice.Chosen().Outputs[0]
	best := chosen.Points[chosen.Best]
	if want := valueOf(best, o.Metric); math.Abs(got.Value-want) > 1e-12 || got.Candidate != best.Candidate {
		t.Errorf("with all features %v at %v, and the estimate %v at %v", got.Value,
			got.Candidate, want, best.Candidate)
	}
	seen := map[int]bool{}
	last := math.Inf(1)
	for _, f := range got.Features {
		if seen[f.Feature] || f.Worse > last || f.Name != set.Names[f.Feature] {
			t.Errorf("feature %d, %q, worse by %v after %v", f.Feature+1, f.Name, f.Worse, last)
		}
		seen[f.Feature], last = true, f.Worse
		checkFeature(t, set, o, e, got, f)
	}
}

// checkFeature compares with an estimate of the matrix without the column.
func checkFeature(t *testing.T, set *data.Set, o EstimateOptions, e *Estimated, got *cv.Importance,
	f cv.FeatureImportance) {
	t.Helper()
	worse := f.Value - got.Value
	if o.Metric != nil {
		worse = -worse
	}
	if math.Abs(worse-f.Worse) > 1e-12 || got.Again != !math.IsNaN(f.AgainValue) {
		t.Errorf("feature %d: %v less %v is not %v; again %v: %v", f.Feature+1, f.Value,
			got.Value, f.Worse, got.Again, f.AgainValue)
	}
	if _, n := set.X.Dims(); n == 1 {
		if f.Value != 0.5 {
			t.Errorf("without any feature the error is %v", f.Value)
		}
		return
	}
	o.Importance, o.Kernels, o.Method, o.PairsSample = false, nil, &e.Choice.Method, 0
	if o.Method.Kind == cv.LeavePairOut {
		o.PairsSample = cv.PairsAll
	}
	o.Kernels = []kernel.Kernel{e.Choice.Kernel}
	if e.Choice.Chosen().Parameter == cv.Lambda {
		o.Lambdas = e.Choice.Chosen().Candidates
	}
	naive, err := Estimate(t.Context(), Problem{Set: without(set, f.Feature)}, o)
	if err != nil {
		t.Fatal(err)
	}
	of := naive.Choice.Chosen().Outputs[0]
	for _, p := range of.Points {
		if p.Candidate != got.Candidate {
			continue
		}
		if want := valueOf(p, o.Metric); math.Abs(f.Value-want) > 1e-8*math.Abs(want) {
			t.Errorf("without feature %d: %v, and of the other columns %v", f.Feature+1, f.Value, want)
		}
	}
	if p := of.Points[of.Best]; got.Again && (f.AgainCandidate != p.Candidate ||
		math.Abs(f.AgainValue-valueOf(p, o.Metric)) > 1e-8) {
		t.Errorf("without feature %d: best %v at %v, and of the other columns %v at %v",
			f.Feature+1, f.AgainValue, f.AgainCandidate, valueOf(p, o.Metric), p.Candidate)
	}
}

// The features are left out by falling size, in the requested number.
func TestImportanceOfSome(t *testing.T) {
	set := importanceSet(90, 5, 9, 1)
	e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Intervals: cv.IntervalsNone, Importance: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Importance(t.Context(), cv.ImportanceAll)
	if err != nil {
		t.Fatal(err)
	}
	checkSizes(t, set, e.Choice.Lambda, all)
	some, err := e.Importance(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(some.Features) != 2 || some.Left != 3 {
		t.Fatalf("%d features, %d left", len(some.Features), some.Left)
	}
	least := min(some.Features[0].Size, some.Features[1].Size)
	larger := 0
	for _, f := range all.Features {
		if f.Size >= least {
			larger++
		}
	}
	if larger != 2 {
		t.Errorf("%d features are as large as the second, %v", larger, least)
	}
	if auto, err := e.Importance(t.Context(), cv.ImportanceAuto); err != nil || len(auto.Features) != 5 {
		t.Errorf("%+v, %v", auto, err)
	}
}

// checkSizes compares sizes with the score that a model gives a row of one standard deviation.
func checkSizes(t *testing.T, set *data.Set, lambda float64, all *cv.Importance) {
	t.Helper()
	trained, err := learn(t.Context(), Problem{Set: set}, EstimateOptions{Options: Options{Lambdas: []float64{lambda}}})
	if err != nil {
		t.Fatal(err)
	}
	zscore, err := data.FitNormalizer(data.NormalizeZScore, set)
	if err != nil {
		t.Fatal(err)
	}
	row, zero := make([]float64, 5), trained.Model.ScoreRow(make([]float64, 5))
	for _, f := range all.Features {
		clear(row)
		row[f.Feature] = 1 / zscore.Scale[f.Feature]
		if want := math.Abs(trained.Model.ScoreRow(row) - zero); !all.Sized || math.Abs(f.Size-want) > 1e-9*want {
			t.Errorf("feature %d has size %v, want %v", f.Feature+1, f.Size, want)
		}
	}
}

func TestImportanceRefuses(t *testing.T) {
	set := importanceSet(20, 3, 1, 1)
	k := data.NewDense(20, 20, nil)
	for i := range 20 {
		k.Row(i)[i] = 1
	}
	labels := data.NewDense(20, 2, nil)
	for i := range labels.Data {
		labels.Data[i] = float64(i % 7)
	}
	for name, p := range map[string]Problem{"kernel matrix": {Set: set, Kernel: k},
		"two outputs": {Set: set, Labels: labels}} {
		var known *fault.Error
		if _, err := Estimate(t.Context(), p, EstimateOptions{Importance: true}); !errors.As(err, &known) ||
			known.Kind != fault.Use {
			t.Errorf("%s: %v", name, err)
		}
	}
	e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Intervals: cv.IntervalsNone})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Importance(t.Context(), cv.ImportanceAuto); err == nil {
		t.Error("importance that was not announced")
	}
	if e, err = Estimate(t.Context(), Problem{Set: set},
		EstimateOptions{Intervals: cv.IntervalsNone, Importance: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Importance(t.Context(), -2); err == nil {
		t.Error("importance of -2 features")
	}
}

// Any number of threads gives the same bytes. A context that has ended ends the work.
func TestImportanceForAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, lambdas := range [][]float64{{4}, {4, 32}} {
		var want string
		for _, threads := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(threads)
			e, err := Estimate(t.Context(), Problem{Set: importanceSet(90, 6, 9, 2)},
				EstimateOptions{Options: Options{Lambdas: lambdas}, Intervals: cv.IntervalsNone, Importance: true})
			if err != nil {
				t.Fatal(err)
			}
			i, err := e.Importance(t.Context(), cv.ImportanceAuto)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(i.Value, i.Features); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%d threads: %s, want %s", threads, got, want)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if _, err := e.Importance(ended, cv.ImportanceAuto); !errors.Is(err, context.Canceled) {
				t.Errorf("a context that has ended: %v", err)
			}
		}
	}
}
