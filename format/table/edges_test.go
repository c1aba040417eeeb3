package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

const (
	unclear   = `this may be the header of a matrix of two columns or that of triplets`
	unclearID = `the id is a number with sign or point: the lines may be triplets or a matrix of `
)

var edgesCases = []struct {
	name, file, text string
	opts             EdgesOptions
	want, err        string
}{
	{name: "triplets", file: "e.tsv", text: "row_id\tcol_id\tvalue\na\tx\t1.5\nb\tx\t0\na\ty\t-1\na\tx\t2\n",
		want: `["a" "b"] ["x" "y"] a-x=1.5@2 b-x=0@3 a-y=-1@4 a-x=2@5`},
	{name: "no header, blanks", file: "e.txt", text: "a x 1\nb  7\t2\n", want: `["a" "b"] ["x" "7"] a-x=1@1 b-7=2@2`},
	{name: "ids that are numbers, no header", file: "e.txt", text: "1 2 3.5\n1 10 2\n",
		want: `["1"] ["2" "10"] 1-2=3.5@1 1-10=2@2`},
	{name: "one line", file: "e.txt", text: "1 2 3.5", want: `["1"] ["2"] 1-2=3.5@1`},
	{name: "row and col", file: "e.csv", text: "Row,Col,affinity\n1,2,3\n", want: `["1"] ["2"] 1-2=3@2`},
	{name: "a name for values", file: "e.csv", text: "user,item,Rating\n1,2,3\n", want: `["1"] ["2"] 1-2=3@2`},
	{name: "another header", file: "e.csv", text: "from,to,kd\n1,b,3\n", want: `["1"] ["b"] 1-b=3@2`},
	{name: "header with id", file: "e.csv", text: "id,item,kd\n1,b,3\n", want: `["1"] ["b"] 1-b=3@2`},
	{name: "unobserved", file: "e.csv", text: "row_id,col_id,value\na,x,NaN\nb,y,1\nc,y,\n",
		want: `["a" "b" "c"] ["x" "y"] b-y=1@3 and 2 unobserved`},
	{name: "triplets said", file: "e.csv", text: "user,item,kd\n-1,2.5,3\n", opts: EdgesOptions{Format: edgesTriplets},
		want: `["-1"] ["2.5"] -1-2.5=3@2`},
	{name: "ids like 1e10", file: "e.txt", text: "1e10 2e5 3\n1e11 2e5 4\n",
		want: `["1e10" "1e11"] ["2e5"] 1e10-2e5=3@1 1e11-2e5=4@2`},

	{name: "pairs", file: "e.txt", text: "a x\nb y\n", opts: EdgesOptions{NoValue: true},
		want: `["a" "b"] ["x" "y"] a-x=NaN@1 b-y=NaN@2`},
	{name: "pairs, header", file: "e.tsv", text: "row_id\tcol_id\n1\t2\n", opts: EdgesOptions{NoValue: true},
		want: `["1"] ["2"] 1-2=NaN@2`},
	{name: "pairs with values", file: "e.csv", text: "row_id,col_id,value\n1,2,\n1,3,0.5\n2,2\n",
		opts: EdgesOptions{NoValue: true}, want: `["1" "2"] ["2" "3"] 1-2=NaN@2 1-3=0.5@3 2-2=NaN@4`},
	{name: "pairs of a matrix", file: "e.csv", text: "id,x,y,z\na,1,,\n", opts: EdgesOptions{NoValue: true},
		want: `["a"] ["x" "y" "z"] a-x=1 and 2 unobserved of a matrix`},

	{name: "matrix", file: "e.txt", text: "\tx\ty\tz\na\t1\t0\tNaN\nb\t\tNA\t-2\n",
		want: `["a" "b"] ["x" "y" "z"] a-x=1 a-y=0 b-z=-2 and 3 unobserved of a matrix`},
	{name: "matrix without corner", file: "e.txt", text: "x y z\na 1 0 2\n",
		want: `["a"] ["x" "y" "z"] a-x=1 a-y=0 a-z=2 of a matrix`},
	{name: "matrix of two columns", file: "e.csv", text: "id,x,y\na,1,0\nb,,2\n",
		want: `["a" "b"] ["x" "y"] a-x=1 a-y=0 b-y=2 and 1 unobserved of a matrix`},
	{name: "matrix of one column", file: "e.csv", text: ",x\na,1\nb,2\n",
		want: `["a" "b"] ["x"] a-x=1 b-x=2 of a matrix`},
	{name: "matrix of one column, no corner", file: "e.txt", text: "x\na 1\n", opts: EdgesOptions{Separator: ' '},
		want: `["a"] ["x"] a-x=1 of a matrix`},
	{name: "matrix of numbers", file: "e.txt", text: "1 0 NaN 2\n0 3 1 1\n",
		want: `["1" "2"] ["1" "2" "3" "4"] 1-1=1 1-2=0 1-4=2 2-1=0 2-2=3 2-3=1 2-4=1 and 1 unobserved ` +
			`of a matrix without ids`},
	{name: "matrix with an empty corner", file: "e.tsv", text: "\tx\nhsa1\t1\n", opts: EdgesOptions{NoValue: true},
		want: `["hsa1"] ["x"] hsa1-x=1 of a matrix`},
	{name: "matrix said", file: "e.txt", text: "1 2 3\n4 5 6\n", opts: EdgesOptions{Format: edgesMatrix},
		want: `["1" "2"] ["1" "2" "3"] 1-1=1 1-2=2 1-3=3 2-1=4 2-2=5 2-3=6 of a matrix without ids`},
	{name: "matrix said, header", file: "e.csv", text: "drug,x,y\na,1,0.5\n", opts: EdgesOptions{Format: edgesMatrix},
		want: `["a"] ["x" "y"] a-x=1 a-y=0.5 of a matrix`},

	{name: "empty", file: "e.txt", text: "# nothing\n", err: "e.txt: no edges: the file is empty"},
	{name: "header only", file: "e.txt", text: "row_id col_id value\n",
		err: "e.txt: no edges: there is no line with a value"},
	{name: "all unobserved", file: "e.csv", text: "id,a,b,c\nx,,NA,\n",
		err: "e.csv: no edges: the matrix has no value"},
	{name: "header may be both", file: "e.csv", text: "#\ndrug,x,y\na,1,0.5\n", err: `e.csv:2:1: ` + unclear +
		`: "drug" → begin the header with "row_id"`},
	{name: "numbers below any header", file: "e.csv", text: "user,item,stars\n1,2,5\n", err: `e.csv:1:1: ` + unclear +
		`: "user" → begin the header with "row_id"`},
	{name: "id above values", file: "e.csv", text: "id,item,rating\n1,2,5\n", err: `e.csv:1:1: ` + unclear +
		`: "id" → begin the header with "row_id"`},
	{name: "a field less", file: "e.txt", text: "x y\na 1 2\n", err: `e.txt:1:1: ` + unclear +
		`: "x" → begin the header with "row_id"`},
	{name: "values as ids", file: "e.txt", text: "1 0.5 2\n0.5 1 3\n", err: `e.txt:1:3: ` + unclearID +
		`3 columns without ids: "0.5" → say which it is`},
	{name: "values as ids of pairs", file: "e.txt", text: "1 0\n-1 1\n", opts: EdgesOptions{NoValue: true},
		err: `e.txt:2:1: ` + unclearID + `2 columns without ids: "-1" → say which it is`},
	{name: "not a number", file: "e.tsv", text: "a\tx\t1\nb\tx\ttwo\n", err: `e.tsv:2:5: not a finite number: "two"`},
	{name: "not a number in the first line", file: "e.tsv", text: "a\tx\t1.5x\nb\tx\t2\n",
		err: `e.tsv:1:5: not a finite number: "1.5x"`},
	{name: "infinite in the first line", file: "e.tsv", text: "a\tx\tinf\nb\tx\t2\n",
		err: `e.tsv:1:5: not a finite number: "inf"`},
	{name: "no value", file: "e.txt", text: "a x\nb y\n",
		err: `e.txt:1:1: number of fields 2, want row, column and value: "a" → pairs without values can be predicted`},
	{name: "no value, numbers", file: "e.txt", text: "1 2\n3 4\n",
		err: `e.txt:1:1: number of fields 2, want row, column and value: "1" → pairs without values can be predicted`},
	{name: "one line without value", file: "e.txt", text: "a x 1\nb y\n",
		err: `e.txt:2:1: number of fields 2, want row, column and value: "b" → pairs without values can be predicted`},
	{name: "too many", file: "e.txt", text: "a x 1\nb y 1\nb z 1 1\n",
		err: `e.txt:3:1: number of fields 4, want row, column and value: "b"`},
	{name: "other separator", file: "e.tsv", text: "a x 1\nb y 1\n",
		err: `e.tsv:1:1: number of fields 1, want row, column and value: "a x 1" → the fields of this file are ` +
			`separated by tabs`},
	{name: "empty id of a row", file: "e.tsv", text: "a\tx\t1\n\ty\t2\n", err: `e.tsv:2:1: the id is empty`},
	{name: "empty id of a column", file: "e.tsv", text: "a\tx\t1\nb\t\t2\n", err: `e.tsv:2:3: the id is empty`},
	{name: "rows repeated", file: "e.csv", text: "id,x,y,z\na,1,2,3\na,1,2,3\n",
		err: `e.csv:3:1: an id appears more than once: "a" in lines 2, 3`},
	{name: "columns repeated", file: "e.csv", text: "id,x,y,x\na,1,2,3\n",
		err: `e.csv:1:8: an id appears more than once: "x" in columns 1, 3`},
	{name: "not a number in a matrix", file: "e.csv", text: "id,x,y,z\na,1,2,three\n",
		err: `e.csv:2:7: not a finite number: "three"`},
	{name: "not a number in a matrix of two columns", file: "e.csv", text: "id,x,y\na,-,2\n",
		err: `e.csv:2:3: not a finite number: "-"`},
	{name: "the same with an empty corner", file: "e.csv", text: ",x,y\na,one,2\n",
		err: `e.csv:2:3: not a finite number: "one"`},
	{name: "column of numbers", file: "e.txt", text: "1\n\n0\n", opts: EdgesOptions{Format: edgesMatrix},
		err: `e.txt: one number a line: a matrix of one column needs ids → write NaN`},
	{name: "row lost", file: "e.tsv", text: "1\t2\t3\t4\n\t\t\t\n1\t2\t3\t4\n",
		err: `e.tsv:2:1: a line of separators alone, in a matrix without ids → write NaN`},
	{name: "arrays are no triplets", file: "e.npy", opts: EdgesOptions{Format: edgesTriplets},
		err: "e.npy: the arrays of NumPy hold no triplets, only a matrix"},
}

