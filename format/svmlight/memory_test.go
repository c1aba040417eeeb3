package svmlight

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"pairrank/data"
	"pairrank/internal/memory"
)

// rowsWithoutEnd is an endless text of rows, each in a separate query.
type rowsWithoutEnd struct {
	row  string
	left []byte
	n    int
}

func (r *rowsWithoutEnd) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(r.left) == 0 {
			r.n++
			r.left = fmt.Appendf(nil, r.row+"\n", r.n)
		}
		k := copy(p[n:], r.left)
		n, r.left = n+k, r.left[k:]
	}
	return n, nil
}

// Rows that do not fit into memory are refused, whatever it is that takes it, and before it
// is taken.
func TestRowsThatDoNotFit(t *testing.T) {
	const room = 48 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(before.Sys - before.HeapIdle + room)))
	all := func(opts Options) func(r io.Reader) error {
		return func(r io.Reader) error {
			_, err := ReadAll(context.Background(), r, "t", opts)
			return err
		}
	}
	for name, c := range map[string]struct {
		row  string
		read func(r io.Reader) error
	}{
		"labels":   {"%d", all(Options{})},
		"dense":    {"1 1:%d 2:3 3:4 4:5 5:6 6:7 7:8 8:9 9:10", all(Options{})},
		"sparse":   {"1 1:%d 2000000:3", all(Options{})},
		"queries":  {"1 qid:%d 1:1", all(Options{})},
		"comments": {"1 1:1 # %0100d", all(Options{KeepComments: true})},
		"notes":    {"# %0100d\n1 1:1", all(Options{KeepNotes: true})},
		"a large query": {"1 qid:1 1:%d 2:2 3:3", func(r io.Reader) error {
			return EachQueryOf(context.Background(), r, "t", Options{}, func(data.Query) error { return nil })
		}},
		"names of queries": {"1 qid:%d", func(r io.Reader) error {
			return EachQueryOf(context.Background(), r, "t", Options{}, func(data.Query) error { return nil })
		}},
		"checked rows": {"1 1:%d", func(r io.Reader) error {
			_, _, err := Check(r, "t", Options{}, 0)
			return err
		}},
		"errors": {"1 1:%d 1:1", func(r io.Reader) error {
			_, _, err := Check(r, "t", Options{}, 0)
			return err
		}},
	} {
		var lack *memory.Lack
		if err := c.read(&rowsWithoutEnd{row: c.row}); !errors.As(err, &lack) {
			t.Errorf("%s: %v, want a *memory.Lack", name, err)
		}
	}
	runtime.ReadMemStats(&after)
	if most := before.Sys + 2*room; after.Sys > most {
		t.Errorf("%d bytes were taken of the system, more than %d", after.Sys, most)
	}
}
