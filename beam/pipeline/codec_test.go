package pipeline

import (
	"os"
	"reflect"
	"testing"

	"pairrank/format/svmlight"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func overwrite(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestChunksAreReadAsWritten(t *testing.T) {
	for _, c := range []chunk{{}, {File: 1 << 40, Name: "naïve", Number: 3, Last: true, Rows: []byte{1, 2}}} {
		got, err := decodeChunk(encodeChunk(c))
		if err != nil || got.compare(c) != 0 || got.Name != c.Name || got.Last != c.Last ||
			string(got.Rows) != string(c.Rows) {
			t.Errorf("%v is read as %v, %v", c, got, err)
		}
	}
}

func TestRowsAreReadAsWritten(t *testing.T) {
	rows := []svmlight.Row{
		{Line: 3, Label: -0.5, QID: "a b", HasQID: true, Cols: []int32{0, 7, 1 << 30}, Vals: []float64{1e-300, -2, 3}},
		{Line: 1 << 33, Label: 1e300, QID: "", HasQID: true, Cols: []int32{}, Vals: []float64{}},
	}
	var b []byte
	for _, r := range rows {
		b = appendRow(b, r)
	}
	var got svmlight.Row
	var err error
	for _, want := range rows {
		if b, err = cutRow(b, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v is read as %v, %v", want, got, err)
		}
	}
	if len(b) != 0 {
		t.Errorf("%d bytes are left", len(b))
	}
}

// Bytes that end too early are an error wherever they end, and no input panics.
func FuzzDecode(f *testing.F) {
	row := appendRow(nil, svmlight.Row{Line: 3, QID: "q", Cols: []int32{0, 300}, Vals: []float64{1, 2}})
	f.Add(encodeChunk(chunk{File: 2, Name: "f", Rows: row}))
	for k := range row {
		f.Add(row[:k])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := decodeChunk(b); err == nil {
			rows := gathering{}
			rows.add(&c)
		}
		var r svmlight.Row
		if rest, err := cutRow(b, &r); err == nil && len(r.Cols) != len(r.Vals) || len(rest) > len(b) {
			t.Errorf("%d columns, %d values", len(r.Cols), len(r.Vals))
		}
		decodeUnit(b)
	})
}

func TestRowsThatEndTooEarly(t *testing.T) {
	row := appendRow(nil, svmlight.Row{Line: 3, QID: "q", Cols: []int32{0, 300}, Vals: []float64{1, 2}})
	var r svmlight.Row
	for k := range row {
		if _, err := cutRow(row[:k], &r); err == nil {
			t.Errorf("%d of %d bytes are taken for a row", k, len(row))
		}
	}
}
