package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/gaps"
	"pairrank/kernel"
	"pairrank/model"
)

// roundoff bounds differences of scores, relative to the largest.
const roundoff = 1e-13

// odd are names that need quotation marks somewhere.
var odd = []string{`bm25 "title"`, "it's", "</script><b>", "größe", "a,b\\", "--x"}

// models are linear, splines and stumps, with every normaliser, with and without names.
func models(r *rand.Rand) map[string]*model.Model {
	all := map[string]*model.Model{}
	const n = 6
	for _, kind := range []string{"none", "zscore", "minmax"} {
		x := data.NewDense(20, n, nil)
		for k := range x.Data {
			x.Data[k] = 3 + r.NormFloat64()
		}
		norm, err := data.FitNormalizer(kind, &data.Set{X: x, Y: make([]float64, 20)})
		if err != nil {
			panic(err)
		}
		w := data.NewDense(1, n, nil)
		s := &model.Stumps{Features: n}
		for k := range 40 {
			w.Data[k%n] = r.NormFloat64()
			s.Terms = append(s.Terms, model.Stump{Feature: r.IntN(n), Threshold: r.NormFloat64(),
				Weight: r.NormFloat64()})
		}
		info := model.Info{Learner: "rankrls", Lambda: 0.5, Objective: "a <!-- line \u2028 of \x00 text </script>"}
		all["linear_"+kind] = &model.Model{Info: info, Normalizer: norm, Names: odd, Scorer: &model.Linear{Weights: w}}
		bent := kernel.NewSplineMap(kernel.Spline{Knots: 3, Bends: 2, In: "1=0,2=7"}, nil, x, nil)
		hinges := data.NewDense(1, bent.Features(), nil)
		for k := range hinges.Data {
			hinges.Data[k] = r.NormFloat64()
		}
		curves := &model.Spline{Map: bent, Weights: hinges}
		all["spline_"+kind] = &model.Model{Info: info, Normalizer: norm, Names: odd, Scorer: curves}
		all["stumps_"+kind] = &model.Model{Info: info, Normalizer: norm, Names: odd, Scorer: s}
		for name, scorer := range map[string]model.Scorer{"gaps_": &model.Linear{Weights: w}, "gaps_stumps_": s,
			"gaps_spline_": curves} {
			m := &model.Model{Info: info, Normalizer: norm, Names: odd, Scorer: scorer}
			by := []data.Missing{data.MissingMean, data.MissingZero, data.MissingError, data.MissingMin}
			err := m.Info.SetSubstitutes(&data.Substitutes{By: append(by, by[:2]...), Mean: []float64{2.5, 0, 0, 0, -1, 0},
				Least: []float64{0, 0, 0, -7, 0, 0}})
			if err != nil {
				panic(err)
			}
			all[name+kind] = m
			own := &model.Model{Info: info, Normalizer: norm, Names: odd, Scorer: scorer}
			err = own.Info.SetSubstitutes(&data.Substitutes{By: []data.Missing{data.MissingOwn, data.MissingZero,
				data.MissingError, data.MissingOwn, 0, 0}, Mean: []float64{2.5, 0, 0, -1}, Own: []int{0, 3}})
			if err != nil {
				panic(err)
			}
			all["levels_"+name+kind] = own
		}
		all["bare_"+kind] = &model.Model{Info: info, Normalizer: norm, Scorer: &model.Linear{Weights: w}}
	}
	return all
}

// gap stands for a missing value in rows that are written as JSON.
const gap = 1e300

// rows are some rows, and their scores by the model. Values are missing of features for which the training took one.
func rows(t *testing.T, m *model.Model) (x [][]float64, want []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		levels := m.Info.Substitutes().Levels()
		filled := make([]float64, m.Features())
		row := make([]float64, len(filled)-len(levels))
		for j := range row {
			row[j] = 3 + 2*r.NormFloat64()
			if filled[j] = row[j]; r.IntN(3) > 0 {
				continue
			}
			if v, is := gaps.Value(m.Info.Substitutes(), j); is {
				row[j], filled[j] = gap, v
				if k := slices.Index(levels, j); k >= 0 {
					filled[len(row)+k] = 1
				}
			}
		}
		x, want = append(x, row), append(want, m.ScoreRow(filled))
	}
	return x, want
}

func checkScores(t *testing.T, name string, got, want []float64) {
	t.Helper()
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d scores, want %d", name, len(got), len(want))
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= roundoff*scale) {
			t.Errorf("%s: row %d has %v, want %v", name, i, got[i], v)
		}
	}
}

// The Go source is formatted, type-checks without imports, and compiled it scores as the model.
func TestGo(t *testing.T) {
	all := models(rand.New(rand.NewPCG(1, 2)))
	folder := t.TempDir()
	var imports, calls strings.Builder
	for name, m := range all {
		var b bytes.Buffer
		if _, err := WriteGo(&b, m, name); err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(b.Bytes()); err != nil || !bytes.Equal(formatted, b.Bytes()) {
			t.Errorf("%s: gofmt changes it: %v", name, err)
		}
		checkTypes(t, name, b.Bytes())
		if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "model.go"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "\t\"scores/%s\"\n", name)
		fmt.Fprintf(&calls, "\t%q: %s.Score,\n", name, name)
	}
	if testing.Short() {
		t.Skip("a program is compiled and run")
	}
	program := "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n" + imports.String() +
		")\n\nvar all = map[string]func([]float64) float64{\n" + calls.String() + `}

func main() {
	var rows map[string][][]float64
	if err := json.NewDecoder(os.Stdin).Decode(&rows); err != nil {
		panic(err)
	}
	out := map[string][]float64{}
	for name, list := range rows {
		for _, row := range list {
			for j, v := range row {
				if zero := 0.0; v == 1e300 {
					row[j] = zero / zero
				}
			}
			out[name] = append(out[name], all[name](row))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
`
	for name, text := range map[string]string{"go.mod": "module scores\n\ngo 1.21\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checkAll(t, all, folder, "go", "run", ".")
}

