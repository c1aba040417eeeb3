package table

import (
	"bytes"
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

// checkError compares an error with how it must end, and, behind " → ", with the
// beginning of its hint; it reports whether there is one.
func checkError(t *testing.T, name, dir string, err error, want string) bool {
	t.Helper()
	if want == "" && err == nil {
		return false
	}
	want, hint, _ := strings.Cut(want, " → ")
	if err == nil || want == "" || err.Error() != filepath.Join(dir, want) {
		t.Errorf("%s: error %v, want %s", name, err, want)
		return true
	}
	var hinted interface{ Hint() string }
	var syntax *data.SyntaxError
	switch got := errors.As(err, &hinted); {
	case !errors.As(err, &syntax):
		t.Errorf("%s: %v is no data.SyntaxError", name, err)
	case got != (hint != "") || got && !strings.HasPrefix(hinted.Hint(), hint):
		t.Errorf("%s: hint %q, want %q", name, hinted, hint)
	}
	return true
}

func TestReadNodes(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opts             NodesOptions
		want, err        string
	}{
		{name: "tsv", file: "n.tsv", text: "id\ta\tb\nP1\t0.5\t-1e3\n07\t2\t0\n",
			want: `["P1" "07"] 2×2 [0.5 -1000 2 0] ["a" "b"]`},
		{name: "csv, byte order mark, quotes", file: "n.csv",
			text: "\xef\xbb\xbfID,\"a, b\"\r\n\"x \"\"y\"\"\",1\r\n# comment\r\n\"#z\",2",
			want: `["x \"y\"" "#z"] 2×1 [1 2] ["a, b"]`},
		{name: "blanks, no corner", file: "n.txt", text: "a b\nx 1 2\ny 3 4\n",
			want: `["x" "y"] 2×2 [1 2 3 4] ["a" "b"]`},
		{name: "numbers as names, no corner", file: "n.txt", text: "1 2\n1 3 4\n", want: `["1"] 1×2 [3 4] ["1" "2"]`},
		{name: "empty corner", file: "n.csv", text: ",a\nx,1\n", want: `["x"] 1×1 [1] ["a"]`},
		{name: "another corner", file: "n.csv", text: "drug,a,2\nx,1,2\n", want: `["x"] 1×2 [1 2] ["a" "2"]`},
		{name: "ids that are numbers", file: "n.csv", text: "id,a\n7,1\n1e2,1\n", want: `["7" "1e2"] 2×1 [1 1] ["a"]`},
		{name: "separators at the ends of rows", file: "n.tsv", text: "\ta\tb\n x\t1\t2\t\ny\t3\t4\t\n",
			want: `["x" "y"] 2×2 [1 2 3 4] ["a" "b"]`},
		{name: "separators at the ends of lines", file: "n.csv", text: "name,b,\nx,1,\ny,3,\n",
			want: `["x" "y"] 2×1 [1 3] ["b"]`},
		{name: "separators at the ends, no corner", file: "n.csv", text: "a,b\nx,1,\n", want: `["x"] 1×1 [1] ["b"]`},
		{name: "numbers alone", file: "n.txt", text: "1 2\n3 4\n5 6\n",
			want: `["1" "2" "3"] 3×2 [1 2 3 4 5 6] [] numbered`},
		{name: "one column", file: "n.txt", text: "1\n3\n", want: `["1" "2"] 2×1 [1 3] [] numbered`},
		{name: "said to have none", file: "n.csv", text: "1,2\n3,4\n", opts: NodesOptions{Header: HeaderNo},
			want: `["1" "2"] 2×2 [1 2 3 4] [] numbered`},
		{name: "said to have one", file: "n.csv", text: "1,2\n3,4\n", opts: NodesOptions{Header: HeaderYes},
			want: `["3"] 1×1 [4] ["2"]`},
		{name: "separator said", file: "n.csv", text: "id;a,b\nx;1\n", opts: NodesOptions{Separator: ';'},
			want: `["x"] 1×1 [1] ["a,b"]`},
		{name: "missing", file: "n.csv", text: "id,a,b\nx,1,NA\ny,,3\nz,5,6\n",
			opts: NodesOptions{Missing: data.MissingMin}, want: `["x" "y" "z"] 3×2 [1 3 1 3 5 6] ["a" "b"]`},

		{name: "empty", file: "n.csv", text: "", err: "n.csv: the table is empty"},
		{name: "header only", file: "n.csv", text: "id,a\n", err: "n.csv: no rows: the table has only a header"},
		{name: "ids only", file: "n.csv", text: "id\nx\ny\n", err: "n.csv: the rows have an id and nothing else"},
		{name: "row or header", file: "n.csv", text: "x,1,2\ny,3,4\n",
			err: `n.csv:1:1: a text and numbers: the first line may be a header or a row: "x" → ` +
				`begin a header with "id"`},
		{name: "ids or values", file: "n.csv", text: "# nodes\nnr,a\n1,3\n",
			err: `n.csv:2:1: the first line is a header, and the column below its first field holds numbers: they ` +
				`may be ids or values: "nr" → name the column of ids "id"`},
		{name: "ended rows and missing values", file: "n.csv", text: "a,b\nx,1,\n",
			opts: NodesOptions{Missing: data.MissingZero},
			err: `n.csv:1:3: the header has one field fewer than the rows, which end in a separator: its first ` +
				`field may name a column or the ids: "b" → begin the header with "id"`},
		{name: "not a number", file: "n.tsv", text: "id\ta\tb\nx\t1\ttwo\n",
			err: `n.tsv:2:5: not a finite number: "two"`},
		{name: "infinite", file: "n.tsv", text: "id\ta\nx\t1\ny\tInf\n", err: `n.tsv:3:3: not a finite number: "Inf"`},
		{name: "missing refused", file: "n.tsv", text: "id\ta\nx\tNaN\n",
			err: `n.tsv:2:3: the value is missing: "NaN"`},
		{name: "not a number among numbers", file: "n.txt", text: "1 2\n3 x\n",
			err: `n.txt:2:3: not a finite number: "x"`},
		{name: "too long", file: "n.csv", text: "id,a\nx,1\ny,1,2\n",
			err: `n.csv:3:5: 3 fields, but by the header a row has 2: "2"`},
		{name: "first row too long", file: "n.csv", text: "id,a\nx,1,2\n",
			err: `n.csv:2:5: 3 fields, but by the header a row has 2: "2"`},
		{name: "too short", file: "n.txt", text: "1 2\n3\n", err: `n.txt:2:1: 1 numbers, but the first row has 2: "3"`},
		{name: "empty id", file: "n.csv", text: "id,a\nx,1\n,2\n", err: `n.csv:3:1: the id is empty`},
		{name: "one id twice", file: "n.csv", text: "id,a\nx,1\ny,1\nx,2\n",
			err: `n.csv:4:1: an id appears more than once: "x" in lines 2, 4`},
		{name: "two ids repeated", file: "n.csv", text: "id,a\nx,1\ny,1\ny,3\n#\nx,2\nx,2\n",
			err: `n.csv:4:1: 2 ids appear more than once: "y" in lines 3, 4; "x" in lines 2, 6, 7`},
		{name: "quotes", file: "n.csv", text: "id,a\n\"x,1\n",
			err: `n.csv:2:1: the quotes do not end on their line: "\"x,1"`},
		{name: "npz", file: "n.npz", text: "", err: "n.npz: an .npz file holds several arrays; give text or .npy"},
	} {
		path := file(t, c.file, c.text)
		n, err := ReadNodes(path, c.opts)
		if checkError(t, c.name, filepath.Dir(path), err, c.err) {
			continue
		}
		if got := describeNodes(n); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	var b bytes.Buffer
	npy.Write(&b, &npy.Array{Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}})
	if n, err := ReadNodes(file(t, "n.npy", b.String()), NodesOptions{}); err != nil ||
		describeNodes(n) != `["1" "2"] 2×2 [1 2 3 4] [] numbered` {
		t.Errorf("npy: %v, %v", n, err)
	}
}

