package table

import (
	"strings"
	"testing"

	"pairrank/data"
)

func TestWriteNamedScores(t *testing.T) {
	x := data.NewDense(3, 1, nil)
	queries := data.NewQueries([]int32{0, 0, 1}, []string{"q1", "q 2"})
	for _, c := range []struct {
		name   string
		set    *data.Set
		scores []float64
		v      int
		want   string
	}{
		{"a list", &data.Set{X: x, IDs: []string{"a", "#b", "c d"}}, []float64{1, 0.1, -2e-9}, 1,
			"id\tscore\na\t1\n\"#b\"\t0.1\nc d\t-2e-09\n"},
		{"queries and outputs", &data.Set{X: x, IDs: []string{"a", "b", "a"}, Queries: queries, HasQID: true},
			[]float64{1, 2, 3, 4, 5, 6}, 2,
			"id\tquery\tscore_1\tscore_2\na\tq1\t1\t2\nb\tq1\t3\t4\na\tq 2\t5\t6\n"},
		{"comments", &data.Set{X: x, Comments: []string{" docid = A", "docid = B inc = 1", "docid=C"}},
			[]float64{1, 2, 3}, 1, "id\tscore\nA\t1\nB\t2\nC\t3\n"},
		{"no names", &data.Set{X: x, Comments: []string{" docid = A", "", ""}}, []float64{1, 2, 3}, 1,
			"error: row 2 has no name"},
		{"a line end", &data.Set{X: x, IDs: []string{"a", "b", "c\nd"}}, []float64{1, 2, 3}, 1,
			`error: row 3: text with a line end cannot be written: "c\nd"`},
	} {
		var b strings.Builder
		got := ""
		if err := WriteNamedScores(&b, '\t', c.set, c.scores, c.v); err != nil {
			got = "error: " + err.Error()
		} else {
			got = b.String()
		}
		if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// Names of rows are read as they were written, in every form that has them.
func TestWriteReadIDs(t *testing.T) {
	ids := []string{"a b", `"q`, "#3"}
	set := &data.Set{X: data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), Y: []float64{0, 1, 2},
		Queries: data.OneList(3), IDs: ids, Names: []string{"u", "v"}}
	for name, format := range map[string]Format{"s.csv": CSV, "s.tsv": TSV, "s.npz": NPZ} {
		var b strings.Builder
		if err := WriteSet(&b, format, set); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSet(file(t, name, b.String()), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Join(got.IDs, "|") != strings.Join(ids, "|") || strings.Join(got.Names, "|") != "u|v" {
			t.Errorf("%s: names of rows %q, of features %q", name, got.IDs, got.Names)
		}
	}
}
