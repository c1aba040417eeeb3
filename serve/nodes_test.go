package serve

import (
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// Nodes of a file replace those of the training with the same id, dense or sparse, few or all.
func TestNodesOfFiles(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		for file, want := range map[string][]string{
			"id\tu\tv\nr1\t1\t0\nr2\t0\t1\nr3\t1\t1\n": {"r1", "r2", "r3"},
			"id\tu\tv\nr3\t1\t1\n":                     {"r3", "r1", "r2"},
			"id\tu\nr1\t1\n":                           nil, // v is missing
		} {
			dir := t.TempDir()
			m := pairs()
			plain := saved(t, dir, "plain", m)
			if sparse {
				m.Rows.Support = &data.CSR{Rows: 3, Cols: 2, Ptr: []int{0, 1, 2, 4}, Col: []int32{0, 1, 0, 1},
					Val: []float64{1, 1, 1, 1}}
			}
			src := saved(t, dir, "m", m)
			src.Rows = write(t, dir+"/rows.tsv", file)
			s, err := New(Options{Models: []Source{plain, src}})
			if want == nil {
				if err == nil || !strings.Contains(err.Error(), "missing") {
					t.Errorf("error %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := s.models["m"].current.Load().nodes.rows.ids; !slices.Equal(got, want) {
				t.Errorf("row nodes %v, want %v", got, want)
			}
			var a, b scored
			body := `{"pairs":[["r1","c1"],["r2","c2"],["r3","c1"]]}`
			send(s, "POST", "/v1/models/plain/score", body).into(t, 200, &a)
			send(s, "POST", "/v1/models/m/score", body).into(t, 200, &b)
			if !near(a.Scores, b.Scores) {
				t.Errorf("sparse %v: scores %v, want %v", sparse, b.Scores, a.Scores)
			}
		}
	}
}
