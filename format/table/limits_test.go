package table

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
	"pairrank/internal/textline"
)

// texts are the readers of text with a limit of a line.
var texts = map[string]func(r io.Reader, maxLine int) error{
	"rows": func(r io.Reader, maxLine int) error {
		_, err := ReadSetFrom(r, "t", Options{MaxLine: maxLine, Label: "1"})
		return err
	},
	"nodes": func(r io.Reader, maxLine int) error {
		_, err := readNodesFrom(r, "t", NodesOptions{MaxLine: maxLine})
		return err
	},
	"edges": func(r io.Reader, maxLine int) error {
		_, err := readEdgesFrom(r, "t", EdgesOptions{MaxLine: maxLine})
		return err
	},
	"matrix": func(r io.Reader, maxLine int) error {
		_, err := readMatrix(newLines(r, "t", 0, maxLine), MatrixOptions{})
		return err
	},
}

func TestLongLines(t *testing.T) {
	const text = "1 2 3\n4 5 60\n"
	for name, read := range texts {
		for _, end := range []string{"", "\n"} {
			whole := strings.TrimSuffix(text, "\n") + end
			err := read(strings.NewReader(whole), 5)
			if err == nil || err.Error() != "t:2:6: the line is longer than 5 bytes" ||
				!errors.Is(err, data.ErrLongLine) {
				t.Errorf("%s of %q within 5 bytes: %v", name, whole, err)
			}
			if err := read(strings.NewReader(whole), 6); err != nil {
				t.Errorf("%s of %q within 6 bytes: %v", name, whole, err)
			}
		}
		if err := read(strings.NewReader("1 2 3\n"+strings.Repeat(" ", data.MaxLine+1)),
			0); !errors.Is(err, data.ErrLongLine) {
			t.Errorf("%s without a limit of its own: %v", name, err)
		}
	}
	long := file(t, "long.txt", strings.Repeat(" ", listLine)+"1\n")
	if _, err := ReadIndices(long, 1); !errors.Is(err, data.ErrLongLine) {
		t.Errorf("indices: %v", err)
	}
	matrix := file(t, "m.tsv", "id\ta\nb\t12345\n")
	if _, err := ReadSimilarityLines(matrix, 6); !errors.Is(err, data.ErrLongLine) {
		t.Errorf("a similarity matrix: %v", err)
	}
	if _, err := ReadSimilarity(matrix); err != nil {
		t.Errorf("a similarity matrix: %v", err)
	}
}

// Line ends of CR alone, with or without a heading of comments, are an error.
func TestCarriageReturnWithin(t *testing.T) {
	for name, read := range texts {
		for text, at := range map[string]string{
			"1 2 3\r4 5 6\r":        "t:1:6: ",
			"# heading\r1 2 3\r":    "t:1:10: ",
			"1 2 3\n4 5 6\r7 8 9\n": "t:2:6: ",
		} {
			if err := read(strings.NewReader(text), 0); err == nil || err.Error() != at+textline.InnerReturn {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
		if err := read(strings.NewReader("1 2 3\r\n4 5 6\r\r\n"), 0); err != nil {
			t.Errorf("%s with line ends of CR LF: %v", name, err)
		}
	}
}

// An array takes memory only for entries that are in the file, whatever its header claims.
func TestArraysThatHoldNothing(t *testing.T) {
	for _, shape := range []string{"(2147483647, 0)", "(2147483648, 0)", "(0, 2147483647)"} {
		raw := rawNPY(1, "{'descr': '<f8', 'fortran_order': False, 'shape': "+shape+"}", []float64{})
		if set, err := ReadSet(file(t, "x.npy", string(raw)), Options{NoLabel: true}); err == nil {
			t.Errorf("%s: %d rows", shape, len(set.Y))
		}
	}
	h := npy.Header{Descr: "<f8", Shape: []int{math.MaxInt32, 1 << 20}}
	if err := npy.CheckFree(h, math.MaxInt32<<20); err == nil || !strings.Contains(err.Error(), "would take about") {
		t.Errorf("%v", err)
	}
}

// A table is not written when its lines could not be read back.
func TestTooManyColumns(t *testing.T) {
	x := &data.CSR{Rows: 1, Cols: math.MaxInt32 - 1, Ptr: []int{0, 1}, Col: []int32{0}, Val: []float64{1}}
	set := &data.Set{X: x, Y: []float64{1}, Queries: data.OneList(1)}
	for _, format := range []Format{CSV, TSV} {
		if err := WriteSet(io.Discard, format, set); err == nil ||
			!strings.Contains(err.Error(), "could not be read back") {
			t.Errorf("format %d: %v", format, err)
		}
	}
}
