package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

// file writes text to a new file and returns its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// describe shows a set in one line.
func describe(s *data.Set) string {
	m, n := s.X.Dims()
	return fmt.Sprintf("%d×%d %v y=%v q=%q of=%v names=%q", m, n, data.ToDense(s.X).Data, s.Y,
		s.Queries.IDs, s.Queries.Of(), s.Names)
}

func TestReadSetText(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opts             Options
		want, err        string
	}{
		{name: "csv with header", file: "a.csv", text: "label,qid,a,b\n1,x,0.5,2\n0,y,-1e3,3\n2,x,0,0\n",
			want: `3×2 [0.5 2 -1000 3 0 0] y=[1 0 2] q=["x" "y"] of=[0 1 0] names=["a" "b"]`},
		{name: "tsv without header", file: "a.tsv", text: "1\t2\t3\r\n4\t5\t6", opts: Options{Label: "1"},
			want: `2×2 [2 3 5 6] y=[1 4] q=[] of=[0 0] names=[]`},
		{name: "label and qid by name", file: "a.csv", text: "a,\"q, q\",y\n1,\"u \"\"v\"\"\",3\n",
			opts: Options{QID: "q, q"}, want: `1×1 [1] y=[3] q=["u \"v\""] of=[0] names=["a"]`},
		{name: "label and qid by number", file: "a.txt", text: "1 2 3\n4 5 6\n",
			opts: Options{Label: "3", QID: "1"}, want: `2×1 [2 5] y=[3 6] q=["1" "4"] of=[0 1] names=[]`},
		{name: "semicolons in .csv", file: "a.csv", text: "# from a spreadsheet\n\ny;a\n1;2\n",
			want: `1×1 [2] y=[1] q=[] of=[0] names=["a"]`},
		{name: "byte order mark", file: "a.csv", text: "\xef\xbb\xbfa,label\n1,2\n",
			want: `1×1 [1] y=[2] q=[] of=[0] names=["a"]`},
		{name: "no label", file: "a.csv", text: "1,2\n3,4\n", opts: Options{NoLabel: true},
			want: `2×2 [1 2 3 4] y=[0 0] q=[] of=[0 0] names=[]`},
		{name: "missing mean", file: "a.csv", text: "y,a\n1,2\n2,\n3,NaN\n4,4\n",
			opts: Options{Missing: data.MissingMean},
			want: `4×1 [2 3 3 4] y=[1 2 3 4] q=[] of=[0 0 0 0] names=["a"]`},
		{name: "header forced", file: "a.csv", text: "1,2\n3,4\n", opts: Options{Header: HeaderYes, Label: "1"},
			want: `1×1 [4] y=[3] q=[] of=[0] names=["2"]`},

		{name: "empty", file: "a.csv", text: "", err: "a.csv: no rows: the table is empty"},
		{name: "only header", file: "a.csv", text: "y,a\n", err: "a.csv: no rows: the table has only a header"},
		{name: "not a number", file: "a.csv", text: "y,a\n1,x\n",
			err: `a.csv:2:3: not a finite number, in column "a": "x"`},
		{name: "infinite", file: "a.csv", text: "1,inf\n", opts: Options{Header: HeaderNo, Label: "1"},
			err: `a.csv:1:3: not a finite number: "inf"`},
		{name: "overflow", file: "a.csv", text: "1,1e999\n", opts: Options{Header: HeaderNo, Label: "1"},
			err: `a.csv:1:3: not a finite number: "1e999"`},
		{name: "missing", file: "a.csv", text: "y,a,b\n1,,3\n", err: "a.csv:2:3: the value is missing"},
		{name: "label missing", file: "a.csv", text: "y,a\nNaN,3\n", opts: Options{Missing: data.MissingZero},
			err: `a.csv:2:1: the label is missing: "NaN"`},
		{name: "ragged", file: "a.csv", text: "y,a\n1,2\n1,2,3\n",
			err: `a.csv:3:5: 3 fields, but the first line has 2: "3"`},
		{name: "separators at the ends", file: "a.csv", text: "y,a\n1,2,\n0,3,\n", opts: Options{Missing: data.MissingZero},
			err: `a.csv:2:5: 3 fields, but the first line has 2`},
		{name: "quote", file: "a.csv", text: "y,a\n1,\"2\n",
			err: `a.csv:2:3: the quotes do not end on their line: "\"2"`},
		{name: "no such column", file: "a.csv", text: "y,a\n1,2\n", opts: Options{Label: "z"},
			err: `a.csv:1:1: no column "z" among 2`},
		{name: "only a query", file: "a.csv", text: "qid\n1\n",
			err: `a.csv:1:1: the table has one column, "qid", and none of labels: commas, semicolons, tabs or blanks ` +
				`stand between columns`},
		{name: "one column of two", file: "a.csv", text: "qid,y\n1,2\n", opts: Options{Label: "qid", QID: "1"},
			err: `a.csv:1:1: this column is both the query and the label: "qid"`},
		{name: "ignored", file: "a.csv", text: "id,y,a,\"b, c\"\nrow 1,2,3,\n",
			opts: Options{Ignore: []string{"1", "b, c"}},
			want: `1×1 [3] y=[2] q=[] of=[0] names=["a"]`},
		{name: "ignored without header", file: "a.csv", text: "1,2,x\n3,4,y\n",
			opts: Options{Label: "2", Header: HeaderNo, Ignore: []string{"3"}},
			want: `2×1 [1 3] y=[2 4] q=[] of=[0 0] names=[]`},
		{name: "ignored y", file: "a.csv", text: "y,label,a\n1,2,3\n", opts: Options{Ignore: []string{"y"}},
			want: `1×1 [3] y=[2] q=[] of=[0] names=["a"]`},
		{name: "ignored label", file: "a.csv", text: "y,a\n1,2\n", opts: Options{Label: "y", Ignore: []string{"1"}},
			err: `a.csv:1:1: this column is ignored, but is also the label: "y"`},
		{name: "none to ignore", file: "a.csv", text: "y,a\n1,2\n", opts: Options{Ignore: []string{"b"}},
			err: `a.csv:1:1: no column "b" among 2`},
		{name: "other model", file: "a.csv", text: "y,a\n1,2\n", opts: Options{Features: 3},
			err: `a.csv:1:1: 1 features but the model has 3`},
		{name: "empty query", file: "a.csv", text: "y,qid\n1,\n", err: "a.csv:2:3: the name of the query is empty"},
	} {
		path := file(t, c.file, c.text)
		s, err := ReadSet(path, c.opts)
		if c.err != "" {
			if err == nil || err.Error() != filepath.Join(filepath.Dir(path), c.err) {
				t.Errorf("%s: error %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := describe(s); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

func sampleSet() *data.Set {
	return &data.Set{
		X: &data.Dense{Rows: 3, Cols: 2, Stride: 3,
			Data: []float64{0.1, -2, 9, 1e-300, math.MaxFloat64, 9, 0, 1. / 3, 9}},
		Y: []float64{1, 0.5, -3}, Queries: data.NewQueries([]int32{0, 1, 0}, []string{"10", `a "b", c`}), HasQID: true,
		Names: []string{"#x y", "µ,\tz"},
	}
}

func TestWriteReadSet(t *testing.T) {
	for _, format := range []struct {
		Format
		file string
	}{{CSV, "a.csv"}, {TSV, "a.tsv"}, {NPZ, "a.npz"}} {
		for _, named := range []bool{true, false} {
			s := sampleSet()
			if !named {
				s.Names, s.HasQID, s.Queries = nil, false, data.OneList(3)
			}
			var first, second bytes.Buffer
			if err := WriteSet(&first, format.Format, s); err != nil {
				t.Fatal(err)
			}
			got, err := ReadSet(file(t, format.file, first.String()), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !named && format.Format != NPZ {
				got.Names = nil // f1, f2
			}
			if describe(got) != describe(denseCopy(s)) {
				t.Errorf("%s:\n%s, want\n%s", format.file, describe(got), describe(denseCopy(s)))
			}
			if WriteSet(&second, format.Format, got); !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: written twice, the bytes differ", format.file)
			}
		}
	}
	bad := sampleSet()
	bad.Y[0] = math.NaN()
	if err := WriteSet(&bytes.Buffer{}, CSV, bad); err == nil {
		t.Error("a NaN is written")
	}
	bad.X = &data.CSR{Rows: 3, Cols: 2, Ptr: []int{0, 0, 0, 0}}
	if err := WriteSet(&bytes.Buffer{}, NPY, bad); err == nil {
		t.Error("a sparse matrix is written as .npy")
	}
}

// denseCopy packs the rows.
func denseCopy(s *data.Set) *data.Set {
	c := *s
	c.X = data.Select(s.X, []int{0, 1, 2})
	return &c
}

func TestReadMatrix(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opts             MatrixOptions
		want             string // or the end of the error
	}{
		{"plain", "k.txt", "1 0.5\n0.5 1\n", MatrixOptions{Square: true}, "2×2 [1 0.5 0.5 1] [] []"},
		{"names, empty corner", "k.tsv", "\ta\tb\na\t1\t2\nb\t3\t4\n", MatrixOptions{Square: true},
			"2×2 [1 2 3 4] [a b] [a b]"},
		{"names, no corner", "k.txt", "a b\na 1 2\nb 3 4\n", MatrixOptions{Square: true}, "2×2 [1 2 3 4] [a b] [a b]"},
		{"numbers as names, no corner", "k.txt", "10 20\n10 1 2\n20 3 4\n", MatrixOptions{},
			"2×2 [1 2 3 4] [10 20] [10 20]"},
		{"numbers as names, id", "k.csv", "id,10,20\n1,1,2\n", MatrixOptions{}, "1×2 [1 2] [1] [10 20]"},
		{"separator at the end", "k.tsv", "\ta\tb\na\t1\t2\t\nb\t3\t4\t\n", MatrixOptions{Square: true},
			"2×2 [1 2 3 4] [a b] [a b]"},
		{"header only", "k.csv", "a,b\n1,2\n", MatrixOptions{}, "1×2 [1 2] [] [a b]"},
		{"names of rows only", "k.csv", "a,1,2\nb,3,4\n", MatrixOptions{}, "2×2 [1 2 3 4] [a b] []"},
		{"unobserved", "k.tsv", "id\ta\tb\nx\t\t2\ny\tNaN\t0\n", MatrixOptions{Unobserved: true},
			"2×2 [NaN 2 NaN 0] [x y] [a b]"},
		{"said", "k.csv", "1,2\n3,4\n", MatrixOptions{Header: HeaderYes, Names: HeaderYes}, "1×1 [4] [3] [2]"},
		{"one row", "k.csv", "1,2", MatrixOptions{}, "1×2 [1 2] [] []"},
		{"not square", "k.csv", "1,2\n", MatrixOptions{Square: true},
			"k.csv: the matrix has 1 rows and 2 columns, but must be square"},
		{"other names", "k.csv", ",a,b\na,1,2\nc,1,2\n", MatrixOptions{Square: true},
			`k.csv: row 2 is "c" but column 2 is "b"`},
		{"missing", "k.tsv", "id\ta\nx\tNaN\n", MatrixOptions{}, `k.tsv:2:3: the value is missing: "NaN"`},
		{"ragged", "k.csv", "1,2\n3\n", MatrixOptions{}, `k.csv:2:1: 1 numbers, but the first row has 2: "3"`},
		{"empty", "k.csv", "", MatrixOptions{}, "k.csv: the matrix is empty"},
		{"only a header", "k.csv", "a,b\n", MatrixOptions{Header: HeaderYes}, "k.csv: the matrix is empty"},
	} {
		m, err := ReadMatrix(file(t, c.file, c.text), c.opts)
		if err != nil {
			if !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := fmt.Sprintf("%d×%d %v %v %v", m.X.Rows, m.X.Cols, m.X.Data, m.RowNames, m.ColNames); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	var b bytes.Buffer
	npy.Write(&b, &npy.Array{Shape: []int{2, 2}, Data: []float64{1, 2, 2, 1}})
	if m, err := ReadMatrix(file(t, "k.npy", b.String()), MatrixOptions{Square: true}); err != nil ||
		!slices.Equal(m.X.Data, []float64{1, 2, 2, 1}) {
		t.Errorf("npy: %v, %v", m, err)
	}
}

func TestLists(t *testing.T) {
	if i, err := ReadIndices(file(t, "s", "# rows\n3\r\n\n  1\n"), 3); err != nil || !slices.Equal(i, []int{2, 0}) {
		t.Errorf("indices %v, %v", i, err)
	}
	if names, err := ReadNames(file(t, "n", "a b\nc\n")); err != nil ||
		!reflect.DeepEqual(names, []string{"a b", "c"}) {
		t.Errorf("names %q, %v", names, err)
	}
	if names, err := ReadNames(file(t, "n", "3\tc\t96\n1\ta\n")); err != nil ||
		!reflect.DeepEqual(names, []string{"a", "", "c"}) {
		t.Errorf("names %q, %v", names, err)
	}
	for _, c := range []struct {
		read func(path string) error
		text string
		want string
	}{
		{func(p string) error { _, err := ReadIndices(p, 3); return err }, "1 2\n",
			`:1:3: more than one field in a line: "2"`},
		{func(p string) error { _, err := ReadIndices(p, 3); return err }, "4\n", `:1:1: row 4 is not in 1 … 3: "4"`},
		{func(p string) error { _, err := ReadIndices(p, 3); return err }, "1.0\n",
			`:1:1: row is not a whole number: "1.0"`},
		{func(p string) error { _, err := ReadNames(p); return err }, "1\ta\n1\tb\n",
			`:2:1: the index is repeated: "1"`},
		{func(p string) error { _, err := ReadNames(p); return err }, "0\ta\n",
			`:1:1: the index is not in 1 … 67108864: "0"`},
	} {
		if err := c.read(file(t, "l", c.text)); err == nil || !strings.HasSuffix(err.Error(), "/l"+c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestReadPreferences(t *testing.T) {
	got, err := ReadPreferences(file(t, "p.tsv", "# i j\n1\t2\n3 1 0.5\n2\t3\t2\t0\n1 3 0\n"), 3)
	want := []Preference{{0, 1, 1, 1}, {2, 0, 0.5, 1}, {1, 2, 2, 0}, {0, 2, 0, 1}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"1":         `p:1:1: 1 fields, want i j [magnitude [weight]]: "1"`,
		"1 2\n1 1":  `p:2:3: row 1 is preferred to itself: "1"`,
		"1 4":       `p:1:3: row 4 is not in 1 … 3: "4"`,
		"0 1":       `p:1:1: row 0 is not in 1 … 3: "0"`,
		"1 2 -1":    `p:1:5: the magnitude is below 0: put the preferred row first: "-1"`,
		"1 2 1 -1":  `p:1:7: the weight is below 0: "-1"`,
		"1 2 inf":   `p:1:5: not a finite number: "inf"`,
		"1 2 1 1 1": `p:1:1: 5 fields, want i j [magnitude [weight]]: "1"`,
	} {
		if _, err := ReadPreferences(file(t, "p", text), 3); err == nil || !strings.HasSuffix(err.Error(), "/"+want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// TestForgottenStride: a Dense without its Stride, whose rows would all be the first
// one, is not written.
func TestForgottenStride(t *testing.T) {
	broken := &data.Dense{Rows: 2, Cols: 1, Data: make([]float64, 2)}
	ids := []string{"a", "b"}
	for want, bug := range map[string]func(){
		"table: WriteSet: X": func() {
			_ = WriteSet(io.Discard, CSV,
				&data.Set{X: broken, Y: make([]float64, 2)})
		},
		"table: WriteNodes: X": func() { _ = WriteNodes(io.Discard, CSV, &Nodes{ID: ids, X: broken}) },
		"table: WriteSimilarity: K": func() {
			_ = WriteSimilarity(io.Discard, CSV,
				&Similarity{RowID: ids, ColID: ids[:1], K: broken})
		},
		"table: Similarity.Align": func() {
			_,
				_ = (&Similarity{RowID: ids, ColID: ids[:1], K: broken}).Align(nil, nil)
		},
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), want) {
					t.Errorf("%v, want a panic of %q", p, want)
				}
			}()
			bug()
		}()
	}
}

// ReadSet never guesses columns: an unnamed index is no feature, and only a named column has the
// labels.
func TestColumnsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       Options
		is         error
		err        string
	}{
		{"a feature without a name", ",a,y\n0.5,0.5,1\n", Options{}, ErrUnnamed,
			`t:1:1: column 1 has no name, and names no rows: row 1 has "0.5"`},
		{"a level without a name", ",a,y\nu,0.5,1\nv,1,1\nu,2,1\n", Options{}, ErrUnnamed,
			`t:1:1: column 1 has no name, and names no rows: rows 1 and 3 have "u"`},
		{"no first column", "a,Unnamed: 1,y\n0,0.5,1\n", Options{}, ErrUnnamed,
			`t:1:3: column 2 has no name, like an index that R or pandas wrote: "Unnamed: 1"`},
		{"behind the last separator", "a,y,\n0.5,1,\n", Options{}, ErrUnnamed, ""},
		{"no label", "a,b,c\n1,2,3\n", Options{}, ErrNoLabel,
			`t:1:1: no column has a name of labels (label, y, target, relevance, grade, outcome, class): ` +
				`the columns are "a", "b", "c"`},
		{"no header", "1,2,3\n", Options{}, ErrNoLabel,
			`t:1:1: there is no header that names the labels: columns 1 … 3 begin with "1", "2", "3"`},
		{"two labels", "a,y,Label\n1,2,3\n", Options{}, ErrNoLabel,
			`t:1:5: columns 2 and 3 may both be the label: the columns are "a", "y", "Label": "Label"`},
		{"many columns", "a" + strings.Repeat(",b", 29) + "\n", Options{}, ErrNoLabel, ""},
	} {
		_, err := ReadSetFrom(strings.NewReader(c.text), "t", c.opts)
		if !errors.Is(err, c.is) || c.err != "" && err.Error() != c.err {
			t.Errorf("%s: error %v, want %s", c.name, err, c.err)
		}
	}
	for _, c := range []struct {
		text string
		opts Options
		want data.Schema
	}{
		{"label,qid,a\n1,2,3\n", Options{}, data.Schema{Label: "label", Query: "qid"}},
		{"\"\",\"a\",\"y\"\n\"1\",0.5,1\n", Options{}, data.Schema{Label: "y", ID: "1"}}, // write.csv of R
		{"Unnamed: 0,a,y\n0,0.5,1\n", Options{}, data.Schema{Label: "y", ID: "1"}},       // of pandas, twice
		{"a y\nr1 1 2\nr2 3 4\n", Options{}, data.Schema{Label: "y", ID: "1"}},           // write.table of R
		{"doc_id,Relevance,a,Query.ID\nx,1,2,3\n", Options{},
			data.Schema{Label: "Relevance", Query: "Query.ID", ID: "doc_id"}},
		{",id,a,y\n0,u,0.5,1\n", Options{}, data.Schema{Label: "y", ID: "id", Ignored: []string{"1"}}},
		{",a,y\n0,0.5,1\n", Options{Ignore: []string{"1"}}, data.Schema{Label: "y", Ignored: []string{"1"}}},
		{"1,2,3\n", Options{Label: "2", QID: "3"}, data.Schema{Label: "2", Query: "3"}},
		{",a\n1,2\n", Options{Label: "1"}, data.Schema{Label: "1"}},
		{"1,2\n", Options{NoLabel: true}, data.Schema{}},
	} {
		set, err := ReadSetFrom(strings.NewReader(c.text), "t", c.opts)
		if err != nil || !reflect.DeepEqual(*set.Schema, c.want) {
			t.Errorf("%q: %+v, %v, want %+v", c.text, set, err, c.want)
		}
	}
}
