package parquet

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
)

// seeds are files of all kinds, for tests that damage them.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	var all [][]byte
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// readAll reads a file by its content in two ways: some columns as features, and others as names.
func readAll(t testing.TB, b []byte) {
	for _, opts := range []table.Options{
		{Missing: data.MissingZero, NoLabel: true, Ignore: []string{"1"}},
		{Missing: data.MissingZero, Only: []string{"x"}, Factors: []string{"colour", "clock"}, Group: "u", ID: "day"},
	} {
		set, err := read(t, b, opts)
		if (set == nil) == (err == nil) {
			t.Fatalf("a set %v and an error %v", set != nil, err)
		}
	}
}

// A damaged file is an error, or a set where the damage cannot be seen; never a panic.
func TestDamaged(t *testing.T) {
	files := seeds(t)
	files = append(files, mustRead(t, written(t, randomSet(300, 4, true))))
	r := rand.New(rand.NewPCG(1, 2))
	mutations := 5000
	if testing.Short() {
		mutations = 500
	}
	for n := range mutations {
		b := append([]byte(nil), files[n%len(files)]...)
		switch r.IntN(8) {
		case 0:
			b = b[:r.IntN(len(b))]
		case 1: // a piece is cut out
			at := r.IntN(len(b))
			b = append(b[:at], b[min(len(b), at+1+r.IntN(20)):]...)
		default:
			for range 1 + r.IntN(4) {
				at := r.IntN(len(b))
				if r.IntN(2) == 0 { // in the footer, where lengths and places are
					at = len(b) - 1 - r.IntN(min(len(b), 1500))
				}
				b[at] = byte(r.Uint32())
			}
		}
		readAll(t, b)
	}
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzReadSet(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { readAll(t, b) })
}