// checkTypes fails for source that does not compile.
func checkTypes(t *testing.T, name string, source []byte) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Imports) > 0 {
		t.Errorf("%s imports", name)
	}
	if _, err := (&types.Config{}).Check(name, set, []*ast.File{file}, nil); err != nil {
		t.Error(err)
	}
}

// checkAll gives the rows of all models to a program, and takes their scores.
func checkAll(t *testing.T, all map[string]*model.Model, folder string, program string, args ...string) {
	t.Helper()
	in, want := map[string][][]float64{}, map[string][]float64{}
	for name, m := range all {
		in[name], want[name] = rows(t, m)
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, bytes.NewReader(text), os.Stderr
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string][]float64
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for name := range all {
		checkScores(t, name, got[name], want[name])
	}
}

func TestGoRefusesNames(t *testing.T) {
	m := models(rand.New(rand.NewPCG(1, 2)))["linear_none"]
	for _, name := range []string{"a b", "func", "_", "9", "a-b"} {
		var refused *fault.RefusedError
		if _, err := WriteGo(&bytes.Buffer{}, m, name); !errors.As(err, &refused) {
			t.Errorf("a package called %q: %v", name, err)
		}
	}
}

// The module scores as the model, by arrays, typed arrays and names; its contributions add up; and
// it refuses anything but a row.
func TestJavaScript(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	all := models(rand.New(rand.NewPCG(1, 2)))
	folder := t.TempDir()
	var imports, calls strings.Builder
	for name, m := range all {
		var b bytes.Buffer
		if _, err := WriteJavaScript(&b, m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".mjs"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "import * as %s from \"./%s.mjs\";\n", name, name)
		fmt.Fprintf(&calls, "%s, ", name)
	}
	program := imports.String() + `import { readFileSync } from "node:fs";
const all = { ` + calls.String() + ` };
const rows = JSON.parse(readFileSync(0, "utf8"));
const out = {};
const refuses = (f, kind) => {
  try { f(); } catch (e) { if (e instanceof kind) return; throw e; }
  throw new Error("no error of " + f);
};
for (const [name, list] of Object.entries(rows)) {
  const m = all[name];
  list.forEach((row) => row.forEach((v, j) => { if (v === 1e300) row[j] = NaN; }));
  out[name] = list.map((row) => {
    const s = m.score(row);
    if (m.score(Float64Array.from(row)) !== s) throw new Error("a typed array has another score");
    for (const name of m.names === null ? [(j) => String(j + 1), (j) => "f" + (j + 1)] : [(j) => m.names[j]]) {
      if (m.score(Object.fromEntries(row.map((v, j) => [name(j), v]))) !== s) throw new Error("by name it is another");
    }
    const sum = m.contributions(row).reduce((a, b) => a + b, 0);
    if (Math.abs(sum - s) > 1e-12 * (1 + Math.abs(s))) throw new Error("the parts add up to " + sum + ", not " + s);
    return s;
  });
  refuses(() => m.score(list[0].slice(1)), RangeError);
  const lacking = (v) => list[0].map((x, j) => (j === 2 ? v : x));
  refuses(() => m.score(lacking(NaN)), RangeError);
  refuses(() => m.score(lacking(null)), RangeError);
  refuses(() => m.score(lacking(undefined)), RangeError);
  if (name.startsWith("gaps")) {
    const absent = (v) => Object.fromEntries(m.names.map((n, j) => [n, j === 0 ? v : list[0][j]]));
    if (m.score(absent(null)) !== m.score(absent(undefined))) throw new Error("null and undefined differ");
  }
  refuses(() => m.score([...list[0].slice(1), "1"]), RangeError);
  refuses(() => m.score(null), TypeError);
  refuses(() => m.score({ other: 1 }), RangeError);
  if (m.names === null) refuses(() => m.score({ 1: 1, f1: 1 }), TypeError);
}
console.log(JSON.stringify(out));
`
	if err := os.WriteFile(filepath.Join(folder, "run.mjs"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	checkAll(t, all, folder, "node", "run.mjs")
}

// No text of a model ends a script of the page, and the page asks for nothing.
func TestHTML(t *testing.T) {
	for name, m := range models(rand.New(rand.NewPCG(1, 2))) {
		var b bytes.Buffer
		if _, err := WriteHTML(&b, m, `<i>"&`); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if n := strings.Count(text, "</script"); n != 1 {
			t.Errorf("%s: %d ends of scripts", name, n)
		}
		if strings.Contains(text, "<!--") || strings.Contains(text, "{{") || strings.Contains(text, "<i>") ||
			strings.ContainsRune(text, 0) || strings.ContainsRune(text, '\u2028') {
			t.Errorf("%s: a text of the model stands in the page as it is", name)
		}
		if strings.Contains(text, "http:") || strings.Contains(text, "https:") || strings.Contains(text, "src=") ||
			strings.Contains(text, "import ") {
			t.Errorf("%s: the page asks for another file", name)
		}
		if !strings.Contains(text, "<title>&lt;i&gt;&#34;&amp;</title>") {
			t.Errorf("%s: the title is not there", name)
		}
	}
}
