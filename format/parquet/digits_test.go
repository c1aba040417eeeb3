package parquet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	lib "github.com/parquet-go/parquet-go"

	"pairrank/format/table"
)

// queriesOf reads rows of a struct.
func queriesOf[T any](t *testing.T, rows ...T) ([]string, error) {
	t.Helper()
	var b bytes.Buffer
	if err := lib.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSetFrom(bytes.NewReader(b.Bytes()), int64(b.Len()), "a.parquet", table.Options{})
	if err != nil {
		return nil, err
	}
	return s.Queries.IDs, nil
}

// A name keeps all its digits, or the file is refused.
func TestNamesKeepTheirDigits(t *testing.T) {
	type long struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		X     float64 `parquet:"x"`
	}
	type double struct {
		Label float64 `parquet:"label"`
		QID   float64 `parquet:"qid"`
		X     float64 `parquet:"x"`
	}
	type dictionary struct {
		Label float64 `parquet:"label"`
		QID   float64 `parquet:"qid,dict"`
		X     float64 `parquet:"x"`
	}
	type single struct {
		Label float64 `parquet:"label"`
		QID   float32 `parquet:"qid"`
		X     float64 `parquet:"x"`
	}
	const a, b = 1577134800018164904, 1577134800018164905 // one float64
	ids, err := queriesOf(t, long{1, a, 1}, long{2, b, 2})
	if want := fmt.Sprintf("[%d %d]", a, b); err != nil || fmt.Sprint(ids) != want {
		t.Errorf("int64: %v, %v", ids, err)
	}
	if ids, err := queriesOf(t, double{1, 7, 1}, double{1e300, 0.5, 2}); err != nil || fmt.Sprint(ids) != "[7 0.5]" {
		t.Errorf("small float64: %v, %v", ids, err)
	}
	for name, read := range map[string]func() ([]string, error){
		"float64":    func() ([]string, error) { return queriesOf(t, double{1, 7, 1}, double{2, a, 2}) },
		"dictionary": func() ([]string, error) { return queriesOf(t, dictionary{1, 7, 1}, dictionary{2, a, 2}) },
		"float32":    func() ([]string, error) { return queriesOf(t, single{1, 7, 1}, single{2, 1 << 24, 2}) },
	} {
		ids, err := read()
		if table.FaultOf(err) != table.FaultDigits || !strings.Contains(err.Error(), "a.parquet: row group 1: row 2: ") {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}
