package table

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
)

// A field in quotes may hold line ends, in every shape.
func TestFieldsHoldLineEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll("label,id,\"the\nnote\",f1\n1,\"a\nb\",0,2\n0,\"c \"\"d\"\"\n\n# e\",1,3\n"+
			"1,f,2,x\n", "\n", end)
		_, err := ReadSetFrom(strings.NewReader(text), "t.csv", Options{})
		if want := `t.csv:8:7: not a finite number, in column "f1": "x"`; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		set, err := ReadSetFrom(strings.NewReader(strings.Replace(text, "x", "4", 1)), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"a\nb", "c \"d\"\n\n# e", "f"}; !reflect.DeepEqual(set.IDs, want) {
			t.Errorf("names %q, want %q", set.IDs, want)
		}
		if want := []string{"the\nnote", "f1"}; !reflect.DeepEqual(set.Names, want) {
			t.Errorf("features %q, want %q", set.Names, want)
		}
	}
	edges, err := readEdgesFrom(strings.NewReader("row_id,col_id,value\n\"x\ny\",a,1\nz,\"a\n\",2\nz,b,3\n"), "e.csv",
		EdgesOptions{})
	if err != nil || !reflect.DeepEqual(edges.RowID, []string{"x\ny", "z"}) ||
		!reflect.DeepEqual(edges.ColID, []string{"a", "a\n", "b"}) || !reflect.DeepEqual(edges.Line, []int{2, 4, 6}) {
		t.Errorf("edges %v, %v", edges, err)
	}
	c, err := ReadComparisonsFrom(strings.NewReader("model_a,model_b,winner,text\na,b,model_a,\"one\ntwo\"\nb,a,tie,\n"),
		"c.csv", ComparisonsOptions{})
	if err != nil || len(c.Of) != 2 {
		t.Errorf("comparisons %v, %v", c, err)
	}
}

// Text of several blocks is read alike whether lines of it are parsed ahead or not.
func TestLineEndsAcrossBlocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("label,note,f1\n")
	var want []string
	for i := range 40000 {
		note := fmt.Sprint("n", i)
		if i%7 == 0 {
			note += strings.Repeat("\nline, with commas,\n\"\"quotes\"\"", i%3+1)
		}
		want = append(want, strings.ReplaceAll(note, `""`, `"`))
		fmt.Fprintf(&b, "%d,\"%s\",%d\n", i%2, note, i)
	}
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := ReadSet(file, Options{ID: "note"})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(set.IDs, want) {
		t.Error("other names")
	}
}

// Quotes that do not end are a fault of their line, and the next lines are rows.
func TestQuotesThatDoNotEnd(t *testing.T) {
	text := "label,id,f1\n1,z,1\n1,\"a,2\n0,b,3\n1,\"c\",4\n0,\"d,5\n1,e,6\n"
	found, err := checkFrom(text, "t.csv", Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, of := range found.Faults {
		for _, err := range of.Errors {
			got = append(got, err.Error())
		}
	}
	want := []string{`t.csv:3:3: the quotes do not end on their line: "\"a,2"`,
		`t.csv:6:3: the quotes do not end on their line: "\"d,5"`}
	if !reflect.DeepEqual(got, want) || len(found.Set.Y) != 4 || found.Lines != 7 {
		t.Errorf("%d rows of %d lines, faults %q, want %q", len(found.Set.Y), found.Lines, got, want)
	}
}

// A list of objects has one place for each fault, however it is laid out, and a check ends.
func TestListsOfObjects(t *testing.T) {
	for text, want := range map[string]string{
		"[{\"y\":1,\"a\":1}\n,{\"y\":0,\"a\":\"x\"}]": `t:2:1: "a": not a finite number, in column "a": "x"`,
		"[\n {\"y\":1,\n  \"y\":2}]":                  `t:3:3: the member stands twice: "\"y\""`,
		"[{\"y\":1,\"a\":1},\n {\"y\":,\"a\":2}]":     `t:2:7: invalid character ',' looking for beginning of value`,
		"[{\"y\":1,\"a\":1}":                          `t:1:1: the list of objects does not end`,
		"[{\"y\":1,\"a\":1},{\"y\":2,\n\"a\"":         `t:2:1: the list of objects does not end`,
		"[{\"y\":1,\"a\":1}] [":                       `t:1:17: there is text after the end of the list: "["`,
		"[{\"y\":1,\"a\":1} {\"y\":2}]":               `t:1:16: a comma is missing between objects of the list: "{\"y\":2}]"`,
		"[{\"y\":1,\"a\":1},]":                        `t:1:16: an object of the list is missing: "]"`,
		"[{\"y\":1,\"a\":1},3]":                       `t:1:16: not an object: the list is one of objects: "3"`,
	} {
		_, err := ReadJSONLines(strings.NewReader(text), "t", Options{})
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
		found, err := Check(Options{}, 0, func(o Options) (*data.Set, error) {
			return ReadJSONLines(strings.NewReader(text), "t", o)
		})
		if err == nil && found.Errors() == 0 {
			t.Errorf("%s: a check finds nothing", text)
		}
	}
}
