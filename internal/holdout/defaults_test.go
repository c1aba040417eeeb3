package holdout_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// TestZeroOptions: the zero values of Options and of the queries are the defaults
// that their comments name.
func TestZeroOptions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	x, y, of := data.NewDense(24, 3, nil), make([]float64, 24), make([]int32, 24)
	for i := range y {
		for j := range x.Row(i) {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i], of[i] = float64(r.IntN(3)), int32(i/6)
	}
	for _, c := range []struct {
		queries *data.Partition
		method  cv.Kind
	}{{nil, cv.LeavePairOut}, {data.NewPartition(of, 4), cv.LeaveQueryOut}} {
		compared := c.queries
		if compared == nil {
			compared = data.OneList(24)
		}
		goal, err := goals.Scored(y, 1, compared, pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := rls.Factor(ctx, rls.Primal(x), goal)
		if err != nil {
			t.Fatal(err)
		}
		got, err := holdout.EstimatePath(ctx, path, holdout.Labels{Y: y, Queries: c.queries}, holdout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := holdout.EstimatePath(ctx, path, holdout.Labels{Y: y, Outputs: 1, Queries: compared},
			holdout.Options{Method: cv.Method{Kind: c.method},
				Candidates: holdout.Lambdas(path.Eigenvalues(), holdout.Spread(path.Squares()))})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got[0].Points, want[0].Points) || got[0].Best != want[0].Best ||
			len(got[0].Points) != 31 {
			t.Errorf("%s: %+v, want %+v", c.method, got[0], want[0])
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("training again without λ says nothing")
		}
	}()
	_, _ = holdout.Retrained(ctx, nil, holdout.Labels{Y: y}, holdout.Options{Method: cv.Method{Kind: cv.KFold,
		Folds: 2}})
}

// An unknown method, or one without groups, is an error of every function that holds out, and not a
// panic.
func TestMethodsThatAreNone(t *testing.T) {
	y := []float64{0, 1, 2, 3}
	x := data.NewDense(4, 1, y)
	goal, err := goals.Scored(y, 1, data.OneList(4), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	trainer := holdout.Trainer(func(_ context.Context, _, test []int, lambdas []float64,
		emit func(l int, f *data.Dense)) error {
		for l := range lambdas {
			emit(l, data.NewDense(len(test), 1, nil))
		}
		return nil
	})
	choose := func(_ context.Context, _, test []int) (*data.Dense, error) {
		return data.NewDense(len(test), 1, nil), nil
	}
	labels := holdout.Labels{Y: y}
	options := func(m cv.Method) holdout.Options { return holdout.Options{Method: m, Candidates: []float64{1}} }
	calls := map[string]func(m cv.Method) error{
		"Retrained": func(m cv.Method) error {
			_, err := holdout.Retrained(t.Context(), trainer.Predict, labels, options(m))
			return err
		},
		"HeldOut": func(m cv.Method) error {
			_, err := holdout.HeldOut(t.Context(), trainer.Predict, labels, options(m), 1)
			return err
		},
		"Nested": func(m cv.Method) error {
			_, err := holdout.Nested(t.Context(), choose, labels,
				options(m))
			return err
		},
		"Measure": func(m cv.Method) error {
			_, err := holdout.Measure(t.Context(), trainer.Predict, labels, options(m))
			return err
		},
		"EstimatePath": func(m cv.Method) error {
			_, err := holdout.EstimatePath(t.Context(), path, labels, options(m))
			return err
		},
		"Permutations": func(m cv.Method) error {
			_, err := holdout.Permutations(t.Context(), holdout.OfPath(path, nil), labels, options(m), 1, nil)
			return err
		},
		"Splits": func(m cv.Method) error { _, err := holdout.MethodSplits(m, data.OneList(4), 1); return err },
	}
	for name, call := range calls {
		for _, m := range []cv.Method{{Folds: 3}, {Kind: "banana"}, {Kind: cv.KFold}, {Kind: cv.KFold, Folds: -3},
			{Kind: cv.KFold, Folds: 1}, {Kind: cv.LeavePairOut, Folds: 2}} {
			if err := call(m); err == nil || !strings.Contains(err.Error(), "is not a method") {
				t.Errorf("%s by %+v: %v", name, m, err)
			}
		}
		if name == "EstimatePath" || name == "Permutations" { // which hold out pairs
			continue
		}
		for _, m := range []cv.Method{{}, {Kind: cv.LeavePairOut}} {
			if name == "Splits" && m.Kind == "" {
				continue
			}
			if err := call(m); err == nil || !strings.Contains(err.Error(), "kfold:") {
				t.Errorf("%s by %+v of one list: %v", name, m, err)
			}
		}
	}
}

// Labels, queries, groups and paths with different numbers of rows panic with the name of the
// argument.
func TestRowsThatDoNotFit(t *testing.T) {
	y := []float64{0, 1, 2, 3}
	goal, err := goals.Scored(y, 1, data.OneList(4), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(data.NewDense(4, 1, y)), goal)
	if err != nil {
		t.Fatal(err)
	}
	predict := holdout.Trainer(nil).Predict
	o := holdout.Options{Method: cv.Method{Kind: cv.LeaveOneOut}, Candidates: []float64{1}}
	grouped := o
	grouped.Splits = holdout.SplitsOf(data.OneList(3))
	for name, call := range map[string]func(){
		"labels.Y": func() { _, _ = holdout.EstimatePath(t.Context(), path, holdout.Labels{Y: y[:3]}, o) },
		"labels.Queries": func() {
			_, _ = holdout.Measure(t.Context(), predict, holdout.Labels{Y: y, Queries: data.OneList(5)}, o)
		},
		"o.Splits":  func() { _, _ = holdout.HeldOut(t.Context(), predict, holdout.Labels{Y: y}, grouped, 1) },
		"2 outputs": func() { _, _ = holdout.Retrained(t.Context(), nil, holdout.Labels{Y: y[:3], Outputs: 2}, o) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, name) {
					t.Errorf("%s of other rows: %q", name, text)
				}
			}()
			call()
		}()
	}
}
