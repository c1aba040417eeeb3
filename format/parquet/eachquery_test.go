package parquet

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
)

// listed are rows of a set in queries of random sizes, which follow each other.
func listed(m, n int) *data.Set {
	s := randomSet(m, n, true)
	r := rand.New(rand.NewPCG(uint64(m), 9))
	of, ids := make([]int32, m), []string{}
	for i, left := 0, 0; i < m; i++ {
		if left == 0 {
			left = 1 + r.IntN(40)
			if r.IntN(20) == 0 {
				left = 12_000 // more than a window
			}
			ids = append(ids, "q"+strconv.Itoa(len(ids)))
		}
		of[i] = int32(len(ids) - 1)
		left--
	}
	s.Queries = data.NewQueries(of, ids)
	return s
}

// cut are the queries of a set.
func cut(s *data.Set) (queries []data.Query) {
	of, x := s.Queries.Of(), s.X.(*data.Dense)
	for lo := 0; lo < len(of); {
		hi := lo
		for hi < len(of) && of[hi] == of[lo] {
			hi++
		}
		queries = append(queries, data.Query{ID: s.Queries.ID(int(of[lo])), Y: s.Y[lo:hi],
			X: data.NewDense(hi-lo, x.Cols, x.Data[lo*x.Cols:hi*x.Cols])})
		lo = hi
	}
	return queries
}

// collect keeps copies of the queries, and spoils what it was given.
func collect(into *[]data.Query) func(data.Query) error {
	return func(q data.Query) error {
		x := q.X.(*data.Dense)
		*into = append(*into, data.Query{ID: q.ID, Y: slices.Clone(q.Y),
			X: data.NewDense(x.Rows, x.Cols, slices.Clone(x.Data[:x.Rows*x.Cols]))})
		for k := range x.Data {
			x.Data[k] = -1
		}
		clear(q.Y)
		return nil
	}
}

// Query by query, a file, parts and text give the queries of the set.
func TestEachQuery(t *testing.T) {
	for _, m := range []int{1, 100, blockRows + 1, 40_000} {
		s := listed(m, 3)
		want := cut(s)
		dir := t.TempDir()
		for k, lo := range []int{0, m / 3} {
			if hi := []int{m / 3, m}[k]; hi > lo {
				write(t, filepath.Join(dir, strconv.Itoa(k)+".parquet"), rowsOf(s, lo, hi))
			}
		}
		var groups, text bytes.Buffer
		if err := writeGroups(&groups, s, 2*blockRows); err != nil {
			t.Fatal(err)
		}
		if err := table.WriteSet(&text, table.CSV, s); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{written(t, s), saved(t, "groups.parquet", groups.Bytes()), dir,
			saved(t, "set.csv", text.Bytes())} {
			var got []data.Query
			if err := table.EachQuery(context.Background(), path, table.Options{}, collect(&got)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d rows, %s: %d queries, want %d, or others", m, filepath.Base(path), len(got), len(want))
			}
			names, roles, err := table.ColumnsOf(path, table.Options{})
			if err != nil || roles == nil || !slices.Equal(names, s.Names) {
				t.Errorf("names %q, %v", names, err)
			}
		}
	}
}

// A query that returns, rows without one, and what needs all rows are errors.
func TestEachQueryRefuses(t *testing.T) {
	s := listed(100, 2)
	returns := *s
	of := slices.Clone(s.Queries.Of())
	of[99] = 0
	returns.Queries = data.NewQueries(of, s.Queries.IDs)
	without := *s
	without.HasQID, without.Queries = false, data.OneList(100)
	for _, c := range []struct {
		set  *data.Set
		opts table.Options
		err  error
		want string
	}{
		{&returns, table.Options{}, table.ErrQueryReturns, `query "q0" of row 100 began in row 1 and had ended`},
		{&without, table.Options{}, table.ErrNoQueries, "no column of queries"},
		{s, table.Options{Missing: data.MissingMean}, nil, "which needs all rows"},
		{s, table.Options{Factors: []string{"qid"}}, nil, "texts cannot become features"},
		{s, table.Options{Positive: "yes"}, nil, "labels and events are numbers"},
	} {
		err := table.EachQuery(context.Background(), written(t, c.set), c.opts, func(data.Query) error { return nil })
		if err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		var b bytes.Buffer
		if err := table.WriteSet(&b, table.CSV, c.set); err != nil {
			t.Fatal(err)
		}
		err = table.EachQueryFrom(context.Background(), &b, "t.csv", c.opts, func(data.Query) error { return nil })
		if err == nil || c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("text: %v, want %s", err, c.want)
		}
	}
	stop := errors.New("enough")
	err := table.EachQuery(context.Background(), written(t, s), table.Options{}, func(data.Query) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("%v, want the error of emit", err)
	}
	missing, err := os.ReadFile("testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	err = table.EachQuery(context.Background(), saved(t, "m.parquet", missing), table.Options{Only: []string{"gap"}},
		func(data.Query) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "the value of row 5 is missing") {
		t.Errorf("a missing value: %v", err)
	}
}
