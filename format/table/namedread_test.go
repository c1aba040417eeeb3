package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// TestReadNamedScores: what WriteNamedScores writes reads back, whatever other columns there are.
func TestReadNamedScores(t *testing.T) {
	set := &data.Set{X: data.NewDense(2, 0, nil), IDs: []string{"a,b", "c"}, Y: make([]float64, 2),
		Queries: data.OneList(2)}
	for _, name := range []string{"s.csv", "s.tsv"} {
		var text bytes.Buffer
		sep := byte(',')
		if name == "s.tsv" {
			sep = '\t'
		}
		if err := WriteNamedScores(&text, sep, set, []float64{0.1, -3}, 1); err != nil {
			t.Fatal(err)
		}
		names, scores, err := ReadNamedScores(&text, name, 0)
		if err != nil || !slices.Equal(names, set.IDs) || !slices.Equal(scores, []float64{0.1, -3}) {
			t.Errorf("%s: %q, %v, %v", name, names, scores, err)
		}
	}
	for text, want := range map[string]string{
		"":                         "s.csv: no scores: the file is empty",
		"rank,id,score\n":          "s.csv: no scores: the file has only a header",
		"name,score\nx,1\n":        "s.csv:1:1: the header has no columns id and score",
		"id,score\nx,1\nx,2\n":     `s.csv:3:1: the name stands twice: "x"`,
		"id,score\n,1\n":           "s.csv:2:1: the name is missing",
		"id,score\nx,y\n":          `s.csv:2:3: not a finite number: "y"`,
		"id,score\nx,1,2\n":        "s.csv:2:5: 3 fields, but the first line has 2",
		"rank,id,score\n1,x,NaN\n": `s.csv:2:5: the value is missing: "NaN"`,
	} {
		_, _, err := ReadNamedScores(strings.NewReader(text), "s.csv", 0)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
