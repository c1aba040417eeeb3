package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"pairrank/internal/memory"
)

// within runs a test within so many bytes besides those in use.
func within(t *testing.T, bytes uint64) {
	t.Helper()
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	old := debug.SetMemoryLimit(int64(now.Sys - now.HeapIdle + bytes))
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
}

// lineForEver is a head, and then one line again and again.
func lineForEver(head, line string) io.Reader {
	return io.MultiReader(strings.NewReader(head), &endless{line: []byte(line)})
}

type endless struct {
	line []byte
	at   int
}

func (r *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], r.line[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.line)
	}
	return n, nil
}

// A table that does not fit into memory is refused while it is read.
func TestTablesThatDoNotFit(t *testing.T) {
	within(t, 32<<20)
	for name, read := range map[string]func() error{
		"rows": func() error {
			_, err := ReadSetFrom(lineForEver("label,qid,a\n", "1,2,3\n"), "t", Options{})
			return err
		},
		"matrix": func() error {
			_, err := readMatrix(newLines(lineForEver("", "1,2,3\n"), "t", 0, 0), MatrixOptions{})
			return err
		},
		"edges": func() error {
			_, err := readEdgesFrom(lineForEver("row_id,col_id,value\n", "a,b,3\n"), "t", EdgesOptions{})
			return err
		},
		"scores": func() error {
			_, _, _, err := ReadScores(lineForEver("", "1\n"), "t")
			return err
		},
	} {
		var lack *memory.Lack
		if err := read(); !errors.As(err, &lack) || !strings.HasPrefix(err.Error(), "t: ") {
			t.Errorf("%s: %v, want a *memory.Lack that names the input", name, err)
		}
	}
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, bytes.Repeat([]byte("1\n"), 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	var lack *memory.Lack
	if _, err := ReadIndices(list, 1); !errors.As(err, &lack) {
		t.Errorf("indices: %v", err)
	}
	if _, err := ReadNames(list); !errors.As(err, &lack) { // 60 bytes are kept of two
		t.Errorf("names: %v", err)
	}
}

// An archive of a few kilobytes may hold an array of many megabytes: memory for its shape is
// reserved before any is taken.
func TestArchiveOfZeros(t *testing.T) {
	const rows, columns = 1 << 20, 32
	path := filepath.Join(t.TempDir(), "zeros.npz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("X.npy")
	if err != nil {
		t.Fatal(err)
	}
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d)}", rows, columns)
	w.Write(rawNPY(1, header, []float64{}))
	zeros := make([]byte, 1<<20)
	for range 8 * rows * columns / len(zeros) {
		w.Write(zeros)
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	within(t, 32<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = ReadSet(path, Options{NoLabel: true})
	runtime.ReadMemStats(&after)
	var lack *memory.Lack
	const want = "33554432 entries of an array of shape [1048576 32] would take about 268 MB of memory"
	if !errors.As(err, &lack) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("%d bytes were taken before it was refused", took)
	}
}