func TestReadEdges(t *testing.T) {
	for _, c := range edgesCases {
		path := file(t, c.file, c.text)
		e, err := ReadEdges(path, c.opts)
		if checkError(t, c.name, filepath.Dir(path), err, c.err) {
			continue
		}
		if got := describeEdges(e); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	var b bytes.Buffer
	npy.Write(&b, &npy.Array{Shape: []int{1, 3}, Data: []float64{1, math.NaN(), 2}})
	const want = `["1"] ["1" "2" "3"] 1-1=1 1-3=2 and 1 unobserved of a matrix without ids`
	if e, err := ReadEdges(file(t, "e.npy", b.String()), EdgesOptions{}); err != nil || describeEdges(e) != want {
		t.Errorf("npy: %v, %v", e, err)
	}
}

func describeEdges(e *Edges) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q", e.RowID, e.ColID)
	for k, y := range e.Y {
		fmt.Fprintf(&b, " %s-%s=%v", e.RowID[e.Row[k]], e.ColID[e.Col[k]], y)
		if e.Line != nil {
			fmt.Fprintf(&b, "@%d", e.Line[k])
		}
	}
	if e.Unobserved > 0 {
		fmt.Fprintf(&b, " and %d unobserved", e.Unobserved)
	}
	if e.Format == edgesMatrix {
		b.WriteString(" of a matrix")
	}
	if e.Numbered {
		b.WriteString(" without ids")
	}
	return b.String()
}

