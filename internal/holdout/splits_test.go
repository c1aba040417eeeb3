package holdout_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// calls counts the trainings of a trainer whose prediction of row i is λ times the sum of the
// training rows, plus i.
func calls(count *int) holdout.Trainer {
	return func(_ context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error {
		*count++
		sum := 0
		for _, i := range train {
			sum += i
		}
		for l, lambda := range lambdas {
			f := data.NewDense(len(test), 1, nil)
			for a, i := range test {
				f.Data[a] = lambda*float64(sum) + float64(i)
			}
			emit(l, f)
		}
		return nil
	}
}

// blocks are splits of ten rows whose training leaves out more than the test set: the tests
// {7,0}, none, {3}, and rows from 5 on to train on for the third.
func blocks() *holdout.Splits {
	trains := [][]int{{1, 2}, {1}, {5, 6, 7, 8, 9}}
	return holdout.NewSplits(10, [][]int{{7, 0}, nil, {3}}, func(g int) []int { return trains[g] })
}

// TestSplits: test and training sets are those that were given; of a partition each part is
// predicted from all other rows; the rows of no test set are not predicted.
func TestSplits(t *testing.T) {
	s := blocks()
	if s.Len() != 3 || !slices.Equal(s.Test(0), []int32{7, 0}) || len(s.Test(1)) != 0 ||
		!slices.Equal(s.Held(), []int32{7, 0, 3}) || !slices.Equal(s.Train(2), []int{5, 6, 7, 8, 9}) ||
		s.Groups() != nil {
		t.Errorf("%+v", s)
	}
	of := holdout.SplitsOf(data.NewPartition([]int32{0, 1, 0, 1, 2}, 3))
	if !slices.Equal(of.Test(1), []int32{1, 3}) || !slices.Equal(of.Train(1), []int{0, 2, 4}) || of.Groups() == nil {
		t.Errorf("%+v", of)
	}
	n := 0
	y := make([]float64, 10)
	f, err := holdout.HeldOut(ctx, calls(&n).Predict, holdout.Labels{Y: y},
		holdout.Options{Splits: s.Together(), Method: cv.Method{Kind: cv.KFold, Folds: 3}}, 2)
	if err != nil || n != 2 {
		t.Fatalf("%d trainings, %v", n, err)
	}
	for i, want := range map[int]float64{0: 6, 7: 13, 3: 73} {
		if f.Data[i] != want {
			t.Errorf("row %d: %v, want %v", i, f.Data[i], want)
		}
	}
	if !math.IsNaN(f.Data[5]) {
		t.Errorf("row 5, which is in no test set: %v", f.Data[5])
	}
	for name, tests := range map[string][][]int{"twice": {{1}, {2, 1}}, "outside": {{10}}, "negative": {{-1}}} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "test set") {
					t.Errorf("a row %s: %q", name, text)
				}
			}()
			holdout.NewSplits(10, tests, nil)
		}()
	}
}

// TestSplitsAreRankedTogetherOrApart: pairs are within a test set, or of all that are held
// out together; sets may be emitted several at once, and progress counts each.
func TestSplitsAreRankedTogetherOrApart(t *testing.T) {
	y := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	o := holdout.Options{Splits: blocks(), Method: cv.Method{Kind: cv.KFold, Folds: 3}, Candidates: []float64{1, 2}}
	n, done, total := 0, 0, 0
	o.Progress = func(d, of int) { done, total = d, of }
	apart, err := holdout.Measure(ctx, calls(&n).Predict, holdout.Labels{Y: y}, o)
	if err != nil || apart[0].Points[1].Pairs != 1 || done != 2 || total != 3 {
		t.Errorf("apart: %+v, %v, %d of %d done", apart, err, done, total)
	}
	o.Splits, done = blocks().Together(), 0
	together, err := holdout.Measure(ctx, calls(&n).Predict, holdout.Labels{Y: y}, o)
	if err != nil || together[0].Points[1].Pairs != 3 || together[0].Points[0].Error != 1.0/3 || done != 2 {
		t.Errorf("together: %+v, %v, %d done", together, err, done)
	}
	atOnce := func(_ context.Context, s *holdout.Splits, lambdas []float64,
		emit func(g, l int, held holdout.Held)) error {
		for l := range lambdas {
			emit(0, l, holdout.Predictions(data.NewDense(3, 1, []float64{10, 3, 40 * lambdas[l]})))
		}
		return nil
	}
	done = 0
	if e, err := holdout.Measure(ctx, atOnce, holdout.Labels{Y: y}, o); err != nil ||
		e[0].Points[0].Error != together[0].Points[0].Error || e[0].Points[0].Pairs != 3 || done != 3 {
		t.Errorf("at once: %+v, %v, %d done", e, err, done)
	}
}