func describeNodes(n *Nodes) string {
	text := fmt.Sprintf("%q %d×%d %v %q", n.ID, n.X.Rows, n.X.Cols, n.X.Data, n.Names)
	if n.Numbered {
		text += " numbered"
	}
	return text
}

// An error about many repeated ids names the first ones.
func TestManyRepeatedIDs(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,a\n")
	for k := range 75 {
		fmt.Fprintf(&text, "n%d,1\n", k%25)
	}
	_, err := readNodesFrom(strings.NewReader(text.String()), "n.csv", NodesOptions{})
	if err == nil || !strings.HasPrefix(err.Error(),
		`n.csv:27:1: 25 ids appear more than once: "n0" in lines 2, 27, 52; "n1" in `) ||
		!strings.HasSuffix(err.Error(), `; "n19" in lines 21, 46, 71 and 5 more`) {
		t.Errorf("error %v", err)
	}
}

func TestReadSimilarity(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want, err        string
	}{
		{name: "empty corner", file: "k.txt", text: "\ta\tb\na\t1\t.5\nb\t.4\t1\n",
			want: `["a" "b"] ["a" "b"] [1 0.5 0.4 1]`},
		{name: "no corner", file: "k.txt", text: "a\tb\nb\t1\t.5\na\t.5\t1\n",
			want: `["b" "a"] ["a" "b"] [1 0.5 0.5 1]`},
		{name: "numbers as ids", file: "k.csv", text: "id,7,8\n9,1,2\n", want: `["9"] ["7" "8"] [1 2]`},
		{name: "rectangle, another corner", file: "k.csv", text: "new,a,b,c\nx,1,2,3\n",
			want: `["x"] ["a" "b" "c"] [1 2 3]`},
		{name: "blanks in ids, separators at the end", file: "k.tsv", text: "\t a\t b\na\t1\t2\t\nb\t3\t4\t\n",
			want: `["a" "b"] ["a" "b"] [1 2 3 4]`},
		{name: "numbers alone", file: "k.txt", text: "1 2 3\n4 5 6\n",
			want: `["1" "2"] ["1" "2" "3"] [1 2 3 4 5 6] numbered`},

		{name: "missing", file: "k.csv", text: "id,a\na,\n", err: "k.csv:2:3: the value is missing"},
		{name: "names of columns alone", file: "k.csv", text: "a,b\n1,0\n0,1\n",
			err: `k.csv:1:1: the first line is a header, and the column below its first field holds numbers: they ` +
				`may be ids or values: "a" → name the column`},
		{name: "names of rows alone", file: "k.csv", text: "a,1,0\nb,0,1\n",
			err: `k.csv:1:1: a text and numbers: the first line may be a header or a row: "a" → begin a header`},
		{name: "columns repeated", file: "k.csv", text: "id,a,b,a\na,1,2,3\n",
			err: `k.csv:1:8: an id appears more than once: "a" in columns 1, 3`},
		{name: "rows repeated", file: "k.csv", text: "id,a,b\na,1,2\na,1,3\n",
			err: `k.csv:3:1: an id appears more than once: "a" in lines 2, 3`},
		{name: "empty id", file: "k.csv", text: "id,a,,b\na,1,2,3\n", err: `k.csv:1:6: the id of column 2 is empty`},
		{name: "more values than columns", file: "k.csv", text: "id,a,b\na,1,2,3\n",
			err: `k.csv:2:7: 4 fields, but by the header a row has 3: "3"`},
	} {
		path := file(t, c.file, c.text)
		s, err := ReadSimilarity(path)
		if checkError(t, c.name, filepath.Dir(path), err, c.err) {
			continue
		}
		if got := describeSimilarity(s); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	var b bytes.Buffer
	npy.Write(&b, &npy.Array{Shape: []int{1, 2}, Data: []float64{1, 2}})
	if s, err := ReadSimilarity(file(t, "k.npy", b.String())); err != nil ||
		describeSimilarity(s) != `["1"] ["1" "2"] [1 2] numbered` {
		t.Errorf("npy: %v, %v", s, err)
	}
}

