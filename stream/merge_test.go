package stream

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
	"pairrank/pref"
)

// Queries that are added in portions and merged, or added and forgotten, leave the same sums.
func TestMergeAndSubtract(t *testing.T) {
	ctx := context.Background()
	set := gen.Set(400, 6, 40, 4)
	for name, o := range streamed() {
		queries := queriesIn(o.timed(set), nil, false)
		whole := summed(t, o, queries)
		merged := summed(t, o, nil)
		for k := 0; k < len(queries); k += 7 {
			part := summed(t, o, queries[k:min(len(queries), k+7)])
			before := bytesOf(t, part)
			if err := merged.Merge(part); err != nil {
				t.Fatal(name, err)
			}
			if !bytes.Equal(before, bytesOf(t, part)) {
				t.Fatalf("%s: merging changes what is merged", name)
			}
		}
		if merged.Rows() != whole.Rows() || merged.Queries() != whole.Queries() || merged.Pairs() != whole.Pairs() ||
			!slices.Equal(merged.Sources(), whole.Sources()) || merged.idle != whole.idle {
			t.Errorf("%s: merged %d rows of %v, want %d of %v", name, merged.Rows(), merged.Sources(), whole.Rows(),
				whole.Sources())
		}
		a, err := merged.Train(ctx, TrainOptions{Lambdas: []float64{2}})
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := whole.Train(ctx, TrainOptions{Lambdas: []float64{2}})
		if err != nil {
			t.Fatal(name, err)
		}
		const double = 1e-14 // sums of double words agree up to their last bit
		if d := apart(a, b); d > double {
			t.Errorf("%s: merged weights differ by %g", name, d)
		}
		some := summed(t, o, queries[:25])
		if err := merged.Subtract(summed(t, o, queries[25:])); err != nil {
			t.Fatal(name, err)
		}
		left, err := merged.Train(ctx, TrainOptions{Lambdas: []float64{2}})
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := some.Train(ctx, TrainOptions{Lambdas: []float64{2}})
		if err != nil {
			t.Fatal(name, err)
		}
		if d := apart(left, want); d > double || merged.Rows() != some.Rows() || merged.Queries() != 25 ||
			merged.idle != some.idle || !slices.Equal(merged.Sources(), some.Sources()) {
			t.Errorf("%s: what is left differs by %g, %v, want %v", name, d, merged.Sources(), some.Sources())
		}
	}
}

