package parquet

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
)

// written is a file that WriteSet writes.
func written(t *testing.T, s *data.Set) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSet(&b, s); err != nil {
		t.Fatal(err)
	}
	return saved(t, "set.parquet", b.Bytes())
}

// saved is a file with a content.
func saved(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads the rows of a file by its content.
func read(t testing.TB, b []byte, opts table.Options) (*data.Set, error) {
	t.Helper()
	return table.ReadSet(saved(t, "a.parquet", b), opts)
}

// randomSet has m rows of n features, in queries of five rows.
func randomSet(m, n int, names bool) *data.Set {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	s := &data.Set{X: data.NewDense(m, n, nil), Y: make([]float64, m), HasQID: true}
	of, ids := make([]int32, m), []string{}
	for i := range m {
		s.Y[i] = float64(r.IntN(3))
		if of[i] = int32(i / 5); i%5 == 0 {
			ids = append(ids, "q"+string(rune('a'+i%7))+string(rune('a'+i/7%26))+string(rune('a'+i/182%26)))
		}
		for j := range n {
			s.X.(*data.Dense).Row(i)[j] = r.NormFloat64()
		}
	}
	s.Queries = data.NewQueries(of, ids)
	if names {
		for j := range n {
			s.Names = append(s.Names, "x "+string(rune('z'-j)))
		}
	}
	return s
}

// What is written is read, with the names of rows, and is the set that CSV text gives.
func TestWriteAndRead(t *testing.T) {
	for _, m := range []int{1, 3, 511, 512, 513, 3000} {
		s := randomSet(m, 7, m%2 == 1)
		got, err := table.ReadSet(written(t, s), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := table.WriteSet(&b, table.CSV, s); err != nil {
			t.Fatal(err)
		}
		want, err := table.ReadSet(saved(t, "set.csv", b.Bytes()), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d rows: %+v, want %+v", m, got, want)
		}
	}
}