// TestRecorded: what was measured is given again without training, for some of the λ too;
// another λ trains.
func TestRecorded(t *testing.T) {
	n := 0
	predict := holdout.Recorded(calls(&n).Predict)
	labels, o := holdout.Labels{Y: []float64{3, 1, 2, 0}}, holdout.Options{Method: cv.Method{Kind: cv.KFold, Folds: 2},
		Candidates: []float64{1, 2}}
	if _, err := holdout.Measure(ctx, predict, labels, o); err != nil || n != 2 {
		t.Fatalf("%d trainings, %v", n, err)
	}
	plain := o
	plain.Candidates = nil
	for _, lambda := range []float64{2, 1, 5} {
		m := 0
		got, err := holdout.HeldOut(ctx, predict, labels, plain, lambda)
		want, wantErr := holdout.HeldOut(ctx, calls(&m).Predict, labels, plain, lambda)
		if err != nil || wantErr != nil || !slices.Equal(got.Data, want.Data) {
			t.Errorf("λ=%v: %v, want %v (%v)", lambda, got, want, err)
		}
		if known := lambda < 5; known && n != 2 || !known && n != 4 {
			t.Errorf("λ=%v: %d trainings", lambda, n)
		}
	}
}

// TestPathsHoldOutWhatTheyLeaveOut: a path has no shortcut for training sets that leave out
// more than the test set.
func TestPathsHoldOutWhatTheyLeaveOut(t *testing.T) {
	y := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	goal, err := goals.Scored(y, 1, data.OneList(10), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(data.NewDense(10, 1, y)), goal)
	if err != nil {
		t.Fatal(err)
	}
	f := holdout.OfPath(path, nil)
	if err := f.Exact(blocks()); err == nil || !strings.Contains(err.Error(), "leave out more") {
		t.Errorf("exact: %v", err)
	}
	if err := f.HoldOut(ctx, blocks(), []float64{1}, nil); err == nil {
		t.Error("held out without a word")
	}
}

// TestQueriesWithoutPairsAreLeftAlone: queries of one label are not predicted, and change nothing in the estimates, as
// those with another metric, for which they are predicted, say. Progress still ends at all test sets.
func TestQueriesWithoutPairsAreLeftAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	alone := 0
	for range 40 {
		p := gen.New(r, gen.Options{MaxRows: 24})
		for i, q := range p.Query {
			if q%2 == 1 {
				p.Y[i] = float64(q)
			}
		}
		labels := holdout.Labels{Y: p.Y, Queries: partition(p)}
		goal, err := goals.Scored(p.Y, 1, labels.Queries, pref.Options{})
		if err != nil || labels.Queries.Len() < 2 {
			continue
		}
		path, err := rls.Factor(ctx, rls.Primal(&data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}), goal)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		o := holdout.Options{Candidates: []float64{0.1, 10}, Units: true,
			Progress: func(done, _ int) { last = max(last, done) }}
		got, err := holdout.EstimatePath(ctx, path, labels, o)
		if err != nil {
			continue
		}
		o.Also, o.Progress = []metric.Metric{metric.Disagreement}, nil
		want, err := holdout.EstimatePath(ctx, path, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		for l := range want[0].Points {
			want[0].Points[l].Also = nil
		}
		if !reflect.DeepEqual(got, want) || last != labels.Queries.Len() {
			t.Errorf("%+v, want %+v; %d of %d test sets done", got[0], want[0], last, labels.Queries.Len())
		}
		alone++
	}
	if alone < 10 {
		t.Errorf("only %d problems have an estimate", alone)
	}
}
