package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"pairrank/format/table"
	"pairrank/internal/cellfault"
)

// queriesOf reads rows of a struct.
func queriesOf[T any](t *testing.T, rows ...T) ([]string, error) {
	t.Helper()
	var b bytes.Buffer
	if err := lib.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	s, err := read(t, b.Bytes(), table.Options{})
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
		if cellfault.Of(err) != cellfault.Digits || !strings.Contains(err.Error(), "a.parquet: row group 1: row 2: ") {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}

// An id is refused that has lost digits: in every shape, on each side, from every container.
func TestIDsKeepTheirDigits(t *testing.T) {
	const lost = "1.577134800018165e+18"
	type read func(path string) error
	edges := func(path string) error { _, err := table.ReadEdges(path, table.EdgesOptions{}); return err }
	comparisons := func(path string) error {
		_, err := table.ReadComparisons(path, table.ComparisonsOptions{})
		return err
	}
	for _, c := range []struct {
		shape, text string
		read        read
	}{
		{"rows of edges", "row_id,col_id,value\n7,a,1\nLOST,b,2\n", edges},
		{"columns of edges", "row_id,col_id,value\nx,7,1\ny,LOST,2\n", edges},
		{"a matrix of edges", "id,a,b,c\n7,1,0.5,2\nLOST,2,1,1\n", edges},
		{"columns of a matrix of edges", "id,a,LOST,c\nx,1,0.5,2\ny,2,1,1\n", edges},
		{"nodes", "id,f1,f2\n7,1,0.5\nLOST,2,1\n", func(path string) error {
			_, err := table.ReadNodes(path, table.NodesOptions{})
			return err
		}},
		{"similarities", "id,7,x\n7,1,0.5\nLOST,2,1\n", func(path string) error {
			_, err := table.ReadSimilarity(path)
			return err
		}},
		{"a matrix", "id,7,x\n7,1,0.5\nLOST,2,1\n", func(path string) error {
			_, err := table.ReadMatrix(path, table.MatrixOptions{})
			return err
		}},
		{"left items", "left,right,winner\n7,x,left\nLOST,x,right\n", comparisons},
		{"right items", "left,right,winner\nx,7,left\nx,LOST,right\n", comparisons},
		{"losers", "winner,loser\nx,7\nx,LOST\n", comparisons},
		{"annotators", "winner,loser,worker\nx,y,7\ny,x,LOST\n", comparisons},
		{"clusters", "winner,loser,cluster\nx,y,7\ny,x,LOST\n", comparisons},
		{"clusters of two columns", "winner,loser,q,turn\nx,y,7,1\ny,x,LOST,1\n", func(path string) error {
			_, err := table.ReadComparisons(path, table.ComparisonsOptions{Cluster: []string{"q", "turn"}})
			return err
		}},
		{"queries", "label,qid,f1\n1,7,1\n2,LOST,2\n", func(path string) error {
			_, err := table.ReadSet(path, table.Options{})
			return err
		}},
	} {
		for _, file := range sheetOf(strings.ReplaceAll(c.text, "LOST", lost)).write(t) {
			err := c.read(file)
			if cellfault.Of(err) != cellfault.Digits || !strings.Contains(err.Error(), "is a number that has lost digits") {
				t.Errorf("%s from %s: %v", c.shape, filepath.Base(file), err)
			}
		}
		for _, file := range sheetOf(strings.ReplaceAll(c.text, "LOST", "8")).write(t) {
			if err := c.read(file); err != nil {
				t.Errorf("%s from %s: %v", c.shape, filepath.Base(file), err)
			}
		}
	}
	var b bytes.Buffer // floats of 32 bits lose digits earlier
	if err := lib.Write(&b, []struct {
		ID float32 `parquet:"id"`
		F  float64 `parquet:"f"`
	}{{7, 1}, {1 << 24, 2}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := table.ReadNodes(path, table.NodesOptions{}); cellfault.Of(err) != cellfault.Digits {
		t.Errorf("float32: %v", err)
	}
}

// Values beyond the rows of a row group are an error, also where rows are read as texts.
func TestSurplusValues(t *testing.T) {
	var b bytes.Buffer
	if err := lib.Write(&b, []struct {
		X []float64 `parquet:"x,list"`
	}{{[]float64{1, 2}}, {[]float64{3, 4}}, {[]float64{5, 6}}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, withRows(t, b.Bytes(), 2), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := table.ReadSet(path, table.Options{NoLabel: true})
	_, same := table.ReadMatrix(path, table.MatrixOptions{})
	for _, err := range []error{err, same} {
		if err == nil || !strings.Contains(err.Error(), `column "x" has more values than there are rows`) {
			t.Error(err)
		}
	}
}

// withRows is a file of one row group whose footer claims another number of rows.
func withRows(t *testing.T, file []byte, rows int64) []byte {
	t.Helper()
	const tail = 8 // the size of the footer, and the mark
	size := int(binary.LittleEndian.Uint32(file[len(file)-tail:]))
	begins := len(file) - tail - size
	var meta format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), file[begins:len(file)-tail], &meta); err != nil {
		t.Fatal(err)
	}
	meta.NumRows, meta.RowGroups[0].NumRows = rows, rows
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		t.Fatal(err)
	}
	out := binary.LittleEndian.AppendUint32(append(bytes.Clone(file[:begins]), footer...), uint32(len(footer)))
	return append(out, "PAR1"...)
}
