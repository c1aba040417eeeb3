package parquet

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
)

// Options.Each receives the matrix that ReadSet returns without it, whatever the row groups; the rest of the set, and
// every error, is the same.
func TestEachIsTheMatrix(t *testing.T) {
	const m, n = 2500, 300
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("f%d", j)
	}
	for _, c := range []struct {
		groups  int
		missing bool
		means   int // features with a mean
	}{{100000, false, 0}, {700, true, n}, {13, true, n}, {512, true, 1}} {
		x, of := data.NewDense(m, n, nil), make([]int32, m)
		set := &data.Set{X: x, Y: make([]float64, m), Names: names, HasQID: true, IDs: make([]string, m)}
		for i := range m {
			of[i], set.IDs[i], set.Y[i] = int32(i/40), fmt.Sprint("r", i), float64(i%3)
			for j, row := 0, x.Row(i); j < n; j++ {
				row[j] = float64((i*31+j*17)%101) / 7
				if c.missing && (i+j)%97 == 0 && j > 0 {
					row[j] = math.NaN()
				}
			}
		}
		ids := make([]string, of[m-1]+1)
		for g := range ids {
			ids[g] = fmt.Sprint("q", g)
		}
		set.Queries = data.NewQueries(of, ids)
		var file bytes.Buffer
		if err := writeGroups(&file, set, c.groups); err != nil {
			t.Fatal(err)
		}
		by := make([]data.Missing, n)
		for j := range by {
			by[j] = data.MissingMean
		}
		opts := table.Options{Features: n, Names: names, MayLackLabel: true, Missing: data.MissingModel,
			Substitutes: &data.Substitutes{By: by, Mean: make([]float64, c.means)}}
		read := func() (*data.Set, error) {
			return ReadSetFrom(bytes.NewReader(file.Bytes()), int64(file.Len()), "t", opts)
		}
		want, wantErr := read()
		got, blocks := data.NewDense(0, n, nil), 0
		opts.Each = func(first int, block *data.Set) error {
			rows := data.Clone(block.X).(*data.Dense)
			if first != got.Rows {
				t.Fatalf("rows from %d on after %d rows", first, got.Rows)
			}
			got, blocks = data.NewDense(first+rows.Rows, n, append(got.Data, rows.Data...)), blocks+1
			return nil
		}
		rest, err := read()
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("groups of %d: %v, want %v", c.groups, err, wantErr)
		}
		if err != nil {
			continue
		}
		if !reflect.DeepEqual(data.Matrix(got), want.X) || blocks < 3 {
			t.Fatalf("groups of %d: other values, in %d blocks", c.groups, blocks)
		}
		if rest.X = want.X; !reflect.DeepEqual(rest, want) {
			t.Errorf("groups of %d: the rest of the set differs", c.groups)
		}
	}
}