// A refused change leaves the statistics unchanged.
func TestRefuse(t *testing.T) {
	set := gen.Set(60, 3, 6, 5)
	queries := queriesIn(set, nil, false)
	s := summed(t, Options{}, queries[:4])
	before := bytesOf(t, s)
	other := func(o Options, q ...data.Query) *Statistics { return summed(t, o, q) }
	from := func(q data.Query, source string) data.Query { q.Source = source; return q }
	short := queries[1]
	short.X, short.Y = data.Slice(short.X, 0, 3), short.Y[:3]
	wide := data.NewDense(1, 1, []float64{math.Inf(1)})
	for _, c := range []struct {
		err  error
		code fault.Code
		want string
	}{
		{s.Add(from(queries[2], "late.txt")), codes.FaultQueryTwice,
			`late.txt:3: the query "q2" comes twice, first in part:3`},
		{s.Merge(other(Options{}, queries[5], from(queries[3], "b.txt"))), codes.FaultQueryTwice,
			"a query is in both part and b.txt"},
		{s.Merge(other(Options{}, queries[1], queries[2])), codes.FaultQueryTwice, "2 queries are in both part and part"},
		{s.Subtract(other(Options{}, queries[1], from(queries[5], "new.txt"))), codes.FaultQueryUnknown,
			"of 2 queries to forget 1 were not added, the first of them from new.txt"},
		{s.Subtract(other(Options{}, short)), codes.FaultQueryUnknown, "1 have another number of rows"},
		{s.Merge(other(Options{Folds: 3}, queries[5])), "", "Folds is 10 and 3"},
		{s.Merge(other(Options{Names: []string{"a", "b", "c"}}, queries[5])), "",
			"Names differ: there are 0 and 3"},
		{s.Subtract(other(Options{Normalize: data.NormalizeQueryMinMax}, queries[1])), "",
			"Normalize is none and query-minmax"},
		{s.Add(data.Query{ID: "new", X: wide, Y: []float64{1}, Source: "n", Line: 7}), "",
			`n:7: query "new": row 1 has a feature of value +Inf`},
		{s.Add(data.Query{ID: "new", X: data.NewDense(1, 1, []float64{1}), Y: []float64{math.NaN()}}), "",
			`query "new": row 1 has label NaN`},
		{s.Add(data.Query{ID: "new", X: data.NewDense(2, 1, nil), Y: []float64{1}}), "", "2 rows and 1 labels"},
		{s.Add(data.Query{ID: "new"}), "", "no matrix"},
		{s.Add(data.Query{ID: "new", X: &data.CSR{Rows: 1, Cols: 1 << 30, Ptr: []int{0, 0}}, Y: []float64{1}}),
			codes.FaultStatisticsMemory, "the sums of 1073741824 features and 10 folds would take about"},
		{s.Add(data.Query{ID: "new", Source: "f.txt", Line: 7, X: &data.CSR{Rows: 1, Cols: 1 << 30, Ptr: []int{0, 0}},
			Y: []float64{1}}), codes.FaultStatisticsMemory, "f.txt:7: the sums of 1073741824 features"},
		{func() error {
			_, err := New(Options{Folds: math.MaxInt32})
			return err
		}(), codes.FaultStatisticsMemory, "and 2147483647 folds would take about"},
	} {
		var fault *fault.Error
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !errors.As(c.err, &fault) ||
			fault.Code != c.code {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	if !bytes.Equal(before, bytesOf(t, s)) {
		t.Errorf("what is refused changes the statistics")
	}
	minus, infinite := -1.0, math.Inf(1)
	for want, o := range map[string]Options{
		"Normalize zscore needs all rows": {Normalize: data.NormalizeZScore},
		"Normalize is unknown":            {Normalize: "robust"},
		"Solver dual needs all rows":      {Learner: pairrank.LeastSquares{Solver: pairrank.Dual}},
		"Basis is of rows":                {Learner: pairrank.LeastSquares{Basis: pairrank.Basis{Size: 3}}},
		"Tolerance and MaxIterations":     {Learner: pairrank.LeastSquares{Tolerance: 0.1}},
		"Pairs are of rankrls": {Learner: pairrank.LeastSquares{Regression: true,
			Pairs: pref.Options{Cost: pref.Unit}}},
		"Threshold is finite":    {Threshold: &infinite},
		"Folds are at least 1":   {Folds: -1},
		"Names are UTF-8":        {Names: []string{"caf\xe9"}},
		"Outputs are at least 1": {Outputs: -1},
		"cost":                   {Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: "none"}}},
		"outputs": {Outputs: 2, Threshold: &minus,
			Learner: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", o, err, want)
		}
	}
}

func TestTrainRefuses(t *testing.T) {
	ctx := context.Background()
	row := func(id string, y ...float64) data.Query {
		return data.Query{ID: id, X: data.NewDense(len(y), 1, slices.Clone(y)), Y: y}
	}
	for _, c := range []struct {
		queries []data.Query
		o       Options
		lambdas []float64
		code    fault.Code
		want    string
	}{
		{nil, Options{}, nil, "", "there are no rows"},
		{[]data.Query{row("a", 1)}, Options{}, nil, codes.FaultOneRow, "only one row"},
		{[]data.Query{row("a", 1)}, Options{Learner: pairrank.LeastSquares{Regression: true}}, []float64{1},
			codes.FaultOneRow, "only one row"},
		{[]data.Query{row("a", 1), row("b", 1, 1)}, Options{}, nil, codes.FaultNothing, "no two compared rows"},
		{[]data.Query{row("a", 1, 2)}, Options{}, nil, codes.FaultFewFolds, "of 10 folds of queries 1 have rows"},
		{[]data.Query{row("a", 1, 2)}, Options{Folds: 1}, nil, "", "Folds is 1"},
		{[]data.Query{row("a", 1, 2)}, Options{}, []float64{2, 1}, "", "Lambdas are greater than 0 and ascend"},
		{[]data.Query{row("a", 1, 2)}, Options{Names: []string{"a", "b"}}, nil, "",
			"there are names of 2 features, and the data has 1"},
		{[]data.Query{{ID: "a", X: data.NewDense(2, 0, nil), Y: []float64{1, 2}}}, Options{}, nil, "", "no features"},
	} {
		_, err := summed(t, c.o, c.queries).Train(ctx, TrainOptions{Lambdas: c.lambdas})
		var fault *fault.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &fault) || fault.Code != c.code {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err := summed(t, Options{}, []data.Query{row("a", 1, 2)}).Train(ended, TrainOptions{Lambdas: []float64{1}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
