package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pairrank/format/table"
)

// sheet is a table in every container.
type sheet struct {
	columns []string
	rows    [][]string
}

// sheetOf is a text with commas between the cells.
func sheetOf(text string) *sheet {
	var s sheet
	for k, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(line, ",")
		if k == 0 {
			s.columns = cells
		} else {
			s.rows = append(s.rows, cells)
		}
	}
	return &s
}

// numbers are the values of a column, nil where one is no number.
func (s *sheet) numbers(k int) []float64 {
	var all []float64
	for _, row := range s.rows {
		x, err := strconv.ParseFloat(row[k], 64)
		if err != nil {
			return nil
		}
		all = append(all, x)
	}
	return all
}

// write writes the table in every container, and returns the names of the files, CSV first.
func (s *sheet) write(t *testing.T) []string {
	t.Helper()
	csv := strings.Join(s.columns, ",") + "\n"
	w := &writer{rows: len(s.rows), groupRows: blockRows}
	var objects []string
	for _, row := range s.rows {
		csv += strings.Join(row, ",") + "\n"
		var members []string
		for k, name := range s.columns {
			value, _ := json.Marshal(row[k])
			if s.numbers(k) != nil {
				value = []byte(row[k])
			}
			if row[k] == "" {
				value = []byte("null")
			}
			members = append(members, fmt.Sprintf("%q: %s", name, value))
		}
		objects = append(objects, "{"+strings.Join(members, ", ")+"}")
	}
	for k, name := range s.columns {
		if xs := s.numbers(k); xs != nil {
			w.number(name, func(dst []float64, first int) { copy(dst, xs[first:]) })
		} else {
			w.text(name, func(i int) string { return s.rows[i][k] })
		}
	}
	var parquet, pretty bytes.Buffer
	list := "[" + strings.Join(objects, ", ") + "]"
	if err := w.write(&parquet); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&pretty, []byte(list), "", "  "); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files []string
	for _, f := range []struct{ name, text string }{
		{"t.csv", csv}, {"quoted.csv", strings.ReplaceAll("\""+strings.NewReplacer(",", `","`, "\n", "\"\r\n\"").Replace(
			strings.TrimSpace(csv))+"\"\r\n", `""`, "")},
		{"t.jsonl", strings.Join(objects, "\n") + "\n"}, {"t.json", list}, {"pretty.json", pretty.String()},
		{"t.parquet", parquet.String()},
	} {
		name := filepath.Join(dir, f.name)
		if err := os.WriteFile(name, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

const (
	nodesText = "id,f1,f2\nx,1,0.25\ny,2,-3e-05\nz,0.1,7\n"
	edgesText = "row_id,col_id,value\nx,a,1\nx,b,0.5\ny,a,2\nz,b,-1\n"
	// A matrix of edges, with an unobserved pair.
	matrixText  = "id,a,b,c\nx,1,0.5,2\ny,2,,1\nz,3,4,5\n"
	squareText  = "id,x,y,z\nx,1,0.5,0.25\ny,0.5,1,0\nz,0.25,0,1\n"
	boardText   = "model_a,model_b,winner,weight\nu,v,model_a,1\nv,w,tie,2\nw,u,model_b,1\nu,v,model_b,1\n"
	rowsText    = "label,qid,id,f1,f2\n1,q,r1,0.5,1\n0,q,r2,0.25,2\n2,p,r3,3,1\n0,p,r4,1,1.5\n"
	scoresText  = "model,task,score,seed\nu,x,1,1\nv,x,0.5,1\nu,x,0,2\nv,y,,1\nu,y,2,1\n"
	wideText    = "task,u,v,note\nx,1,0.5,p\ny,2,,q\n"
	ratingsText = "drug,target,value\nx,a,1\nx,b,0.5\ny,a,2\n"
)

// Every shape is the same from every container.
func TestShapesFromEveryContainer(t *testing.T) {
	plain := func(v any, err error) (any, error) { return v, err }
	set := func(path string) (any, error) {
		s, err := table.ReadSet(path, table.Options{})
		if err != nil {
			return nil, err
		}
		return []any{s.X, s.Y, s.Queries, s.IDs, s.Names}, nil
	}
	edges := func(path string) (any, error) {
		e, err := table.ReadEdges(path, table.EdgesOptions{})
		if err != nil {
			return nil, err
		}
		return []any{e.RowID, e.ColID, e.Row, e.Col, e.Y, e.Unobserved, e.Format, e.Numbered}, nil
	}
	scores := func(s *table.ScoreTable, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		y := fmt.Sprint(s.Y.Data) // NaN, too
		s.Y = nil
		return []any{s, y}, nil
	}
	similarity := func(path string) (any, error) {
		s, err := table.ReadSimilarity(path)
		if err != nil {
			return nil, err
		}
		s.File = ""
		return s, nil
	}
	for _, c := range []struct {
		shape, text string
		read        func(path string) (any, error)
	}{
		{"rows", rowsText, set},
		{"edges", edgesText, edges},
		{"edges with other names", ratingsText, edges},
		{"a matrix of edges", matrixText, edges},
		{"nodes", nodesText, func(path string) (any, error) { return plain(table.ReadNodes(path, table.NodesOptions{})) }},
		{"similarities", squareText, similarity},
		{"a matrix", squareText, func(path string) (any, error) {
			return plain(table.ReadMatrix(path, table.MatrixOptions{Square: true}))
		}},
		{"comparisons", boardText, func(path string) (any, error) {
			return plain(table.ReadComparisons(path, table.ComparisonsOptions{}))
		}},
		{"scores", scoresText, func(path string) (any, error) {
			return scores(table.ReadScoreTable([]string{path}, table.ScoreTableOptions{}))
		}},
		{"a wide table of scores", wideText, func(path string) (any, error) {
			return scores(table.ReadScoreTable([]string{path}, table.ScoreTableOptions{Wide: "systems"}))
		}},
		{"row numbers", "row\n2\n1\n", func(path string) (any, error) {
			if strings.HasSuffix(path, "csv") {
				return []int{1, 0}, nil // a list of text has no header
			}
			return plain(table.ReadIndices(path, 2))
		}},
	} {
		var want any
		for k, file := range sheetOf(c.text).write(t) {
			got, err := c.read(file)
			if err != nil {
				t.Errorf("%s: %v", c.shape, err)
				continue
			}
			if k == 0 {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%s from %s:\n%v, want\n%v", c.shape, filepath.Base(file), got, want)
			}
		}
	}
}

// The order of the members does not matter where columns have names.
func TestEdgesByName(t *testing.T) {
	want, err := table.ReadEdges(sheetOf(edgesText).write(t)[0], table.EdgesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text := "value,note,col_id,row_id\n1,p,a,x\n0.5,q,b,x\n2,r,a,y\n-1,s,b,z\n"
	for _, file := range sheetOf(text).write(t)[2:] {
		e, err := table.ReadEdges(file, table.EdgesOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e.RowID, want.RowID) || !reflect.DeepEqual(e.Y, want.Y) || !reflect.DeepEqual(e.Col, want.Col) {
			t.Errorf("%s: %v, want %v", filepath.Base(file), e, want)
		}
	}
}

// A fault is told with its place: line and column of text, row and column of Parquet.
func TestFaultsOfShapesHaveAPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [4]string // of JSON lines, a list, one that is indented, Parquet
	}{
		{"a value", strings.Replace(edgesText, "2\n", "two\n", 1), [4]string{
			`t.jsonl:3:41: not a finite number: "two"`, `t.json:1:136: not`, `pretty.json:15:14: not a finite number: "two"`,
			`t.parquet: row 3, column "value": not a finite number: "two"`}},
		{"an id", strings.Replace(edgesText, "y,", ",", 1), [4]string{
			`t.jsonl:3:12: the id is empty`, `t.json:1:103: the`, `pretty.json:13:15: the id is empty`,
			`t.parquet: row 3, column "row_id": the id is empty`}},
	} {
		files := sheetOf(c.text).write(t)[2:]
		for k, file := range files {
			_, err := table.ReadEdges(file, table.EdgesOptions{})
			if err == nil || !strings.Contains(err.Error(), c.want[k]) {
				t.Errorf("%s: error %v, want %s", c.name, err, c.want[k])
			}
		}
	}
	file := sheetOf("id,f1\nx,1\ny,2\nx,3\n").write(t)[5]
	if _, err := table.ReadNodes(file, table.NodesOptions{}); err == nil ||
		!strings.Contains(err.Error(), `t.parquet: an id appears more than once: "x" in rows 1, 3`) {
		t.Error(err)
	}
	for _, file := range sheetOf("row_id,col_id,a,b\nx,y,1,2\n").write(t)[2:] {
		_, err := table.ReadEdges(file, table.EdgesOptions{})
		if err == nil || !strings.Contains(err.Error(), "no column of values beside the ends of the edges") {
			t.Errorf("%s: %v", file, err)
		}
	}
}
