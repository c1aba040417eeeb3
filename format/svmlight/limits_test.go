package svmlight

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/codec"
)

// readers are the three ways to read a text; each returns its first error.
var readers = map[string]func(t *testing.T, text []byte, opts Options) error{
	"Reader": func(_ *testing.T, text []byte, opts Options) error {
		r := NewReader(bytes.NewReader(text), "t", opts)
		for {
			if _, err := r.Read(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	},
	"ReadAll": func(t *testing.T, text []byte, opts Options) error {
		_, err := ReadAll(t.Context(), bytes.NewReader(text), "t", opts)
		return err
	},
	"Check": func(_ *testing.T, text []byte, opts Options) error {
		problems, _, err := Check(bytes.NewReader(text), "t", opts, 0)
		if err == nil && len(problems) > 0 && problems[0].Severity == Error {
			return &problems[0].SyntaxError
		}
		return err
	},
}

func TestLongLines(t *testing.T) {
	for name, read := range readers {
		for text, want := range map[string]string{
			"1 1:2\n0 1:1\n":                             "",
			"1 1:2\r\n0 1:1\r\n":                         "",
			"1 1:2\n0 1:10\n":                            "t:2:6: the line is longer than 5 bytes",
			"# a comment\n1 1:2\n":                       "t:1:6: the line is longer than 5 bytes",
			"1 1:2\n" + strings.Repeat("\r", 1<<22):      "t:2:6: the line is longer than 5 bytes",
			"1 1:2\n1 1:" + strings.Repeat("1", 3<<20):   "t:2:6: the line is longer than 5 bytes",
			"1 1:2\n\n1 1:3\n2" + strings.Repeat(" ", 9): "t:4:6: the line is longer than 5 bytes",
		} {
			err := read(t, []byte(text), Options{MaxLine: 5})
			if want == "" && err != nil || want != "" &&
				(err == nil || err.Error() != want || !errors.Is(err, data.ErrLongLine)) {
				t.Errorf("%s of %.20q: %v, want %s", name, text, err, want)
			}
		}
	}
}

// A line that unpacks to far more than the limit is given up at the limit.
func TestLongLineUnpacked(t *testing.T) {
	var packed bytes.Buffer
	w, err := codec.NewWriter(&packed, codec.Zstd)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("1 1:"))
	ones := bytes.Repeat([]byte("1"), 1<<20)
	for range 1 << 9 {
		w.Write(ones)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, read := range readers {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := read(t, packed.Bytes(), Options{}); !errors.Is(err, data.ErrLongLine) {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		const most = 10 * data.MaxLine
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s took %d bytes for %d, more than %d", name, took, packed.Len(), most)
		}
	}
}

// The last line of compressed text needs no line end.
func TestCompressedWithoutLastLineEnd(t *testing.T) {
	for _, format := range []codec.Format{codec.Gzip, codec.Zstd} {
		var packed bytes.Buffer
		w, err := codec.NewWriter(&packed, format)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "1 1:2\n0 1:1")
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := NewReader(&packed, "t", Options{})
		for k := range 2 {
			if _, err := r.Read(); err != nil {
				t.Errorf("%s, row %d: %v", format, k+1, err)
			}
		}
		for range 2 {
			if _, err := r.Read(); err != io.EOF {
				t.Errorf("%s, after the last row: %v, want EOF", format, err)
			}
		}
	}
}

// TestForgottenStride: a Dense without its Stride, whose rows would all be the first
// one, is not written.
func TestForgottenStride(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "svmlight: X: a Dense of 2×1 with Stride 0") {
			t.Errorf("%v, want a panic that names X", p)
		}
	}()
	_ = NewWriter(io.Discard,
		WriteOptions{}).WriteSet(&data.Set{X: &data.Dense{Rows: 2, Cols: 1, Data: make([]float64, 2)},
		Y: make([]float64, 2)})
}
