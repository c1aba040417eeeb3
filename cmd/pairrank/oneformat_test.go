package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pairrank/internal/npy"
)

// cohort is a table of people: texts as labels, names, groups, folds, a missing value here and there, and queries.
type cohort struct {
	names []string
	x     [][]float64
	label []string
	part  map[string][]string // id, qid, group and fold
}

func newCohort(seed uint64) *cohort {
	r := rand.New(rand.NewPCG(seed, 25))
	c := &cohort{names: []string{"age", "dose, mg", "y2"}, part: map[string][]string{}}
	for i := range 24 {
		row := make([]float64, len(c.names))
		for j := range row {
			row[j] = r.NormFloat64()
		}
		c.x = append(c.x, row)
		c.label = append(c.label, []string{"tumor", "normal"}[r.IntN(2)])
		c.part["id"] = append(c.part["id"], fmt.Sprintf("p%02d", i))
		c.part["qid"] = append(c.part["qid"], fmt.Sprint(i/4))
		c.part["group"] = append(c.part["group"], fmt.Sprint(i/2))
		c.part["fold"] = append(c.part["fold"], fmt.Sprint(i/8))
	}
	return c
}

// parts are the columns that are neither label nor feature, in their order.
var parts = []string{"qid", "id", "group", "fold"}

// missing reports whether a value is missing.
func (c *cohort) missing(i, j int) bool { return j == 1 && i%7 == 3 }

// write writes the table as CSV, TSV, JSON lines of three forms, and npz.
func (c *cohort) write(t *testing.T) {
	t.Helper()
	for _, sep := range []string{",", "\t"} {
		var b strings.Builder
		line := func(fields []string) {
			for k, f := range fields {
				if strings.ContainsAny(f, sep) {
					fields[k] = `"` + f + `"`
				}
			}
			b.WriteString(strings.Join(fields, sep) + "\n")
		}
		line(append(append([]string{"y"}, parts...), c.names...))
		for i, row := range c.x {
			fields := []string{c.label[i]}
			for _, p := range parts {
				fields = append(fields, c.part[p][i])
			}
			for j, v := range row {
				if c.missing(i, j) {
					fields = append(fields, "NA")
				} else {
					fields = append(fields, fmt.Sprint(v))
				}
			}
			line(fields)
		}
		put(t, map[string]string{",": "a.csv", "\t": "a.tsv"}[sep], b.String())
	}
	c.writeJSON(t)
	array := func(texts []string) *npy.Array { return &npy.Array{Shape: []int{len(texts)}, Strings: texts} }
	arrays := map[string]*npy.Array{"y": array(c.label), "names": array(c.names),
		"X": {Shape: []int{len(c.x), len(c.names)}}}
	for i, row := range c.x {
		for j, v := range row {
			if c.missing(i, j) {
				v = math.NaN()
			}
			arrays["X"].Data = append(arrays["X"].Data, v)
		}
	}
	for _, p := range parts {
		arrays[p] = array(c.part[p])
	}
	var b bytes.Buffer
	if err := npy.WriteArchive(&b, arrays); err != nil {
		t.Fatal(err)
	}
	put(t, "a.npz", b.String())
}

// writeJSON writes objects with features by name, some absent and some null, and flat ones.
func (c *cohort) writeJSON(t *testing.T) {
	t.Helper()
	var nested, flat strings.Builder
	for i, row := range c.x {
		text := func(v any) string {
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		head := `{"y":` + text(c.label[i])
		for _, p := range parts {
			head += "," + text(p) + ":" + text(c.part[p][i])
		}
		var fields []string
		for j, v := range row {
			switch {
			case !c.missing(i, j):
				fields = append(fields, text(c.names[j])+":"+text(v))
			case i%2 == 0:
				fields = append(fields, text(c.names[j])+":null")
			}
		}
		all := strings.Join(fields, ",")
		nested.WriteString(head + `,"features":{` + all + "}}\n")
		flat.WriteString(head + "," + all + "}\n")
	}
	put(t, "nested.jsonl", nested.String())
	put(t, "flat.ndjson", flat.String())
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// One table in every format gives the same model, byte by byte, with the same schema, and the same scores held out
// by the folds of the table; each model scores each file the same.
func TestOneTableInEveryFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	newCohort(1).write(t)
	files := []string{"a.csv", "a.tsv", "nested.jsonl", "flat.ndjson", "a.npz"}
	var model, held, scores []byte
	for _, file := range files {
		roles := []string{"--positive", "tumor", "--missing", "mean", "--group-column", "group", "--fold-column", "fold"}
		mustRun(t, append([]string{"train", file, "-o", "m.txt", "--select", "kfold:3"}, roles...)...)
		mustRun(t, append([]string{"cv", file, "--method", "kfold:3", "--lambda", "1", "--held-out", "held"}, roles...)...)
		mustRun(t, "predict", "m.txt", file, "-o", "scores.jsonl", "--missing", "mean")
		if model == nil {
			model, held, scores = contentOf(t, "m.txt"), contentOf(t, "held"), contentOf(t, "scores.jsonl")
			continue
		}
		if got := contentOf(t, "m.txt"); !bytes.Equal(got, model) {
			t.Errorf("%s gives the model\n%s, and %s gives\n%s", file, got, files[0], model)
		}
		if got := contentOf(t, "held"); !bytes.Equal(got, held) {
			t.Errorf("%s gives the held-out scores\n%s, and %s gives\n%s", file, got, files[0], held)
		}
		if got := contentOf(t, "scores.jsonl"); !bytes.Equal(got, scores) {
			t.Errorf("%s has the scores\n%s, and %s has\n%s", file, got, files[0], scores)
		}
	}
	if !strings.HasPrefix(string(scores), `{"id":"p00","qid":"0","score":`) {
		t.Errorf("scores %s", scores)
	}
}