func describeSimilarity(s *Similarity) string {
	text := fmt.Sprintf("%q %q %v", s.RowID, s.ColID, s.K.Data)
	if s.Numbered {
		text += " numbered"
	}
	return text
}

func TestAlign(t *testing.T) {
	s, err := readSimilarityFrom(strings.NewReader("id,a,b,c\nx,1,2,3\ny,4,5,6\n"), "k.csv")
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.Align([]string{"y", "x", "y"}, []string{"c", "a"})
	if err != nil || k.Rows != 3 || k.Cols != 2 || !slices.Equal(k.Data, []float64{6, 4, 3, 1, 6, 4}) {
		t.Errorf("%v, %v", k, err)
	}
	if rows, cols := s.extra([]string{"y"}, []string{"c", "z"}); rows != 1 || cols != 2 {
		t.Errorf("%d rows and %d columns are left out, want 1 and 2", rows, cols)
	}
	bare, err := readSimilarityFrom(strings.NewReader("1 2\n3 4\n"), "k")
	if err != nil {
		t.Fatal(err)
	}
	many := make([]string, 30)
	for k := range many {
		many[k] = fmt.Sprintf("n%d", k)
	}
	for _, c := range []struct {
		s          *Similarity
		rows, cols []string
		err        string
	}{
		{s, []string{"x", "z", "w"}, []string{"a", "d"},
			`k.csv: no row for 2 of 3 ids: "z", "w"; no column for 1 of 2 ids: "d"`},
		{s, []string{"a", "b"}, []string{"x", "y"},
			`k.csv: no row for 2 of 2 ids: "a", "b"; no column for 2 of 2 ids: "x", "y" → rows and columns of the ` +
				`matrix are exchanged`},
		{s, []string{"1", "2"}, []string{"a"}, `k.csv: no row for 2 of 2 ids: "1", "2" → the wanted ids are numbers`},
		{bare, []string{"1", "x"}, []string{"1"},
			`k: no row for 1 of 2 ids: "x" → the matrix has no ids, so its rows are 1 … 2`},
		{s, many, nil,
			`k.csv: no row for 30 of 30 ids: "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", ` +
				`"n11", "n12", "n13", "n14", "n15", "n16", "n17", "n18", "n19" and 10 more`},
	} {
		_, err := c.s.Align(c.rows, c.cols)
		checkError(t, fmt.Sprint(c.rows), "", err, c.err)
	}
	if _, err := (&Similarity{K: data.NewDense(0, 0, nil)}).Align([]string{"a"}, nil); err == nil ||
		err.Error() != `no row for 1 of 1 ids: "a"` {
		t.Errorf("without a file: error %v", err)
	}
}

