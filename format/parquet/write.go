package parquet

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	lib "github.com/parquet-go/parquet-go"

	"pairrank/data"
	"pairrank/format/table"
)

// WriteSet writes s so that table.ReadSet reads the same labels, queries, names of rows, features and
// names: the columns label, qid when s.HasQID, id when s.IDs, and the features, f1, f2, … for
// unnamed ones. It compresses pages by Zstandard, in groups of up to 122,880 rows. Comments are not
// written. Two columns of a name are an error. It panics when the matrix of s does not fit.
func WriteSet(w io.Writer, s *data.Set) error { return writeGroups(w, s, groupRows) }

// writeGroups is WriteSet with groups of up to so many rows, a multiple of blockRows.
func writeGroups(w io.Writer, s *data.Set, rows int) error {
	data.Check("parquet: WriteSet: X", s.X)
	m, n := s.X.Dims()
	t := &writer{rows: m, groupRows: rows}
	for _, c := range table.ValuesOf(s, false) {
		if c.Text != nil {
			t.text(c.Name, c.Text)
		} else {
			t.number(c.Name, func(dst []float64, first int) { copy(dst, c.Numbers[first:]) })
		}
	}
	block := make([]float64, blockRows*n) // column by column
	row := make([]float64, n)
	t.load = func(first int) {
		for i := range min(blockRows, m-first) {
			s.X.RowTo(row, first+i)
			for j, x := range row {
				block[j*blockRows+i] = x
			}
		}
	}
	for j := range n {
		name := "f" + strconv.Itoa(j+1)
		if s.Names != nil && strings.TrimSpace(s.Names[j]) != "" {
			name = s.Names[j]
		}
		t.number(name, func(dst []float64, _ int) { copy(dst, block[j*blockRows:]) })
	}
	return t.write(w)
}

// WriteScores writes v scores a row: the columns score, or score_1 … score_v, behind the columns id
// and qid of the rows where rows is not nil and has them.
func WriteScores(w io.Writer, scores []float64, v int, rows *data.Set) error {
	t := &writer{rows: len(scores) / v, groupRows: groupRows}
	if rows != nil && rows.IDs != nil {
		t.text("id", func(i int) string { return rows.IDs[i] })
	}
	if rows != nil && rows.HasQID {
		t.text("qid", func(i int) string { return rows.Queries.ID(int(rows.Queries.Of()[i])) })
	}
	for k := range v {
		name := "score"
		if v > 1 {
			name += "_" + strconv.Itoa(k+1)
		}
		t.number(name, func(dst []float64, first int) {
			for i := range dst {
				dst[i] = scores[(first+i)*v+k]
			}
		})
	}
	return t.write(w)
}

// writer writes columns.
type writer struct {
	rows      int
	groupRows int
	columns   []column
	load      func(first int) // prepares the block of rows that begins so; may be nil
}

// column is numbers or texts.
type column struct {
	name    string
	numbers func(dst []float64, first int)
	text    func(i int) string
}

func (t *writer) number(name string, values func(dst []float64, first int)) {
	t.columns = append(t.columns, column{name: name, numbers: values})
}

func (t *writer) text(name string, value func(i int) string) {
	t.columns = append(t.columns, column{name: name, text: value})
}

// schema is the columns in their order; parquet.Group sorts them by name.
type schema struct {
	lib.Group
	fields []lib.Field
}

func (s *schema) Fields() []lib.Field { return s.fields }

// field is a column of a schema.
type field struct {
	lib.Node
	name string
}

func (f *field) Name() string { return f.name }

// Value is for rows that are Go structs, and there are none.
func (f *field) Value(reflect.Value) reflect.Value { panic("parquet: no structs are written") }

// schema returns the columns as the decoder knows them.
func (t *writer) schema() (*lib.Schema, error) {
	s := &schema{}
	seen := map[string]bool{}
	for _, c := range t.columns {
		if seen[c.name] {
			return nil, fmt.Errorf("two columns are called %q, which a Parquet file cannot have", data.ClipText(c.name))
		}
		seen[c.name] = true
		node := lib.Leaf(lib.DoubleType)
		if c.text != nil {
			node = lib.Encoded(lib.String(), &lib.RLEDictionary)
		}
		s.fields = append(s.fields, &field{lib.Required(node), c.name})
	}
	return lib.NewSchema("rows", s), nil
}

// groupRows is how many rows a group has at most, and groupValues about how many values.
const (
	groupRows   = 240 * blockRows
	groupValues = 1 << 24
)

// write writes the file.
func (t *writer) write(w io.Writer) error {
	schema, err := t.schema()
	if err != nil {
		return err
	}
	out := lib.NewWriter(w, schema, lib.Compression(&lib.Zstd), lib.CreatedBy("pairrank", "", ""))
	perGroup := min(t.groupRows, max(1, groupValues/len(t.columns)/blockRows)*blockRows)
	xs, values := make([]float64, blockRows), make([]lib.Value, blockRows)
	for first := 0; first < t.rows; first += blockRows {
		if first > 0 && first%perGroup == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		n := min(blockRows, t.rows-first)
		if t.load != nil {
			t.load(first)
		}
		for k, to := range out.ColumnWriters() {
			if c := t.columns[k]; c.text != nil {
				for i := range n {
					values[i] = lib.ByteArrayValue([]byte(c.text(first+i))).Level(0, 0, k)
				}
			} else {
				c.numbers(xs[:n], first)
				for i, x := range xs[:n] {
					values[i] = lib.DoubleValue(x).Level(0, 0, k)
				}
			}
			if _, err := to.WriteRowValues(values[:n]); err != nil {
				return err
			}
		}
	}
	return out.Close()
}
