package rls_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// Queries that are added by their sums, of one word or two, make the statistics of their rows,
// and are read as they were written.
func TestQueryStatisticsMakeTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 4))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{MaxRows: 700})
		o := everyGoal[r.IntN(len(everyGoal))]
		options := statisticsOptions(o.regression, o.Options)
		options.Folds = 2
		rows, sums := newStatistics(t, options), newStatistics(t, options)
		single := true
		for q := range p.Queries {
			x, y := queryOf(p, q, 1)
			fold := r.IntN(2)
			add(t, rows, x, y, fold)
			one, err := sums.QueryStatistics(x, y, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := one.AppendBinary([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			b, _ = bytes.CutPrefix(b, []byte("before"))
			most := rls.QueryStatisticsBytes(x.Rows, x.Cols, 1)
			if size := float64(len(b)); size > most {
				t.Errorf("a query of %d rows takes %v bytes, said are %v", x.Rows, size, most)
			}
			read, rest, err := rls.ReadQueryStatistics(append(bytes.Clone(b), "after"...), sums.Options())
			if err != nil || string(rest) != "after" || read.Rows() != int64(x.Rows) || read.Features() != x.Cols {
				t.Fatalf("%v, %q follows, %d rows, %d features", err, rest, read.Rows(), read.Features())
			}
			if again, _ := read.AppendBinary(nil); !bytes.Equal(again, b) {
				t.Fatal("other bytes come back")
			}
			for _, cut := range []int{0, 7, 8, len(b) / 2, len(b) - 1} {
				if _, _, err := rls.ReadQueryStatistics(b[:cut], sums.Options()); err == nil {
					t.Errorf("%d of %d bytes are read", cut, len(b))
				}
			}
			if err := sums.AddQuery(read, fold); err != nil {
				t.Fatal(err)
			}
			single = single && x.Rows <= 100
		}
		if single && bytesOf(t, sums) != bytesOf(t, rows) {
			t.Errorf("the bits of sums of queries are others, %+v", options)
		}
		sameWeights(t, "sums of queries", solved(t, sums, 1).Coef.Data, solved(t, rows, 1).Coef.Data, 1e-14)
	}
}

// Subtracting a query that was not added is an error where a sum of squares shows it, and only
// there.
func TestStatisticsCheckSubtract(t *testing.T) {
	for _, o := range []rls.StatisticsOptions{{Folds: 2}, {Folds: 2, Pairs: pref.Options{Cost: pref.Relative}},
		{Folds: 2, Regression: true}} {
		m := newStatistics(t, o)
		x, y := data.NewDense(3, 2, []float64{1, 7, 3, 5, 2, 2}), []float64{1, 2, 4}
		add(t, m, x, y, 1)
		add(t, m, data.NewDense(2, 2, []float64{1e3, 3, 2e3, 8}), []float64{0, 1}, 1)
		for text, q := range map[string]struct {
			x *data.Dense
			y []float64
		}{
			"": {x, y},
			"the sum of squares of feature 2 of fold 2": {data.NewDense(3, 2, []float64{1, 70, 3, -50, 2, 2}), y},
			"the sum of squares of feature 3 of fold 2": {data.NewDense(3, 3, []float64{1, 7, 1, 3, 5, 0, 2, 2, 0}), y},
		} {
			gone := newStatistics(t, o)
			add(t, gone, q.x, q.y, 1)
			before := bytesOf(t, m)
			err := m.CheckSubtract(gone)
			if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
				t.Errorf("%+v: error %v, want %q", o, err, text)
			}
			if bytesOf(t, m) != before {
				t.Error("checking changes the sums")
			}
		}
		if o.Pairs.Cost == pref.Relative {
			continue // its squared targets are 1 a pair
		}
		gone := newStatistics(t, o)
		add(t, gone, x, []float64{10, 20, 40}, 1)
		if err := m.CheckSubtract(gone); err == nil || !strings.Contains(err.Error(),
			"the sum of squared targets of output 1") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
	// Wider rows do not make the sums wider.
	m, gone := newStatistics(t, rls.StatisticsOptions{}), newStatistics(t, rls.StatisticsOptions{})
	add(t, m, data.NewDense(2, 1, []float64{1, 3}), []float64{1, 2}, 0)
	add(t, m, data.NewDense(2, 1, []float64{2, 7}), []float64{1, 2}, 0)
	add(t, gone, data.NewDense(2, 3, []float64{1, 0, 4, 3, 0, 5}), []float64{1, 2}, 0)
	if err := m.Subtract(gone); err != nil || m.Features() != 1 || len(solved(t, m, 1).Coef.Data) != 1 {
		t.Errorf("%v, %d features", err, m.Features())
	}
	if again := new(rls.Statistics); again.UnmarshalBinary([]byte(bytesOf(t, m))) != nil {
		t.Error("the sums are not read again")
	}
}