func edgesFrom(t *testing.T, text string, opts EdgesOptions) *Edges {
	t.Helper()
	e, err := readEdgesFrom(strings.NewReader(text), "e", opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestMatch(t *testing.T) {
	e := edgesFrom(t, "row_id col_id value\na x 1\nb y 2\na y 3\n", EdgesOptions{})
	row, col, err := e.Match([]string{"c", "b", "a"}, []string{"y", "x"})
	if err != nil || !slices.Equal(row, []int32{2, 1, 2}) || !slices.Equal(col, []int32{1, 0, 0}) {
		t.Errorf("%v, %v, %v", row, col, err)
	}
	e.Transpose()
	row, col, err = e.Match([]string{"y", "x"}, []string{"c", "b", "a"})
	if err != nil || !slices.Equal(row, []int32{1, 0, 0}) || !slices.Equal(col, []int32{2, 1, 2}) {
		t.Errorf("transposed: %v, %v, %v", row, col, err)
	}
	e.Transpose()
	matrix := edgesFrom(t, "#\nid,x,y,z\na,1,2,3\nb,1,2,3\n", EdgesOptions{})
	for _, c := range []struct {
		name       string
		e          *Edges
		rows, cols []string
		err        string
	}{
		{"unknown", e, []string{"a"}, []string{"x"},
			`e: 1 of 2 row ids are unknown: "b" (line 3); 1 of 2 column ids are unknown: "y" (line 3)`},
		{"exchanged", e, []string{"x", "y"}, []string{"a", "b"},
			`e: rows and columns are exchanged: 2 of 2 row ids are unknown: "a" (line 2), "b" (line 3); 2 of 2 ` +
				`column ids are unknown: "x" (line 2), "y" (line 3)`},
		{"a matrix", matrix, []string{"a"}, []string{"x", "y"},
			`e: 1 of 2 row ids are unknown: "b" (line 4); 1 of 3 column ids are unknown: "z" (line 2)`},
		{"numbered edges", edgesFrom(t, "1 2 3 4\n", EdgesOptions{}), []string{"1"}, []string{"1", "2", "x"},
			`e: 2 of 4 column ids are unknown: "3", "4" → the matrix has no ids, so its rows are 1 … 1 ` +
				`and its columns 1 … 4`},
		{"numbered nodes", e, []string{"a", "b"}, []string{"1", "2", "3"},
			`e: 2 of 2 column ids are unknown: "x" (line 2), "y" (line 3) → the ids of the nodes are numbers from 1`},
		{"a header as an edge", edgesFrom(t, "drug target\na x\nb x\n", EdgesOptions{NoValue: true}),
			[]string{"a", "b"}, []string{"x"},
			`e: 1 of 3 row ids are unknown: "drug" (line 1); 1 of 2 column ids are unknown: "target" (line 1) → if ` +
				`line 1 is a header`},
	} {
		_, _, err := c.e.Match(c.rows, c.cols)
		checkError(t, c.name, "", err, c.err)
	}
}

// The error about exchanged sides names three ids: all are unknown.
func TestMatchExchanged(t *testing.T) {
	e := edgesFrom(t, "id x y\na 1 2\nb 1 2\nc 1 2\nd 1 2\ne 1 2\n", EdgesOptions{})
	rows, cols := []string{"x", "y"}, []string{"a", "b", "c", "d", "e"}
	_, _, err := e.Match(rows, cols)
	var exchanged *ExchangedError
	if !errors.As(err, &exchanged) {
		t.Fatalf("exchanged sides: %v", err)
	}
	want := `e: rows and columns are exchanged: 5 of 5 row ids are unknown: "a" (line 2), "b" (line 3), "c" (line ` +
		`4) and 2 more; 2 of 2 column ids are unknown: "x" (line 1), "y" (line 1)`
	if err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	e.Transpose()
	if _, _, err := e.Match(rows, cols); err != nil {
		t.Errorf("transposed: %v", err)
	}
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		text string
		want []float64
	}{
		{"a x 1\nb x 2\nb y 3\na y 4\n", []float64{1, 4, 2, 3}},
		{"a x 1\nb x 2\nb y 3\nb x 4\n", nil}, // one pair twice, one not at all
		{"a x 1\nb x 2\nb y 3\n", nil},
		{"a x 1\nb x 2\nb y 3\na y 4\na x 1\n", nil},
	} {
		e := edgesFrom(t, c.text, EdgesOptions{})
		row, col, err := e.Match([]string{"a", "b"}, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		y := e.complete(row, col, 2, 2)
		if (y == nil) != (c.want == nil) || y != nil && !slices.Equal(y.Data, c.want) {
			t.Errorf("%q: %v, want %v", c.text, y, c.want)
		}
	}
}

func TestEdgesFormatIsKnown(t *testing.T) {
	if _, err := ReadEdges("e.csv", EdgesOptions{Format: "list"}); err == nil || !strings.Contains(err.Error(), `"list"`) {
		t.Errorf("an unknown format: %v", err)
	}
}

// Edges that are written are read the same: ids, order, repeated pairs, values
// and their absence.
func TestWriteReadEdges(t *testing.T) {
	nan := math.NaN()
	for _, y := range [][]float64{{1, 0, -1. / 3, math.MaxFloat64}, {nan, nan, nan, nan}, {nan, 1, nan, 2}} {
		e := &Edges{RowID: []string{"#1", `"a`, "7"}, ColID: []string{" µ\t;", "b, c"}, Row: []int32{0, 1, 0, 2},
			Col: []int32{0, 1, 0, 1}, Y: y}
		for _, format := range []Format{CSV, TSV} {
			name := map[Format]string{CSV: "e.csv", TSV: "e.tsv"}[format]
			var first, second bytes.Buffer
			if err := WriteEdges(&first, format, e); err != nil {
				t.Fatal(err)
			}
			got, err := ReadEdges(file(t, name, first.String()), EdgesOptions{NoValue: math.IsNaN(y[0])})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if !reflect.DeepEqual(got.RowID, e.RowID) || !reflect.DeepEqual(got.ColID, e.ColID) ||
				!slices.Equal(got.Row, e.Row) || !slices.Equal(got.Col, e.Col) || fmt.Sprint(got.Y) != fmt.Sprint(y) {
				t.Errorf("%s: %+v, want %+v", name, got, e)
			}
			if WriteEdges(&second, format, got); !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("written twice, the edges differ:\n%s\n%s", first.String(), second.String())
			}
		}
	}
}

// Many edges, and a matrix of them, plain and compressed, are all read: memory is
// set aside by the part of the file that is done.
func TestManyEdges(t *testing.T) {
	const p, r = 300, 200
	e := &Edges{RowID: numbers(p), ColID: numbers(r)}
	x := data.NewDense(p, r, nil)
	for k := range x.Data {
		x.Data[k] = math.Sqrt(float64(k))
		e.Row, e.Col, e.Y = append(e.Row, int32(k/r)), append(e.Col, int32(k%r)), append(e.Y, x.Data[k])
	}
	var triplets, matrix, small bytes.Buffer
	if err := errors.Join(WriteEdges(&triplets, TSV, e),
		WriteSimilarity(&matrix, TSV, &Similarity{RowID: e.RowID, ColID: e.ColID, K: x})); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&small)
	z.Write(triplets.Bytes())
	z.Close()
	for name, text := range map[string]string{"triplets.tsv": triplets.String(), "triplets.tsv.gz": small.String(),
		"matrix": matrix.String()} {
		got, err := ReadEdges(file(t, name, text), EdgesOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		row, col, err := got.Match(e.RowID, e.ColID)
		if err != nil || !slices.Equal(row, e.Row) || !slices.Equal(col, e.Col) || !slices.Equal(got.Y, e.Y) {
			t.Errorf("%s: %d edges, want the %d of the file; error %v", name, len(got.Y), len(e.Y), err)
		}
	}
}
