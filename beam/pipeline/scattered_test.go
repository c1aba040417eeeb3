package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
)

// bucketParts is the oracle of scattered queries: it joins the rows of each query in file order, as
// text, and writes each bucket as one file with its queries in order of their names.
func bucketParts(t *testing.T, names []string, buckets int) []string {
	t.Helper()
	rows := map[string][]string{}
	for _, name := range names {
		for _, line := range strings.Split(strings.TrimSpace(string(read(t, name))), "\n") {
			id := strings.TrimPrefix(strings.Fields(line)[1], "qid:")
			rows[id] = append(rows[id], line)
		}
	}
	lines := make([][]string, buckets)
	var ids []string
	for id := range rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		k := bucketOf(id, buckets)
		lines[k] = append(lines[k], rows[id]...)
	}
	folder := t.TempDir()
	var files []string
	for k := range lines {
		if lines[k] != nil {
			files = append(files, write1(t, folder, fmt.Sprintf("bucket-%d", k), lines[k]))
		}
	}
	return files
}

// The sums and the model of scattered rows equal, bit for bit, those of files with whole queries,
// but for the places of the queries.
func TestScatteredQueriesAreGathered(t *testing.T) {
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 14))
			files := scattered(t, r, queries(r, 60), 4)
			const buckets = 7
			lambdas := []float64{0.5, 2, 8}
			sums, model, err := train(t, Input{Files: files, Statistics: o, Scattered: true, Buckets: buckets}, lambdas)
			if err != nil {
				t.Fatal(err)
			}
			want := sumParts(t, bucketParts(t, files, buckets), o, svmlight.Options{})
			got, err := statistics(read(t, sums))
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows() != want.Rows() || got.Queries() != want.Queries() || got.Pairs() != want.Pairs() {
				t.Errorf("%d rows, %d queries, %d pairs, not %d, %d, %d", got.Rows(), got.Queries(), got.Pairs(),
					want.Rows(), want.Queries(), want.Pairs())
			}
			same(t, "model", model, modelOf(t, want, lambdas, read(t, sums)))
		})
	}
}

func TestScatteredRowsNeedAQuery(t *testing.T) {
	file := write1(t, t.TempDir(), "noqid.txt", []string{"1 1:1", "0 1:2"})
	_, _, err := train(t, Input{Files: []string{file}, Scattered: true}, nil)
	if err == nil || !strings.Contains(Cause(err), "noqid.txt:1") {
		t.Errorf("%v does not name the line", err)
	}
}

// Chunks that are cut off where they are full arrive whole.
func TestManyChunks(t *testing.T) {
	var lines []string
	value := strings.Repeat(" ", 3)
	for i := range 4000 {
		line := fmt.Sprintf("%d qid:%d", i%3, i%5)
		for f := range 30 {
			line += fmt.Sprintf("%s%d:%d.5", value, f+1, (i*f)%11)
		}
		lines = append(lines, line)
	}
	file := write1(t, t.TempDir(), "long.txt", lines)
	chunks, rows := 0, gathering{}
	f := &scatterRows{Buckets: 2}
	var all []chunk
	err := f.ProcessElement(t.Context(), file1(file), func(k int64, c chunk) {
		chunks++
		if k == 0 {
			all = append(all, c)
		}
		if err := rows.add(&c); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil || chunks < 4 {
		t.Fatalf("%d chunks, %v", chunks, err)
	}
	if err := complete(all, 1); err != nil {
		t.Error(err)
	}
	n := 0
	err = rows.each(0, func(q data.Query) error {
		n += len(q.Y)
		return nil
	})
	if err != nil || n != len(lines) {
		t.Errorf("%d of %d rows, %v", n, len(lines), err)
	}
}

func file1(name string) file { return file{Name: name} }

func TestCompleteNoticesLossAndDoubling(t *testing.T) {
	all := []chunk{{File: 0, Number: 0}, {File: 0, Number: 1, Last: true}, {File: 1, Number: 0, Last: true}}
	if err := complete(all, 2); err != nil {
		t.Error(err)
	}
	for k := range all {
		if complete(slices.Delete(slices.Clone(all), k, k+1), 2) == nil {
			t.Errorf("chunk %d is lost and nobody notices", k)
		}
		if complete(slices.Insert(slices.Clone(all), k, all[k]), 2) == nil {
			t.Errorf("chunk %d is doubled and nobody notices", k)
		}
	}
}

// Gathered queries equal those of EachQuery for the same rows in one file, in bits and form.
func TestGatheringIsEachQuery(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 14))
	all := queries(r, 30)
	slices.SortFunc(all, func(a, b query) int { return cmp.Compare(a.id, b.id) })
	name := whole(t, all, 1)[0]
	var want []string
	say := func(q data.Query) string {
		return fmt.Sprintf("%s %T %v %v %s:%d", q.ID, q.X, q.X, q.Y, q.Source, q.Line)
	}
	for _, features := range []int{0, 40} {
		want = want[:0]
		o := svmlight.Options{Features: features}
		if err := svmlight.EachQuery(context.Background(), name, o, func(q data.Query) error {
			want = append(want, say(q))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		rows := gathering{}
		err := newReading(o, table.Options{}).eachRow(t.Context(), name, func(row svmlight.Row) error {
			return rows.add(&chunk{Name: name, Rows: appendRow(nil, row)})
		})
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		err = rows.each(features, func(q data.Query) error {
			if got := say(q); got != want[k] {
				t.Errorf("%s\nis not\n%s", got, want[k])
			}
			k++
			return nil
		})
		if err != nil || k != len(want) {
			t.Errorf("%d of %d queries, %v", k, len(want), err)
		}
	}
}