// Written data read back the same, and writing them again gives the same bytes.
func TestRelationRoundTrips(t *testing.T) {
	x := &data.Dense{Rows: 3, Cols: 2, Stride: 3, Data: []float64{0.1, -2, 9, 1e-300, math.MaxFloat64, 9, 0, 1. / 3, 9}}
	ids := []string{"#1", `a "b", c`, " µ\t;"}
	for _, format := range []Format{CSV, TSV} {
		name := map[Format]string{CSV: "a.csv", TSV: "a.tsv"}[format]
		var first, second bytes.Buffer
		if err := WriteNodes(&first, format, &Nodes{ID: ids, X: x, Names: []string{"id", ""}}); err != nil {
			t.Fatal(err)
		}
		n, err := ReadNodes(file(t, name, first.String()), NodesOptions{})
		if err != nil || !reflect.DeepEqual(n.ID, ids) ||
			!slices.Equal(n.X.Data, data.ToDense(data.Select(x, []int{0, 1, 2})).Data) ||
			!reflect.DeepEqual(n.Names, []string{"id", ""}) {
			t.Errorf("%s: %v, %v", name, n, err)
			continue
		}
		if WriteNodes(&second, format, n); !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: nodes written twice differ:\n%s\n%s", name, first.String(), second.String())
		}
		var k bytes.Buffer
		if err := WriteSimilarity(&k, format, &Similarity{RowID: ids, ColID: ids[:2], K: x}); err != nil {
			t.Fatal(err)
		}
		if s, err := ReadSimilarity(file(t, name, k.String())); err != nil || !reflect.DeepEqual(s.RowID, ids) ||
			!reflect.DeepEqual(s.ColID, ids[:2]) || !slices.Equal(s.K.Data, n.X.Data) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	var b bytes.Buffer
	x.Data[1] = math.NaN()
	if err := WriteNodes(&b, TSV, &Nodes{ID: ids, X: x}); err == nil ||
		err.Error() != "row 1, column 2: NaN cannot be written" {
		t.Errorf("error %v", err)
	}
}
