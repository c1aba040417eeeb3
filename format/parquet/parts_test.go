package parquet

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
)

// rowsOf are some rows of a set.
func rowsOf(s *data.Set, lo, hi int) *data.Set {
	x := s.X.(*data.Dense)
	part := &data.Set{X: data.NewDense(hi-lo, x.Cols, x.Data[lo*x.Cols:hi*x.Cols]), Y: s.Y[lo:hi], Names: s.Names,
		HasQID: s.HasQID}
	number, ids := map[string]int32{}, []string{}
	var of []int32
	for _, q := range s.Queries.Of()[lo:hi] {
		id := s.Queries.ID(int(q))
		if _, is := number[id]; !is {
			number[id] = int32(len(ids))
			ids = append(ids, id)
		}
		of = append(of, number[id])
	}
	part.Queries = data.NewQueries(of, ids)
	return part
}

// write writes a set to a file.
func write(t *testing.T, path string, s *data.Set) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSet(&b, s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The files of a directory are one set, in the order of their names; a query may go on in the next.
func TestParts(t *testing.T) {
	s := randomSet(1203, 3, true)
	dir := t.TempDir()
	for k, lo := range []int{0, 400, 401} {
		hi := []int{400, 401, 1203}[k]
		write(t, filepath.Join(dir, "part-"+string(rune('a'+k))+".parquet"), rowsOf(s, lo, hi))
	}
	for _, other := range []string{"_SUCCESS", "_metadata.parquet", ".part.parquet", "readme.txt"} {
		if err := os.WriteFile(filepath.Join(dir, other), []byte("no data"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := table.ReadSet(dir, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.ReadSet(written(t, s), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the parts are another set")
	}
}

// Columns of a part may stand in another order, but not be others.
func TestPartsOfOtherColumns(t *testing.T) {
	s := randomSet(20, 2, false)
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"b", "a"}, ""},
		{[]string{"a", "c"}, `part-2.parquet: there is no column "b", as in `},
		{[]string{"a", "b", "c"}, `part-2.parquet: column "c" is not in `},
	} {
		dir := t.TempDir()
		first, second := *s, *randomSet(20, len(c.names), false)
		first.Names, second.Names = []string{"a", "b"}, c.names
		write(t, filepath.Join(dir, "part-1.parquet"), &first)
		write(t, filepath.Join(dir, "part-2.parquet"), &second)
		got, err := table.ReadSet(dir, table.Options{})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v", c.names, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		x, y := got.X.(*data.Dense).Row(20), second.X.(*data.Dense).Row(0)
		if x[0] != y[1] || x[1] != y[0] {
			t.Errorf("row 21 is %v, and the part has %v as %q", x, y, c.names)
		}
	}
	empty := t.TempDir()
	if _, err := table.ReadSet(empty, table.Options{}); err == nil ||
		!strings.Contains(err.Error(), "no files *.parquet") {
		t.Errorf("an empty directory: %v", err)
	}
}

// The cells and errors do not depend on the number of cores, and every row group is read.
func TestRowGroups(t *testing.T) {
	s := randomSet(3*blockRows+7, 2, false)
	path := written(t, s)
	want, err := table.ReadSet(path, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(mustOpen(t, path).parts[0].in.RowGroups()); got != 1 {
		t.Fatalf("%d row groups", got)
	}
	var b bytes.Buffer
	if err := writeGroups(&b, s, blockRows); err != nil {
		t.Fatal(err)
	}
	path = saved(t, "groups.parquet", b.Bytes())
	if got := len(mustOpen(t, path).parts[0].in.RowGroups()); got != 4 {
		t.Fatalf("%d row groups", got)
	}
	got, err := table.ReadSet(path, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("row groups change the set")
	}
}

func mustOpen(t *testing.T, path string) *source {
	t.Helper()
	s, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	return s
}
