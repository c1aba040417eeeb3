package table

import (
	"slices"
	"strings"
	"testing"
)

// Rows within an object are those of a list of the same objects, in every shape.
func TestDocumentsAreLists(t *testing.T) {
	list := `[{"row_id": "x", "col_id": "y", "value": 1}, {"row_id": "x", "col_id": "z", "value": 2}]`
	want, err := readEdgesFrom(strings.NewReader(list), "t", EdgesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"rows": ` + list + `}`,
		"{\"version\": 1,\n\"a\": {\"b\": [1, \"]\"]},\n \"edges\":\n" + list + "\n, \"c\": []}\n\n",
		"{\"rows\": [\n" + strings.Replace(list[1:], "}, {", "},\n{", 1) + "}"} {
		got, err := readEdgesFrom(strings.NewReader(text), "t", EdgesOptions{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !slices.Equal(got.ColID, want.ColID) || !slices.Equal(got.Y, want.Y) || !slices.Equal(got.Row, want.Row) {
			t.Errorf("%s: %s, want %s", text, describeEdges(got), describeEdges(want))
		}
	}
	set, err := ReadJSONLines(strings.NewReader(`{"rows": [{"label": 1, "a": 2}, {"label": 0, "a": 3}]}`), "t", Options{})
	if err != nil || len(set.Y) != 2 {
		t.Errorf("rows: %v", err)
	}
}

func TestDocuments(t *testing.T) {
	const rows = `[{"model": "a", "task": "x", "score": 1}, {"model": "b", "task": "x", "score": 2}]`
	for _, c := range []struct {
		name, text, rows string
		want, err        string
	}{
		{name: "a path", text: `{"p": {"q.r": ` + rows + `}, "s": ` + rows + `}`, rows: "p.q.r", want: "a b: x [1 2];"},
		{name: "an element", text: `{"p": [{"q": 1}, ` + rows + `]}`, rows: "p.1", want: "a b: x [1 2];"},
		{name: "two lists", text: "{\n\"p\": " + rows + `, "s": {"t": ` + rows + `}}`,
			err: `t:1:1: an object whose rows may be the lists of objects "p", "s.t"`},
		{name: "another path", text: `{"p": ` + rows + `}`, rows: "q",
			err: `t:1:1: no list of objects at "q": the lists of objects "p"`},
		{name: "no list", text: `{"p": 1}`, rows: "p", err: `t:1:1: no list of objects at "p": there is no list of objects`},
		{name: "a list", text: rows, rows: "p", err: `t: no object of JSON that has rows at "p"`},
		{name: "text", text: "model,task,score\na,x,1\n", rows: "p", err: `t: no object of JSON that has rows at "p"`},
		{name: "text behind", text: `{"rows": ` + rows + "}\n{\"rows\": []}\n", rows: "rows",
			err: `t:2:1: text after the object that has the rows`},
		{name: "a broken document", text: "{\n\"rows\": " + rows + "\n,\n}\n",
			err: `t:4:1: invalid character '}' looking for beginning of object key string`},
		{name: "an endless document", text: "{\n\"rows\": " + rows + "\n", err: `t:2:91: the object does not end on this ` +
			`line: there is one object a line`},
		{name: "a place", text: "{\n\"rows\": [{\"model\": \"a\",\n\"task\": \"x\", \"score\": 1}, {\"model\": \"b\",\n" +
			"\"task\": \"x\", \"score\": \"good\"}]}", err: `t:4:23: the score is not a finite number: "good"`},
		{name: "a place in a line", text: `{"rows": [{"model": "a", "task": "x", "score": 1}, {"model": "b", "task": "x", ` +
			`"score": "good"}]}`, err: `t:1:89: the score is not a finite number: "good"`},
		{name: "objects a line", text: `{"model": "a", "task": "x", "score": 1, "results": [{"b": 1}]}` + "\n\n" +
			`{"model": "b", "task": "x", "score": 2, "results": [{"b": 1}]}` + "\n", want: "a b: x [1 2];"},
		{name: "a broken line", text: `{"model": "a", "task": "x", "score": 1` + "\n" +
			`{"model": "b", "task": "x", "score": 2}` + "\n", err: `t:1:38: the object does not end on this line: there is ` +
			`one object a line`},
		{name: "nested", text: `{"who": {"model": "a"}, "task": "x", "r": {"acc": [0.5, 1]}}` + "\n" +
			`{"who": {"model": "b"}, "task": "x", "r": {"acc": [0.25]}}` + "\n", want: "a b: x [1 NaN]; 1 empty"},
	} {
		o := ScoreTableOptions{Rows: c.rows}
		if c.name == "nested" {
			o.System, o.Score = "who.model", "r.acc.1"
		}
		got, err := ReadScoreTableFrom(strings.NewReader(c.text), "t", o)
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: error %v, want\n%s", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case describeScores(got) != c.want:
			t.Errorf("%s: %s, want %s", c.name, describeScores(got), c.want)
		}
	}
}
