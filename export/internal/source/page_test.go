package source

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/model"
)

// pageCases check how the page reads pasted text, with its functions: m has the features a, b and
// "c,d", with the weights 1, 10 and 100; bare is the same without names.
const pageCases = `
import assert from "node:assert/strict";
const rows = (text) => read(text).map(({ name, x }) => [name, x]);
const fails = (text, part) =>
  assert.throws(() => read(text), (e) => e.message.includes(part) || assert.fail(e.message));

assert.deepEqual(rows("1,2,3\n\n4,5,6e-1\r\n"), [["line 1", [1, 2, 3]], ["line 3", [4, 5, 0.6]]]);
assert.deepEqual(rows("1\t2\t3"), [["line 1", [1, 2, 3]]]);
assert.deepEqual(rows("1;2;3"), [["line 1", [1, 2, 3]]]);
assert.deepEqual(rows("  1  2 3 "), [["line 1", [1, 2, 3]]]);
assert.deepEqual(rows("doc,1,2,3\n7,4,5,6"), [["doc", [1, 2, 3]], ["7", [4, 5, 6]]]);
assert.deepEqual(rows('"a ""b"", c",1,2,3'), [['a "b", c', [1, 2, 3]]]);
if (names !== null) assert.deepEqual(rows('a,"p;q",b,"c,d"\n1,x,2,3'), [["x", [1, 2, 3]]]);
fails("", "there is no row");
const queries = (text) => read(text).map(({ name, x, query }) => [name, x, query]);
assert.deepEqual(queries("# LETOR\n\n2 qid:7 1:0.5 3:-1e-3 #docid = GX012-34 inc = 1 prob = 0.2\r\n0 qid:8 2:4\n"),
  [["GX012-34", [0.5, 0, -0.001], "7"], ["line 4", [0, 4, 0], "8"]]);
assert.deepEqual(queries("1 1:1 2:2 3:3"), [["line 1", [1, 2, 3], null]]);
assert.deepEqual(queries("qid:a 2:7"), [["line 1", [0, 7, 0], "a"]]);
assert.deepEqual(queries("1.5 qid:a\n-1 qid:a 1:1 # docid=d"), [["line 1", [0, 0, 0], "a"], ["d", [1, 0, 0], "a"]]);
fails("1 1:1\n1 qid:1 1:1", "some rows have a qid");
fails("1 1:1 4:1", "line 1: feature 4, but the model has 3 features");
fails("1 0:1 2:1", "line 1: feature 0, but features count from 1");
fails("1 2:1\n1 2:1 1:1", "line 2: feature 1 follows 2, but indices ascend");
fails("1 2:1\n1 1:1 1:1", "line 2: feature 1 follows 1, but indices ascend");
fails("1 2:1\n1 2:x", "line 2: feature 2 is x, not a number");
fails("1 2:1\n1 2:0x1", "line 2: feature 2 is 0x1, not a number");
fails("1 2:1\n1 2:Infinity", "not a number");
fails("1 2:1\n1 b", 'line 2: "b" is not index:value');
fails("1 2:1\nx 2:1", "line 2: the label is not a number");
fails("1 2:1\n1 1:2 2:NaN", " is missing");
fails("1,2", "line 1 has 2 values, not 3, or 4 with a name first");
fails("1,2,3\n1,,3", "is \"\", not a number");
fails("1,2,3\n1,0x,3", "line 2: ");
fails("1,2,3\n1,Infinity,3", "not a number");
if (names === null) {
  assert.deepEqual(rows("f2,id,f3,f1\n2,doc,3,1"), [["doc", [1, 2, 3]]]);
  assert.deepEqual(queries("label,qid,f1,f2,f3\n1,q1,1,2,3\n0,q2,4,5,6"),
    [["1", [1, 2, 3], "q1"], ["0", [4, 5, 6], "q2"]]);
}
if (names !== null) {
  assert.deepEqual(rows('b,id,"c,d",a,other\n2,doc,3,1,x\n5,"d 2",6,4,y'), [["doc", [1, 2, 3]], ["d 2", [4, 5, 6]]]);
  assert.deepEqual(rows('a,b,"c,d"\n1,2,3'), [["line 2", [1, 2, 3]]]);
  fails('a,b,"c,d"\n', "there is no row below the names");
  fails('a,b,"c,d"\n1,2', "line 2 has 2 values, not 3");
  fails("id,a,b\ndoc,1,2", 'as column names it lacks "c,d"');
}
const ranked = rank(read("p,1,0,0\nq,0,0,1\nr,0,1,0\ns,1,0,0"));
assert.deepEqual(ranked.map((r) => [r.name, r.score]), [["q", 100], ["r", 10], ["p", 1], ["s", 1]]);
assert.deepEqual(ranked[0].why, [[2, 75], [1, -2.5], [0, -0.5]]);
`

// The page reads rows with names and without, whatever stands between the values, ranks them,
// ties in their order, and says which line is no row.
func TestPageReadsRows(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	for _, names := range [][]string{{"a", "b", "c,d"}, nil} {
		m := &model.Model{Info: model.Info{Learner: "x"}, Names: names,
			Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{1, 10, 100})}}
		runPage(t, m, pageCases)
	}
}

// Names that stand twice, or that no line can hold, are not looked for among the columns: of two
// that are alike one column would count for both.
func TestPageWithoutTellableNames(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	for _, names := range [][]string{{"a", "a"}, {"a", "b\nc"}, {"a", " b"}} {
		m := &model.Model{Info: model.Info{Learner: "x"}, Names: names,
			Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{1, 10})}}
		runPage(t, m, `
import assert from "node:assert/strict";
assert.deepEqual(read("1,2")[0].x, [1, 2]);
assert.throws(() => read("a,b\n1,2"), /cannot identify the features/);
assert.throws(() => read(names.join(",") + "\n1,2"), /cannot identify the features|has 1 values/);
if (names[1] === "a") assert.throws(() => score({ a: 1 }), /two features have the same name/);
assert.equal(score([1, 2]), 21);
`)
	}
}

// runPage runs the functions of the page of a model, and below them a script.
func runPage(t *testing.T, m *model.Model, cases string) {
	t.Helper()
	var b bytes.Buffer
	if _, err := WriteHTML(&b, m, ""); err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(b.String(), `<script type="module">`)
	script, _, found := strings.Cut(script, "function cell(") // the rest draws in a browser
	if !found {
		t.Fatal("the page has no function cell")
	}
	path := filepath.Join(t.TempDir(), "page.mjs")
	if err := os.WriteFile(path, []byte(script+cases), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "node", path).CombinedOutput(); err != nil {
		t.Errorf("names %q: %v\n%s", m.Names, err, out)
	}
}

// An empty cell, a mark or null is what stood for a missing value in training, and an error where the training refused
// it; text of index:value counts from where the training did.
func TestPageOfMissingValues(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	m := &model.Model{Info: model.Info{Learner: "x"}, Names: []string{"a", "b", "c"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{1, 10, 100})}}
	m.Info.SetZeroBased(true)
	if err := m.Info.SetSubstitutes(&data.Substitutes{Mean: []float64{0.5, 0, 0},
		By: []data.Missing{data.MissingMean, data.MissingZero, data.MissingError}}); err != nil {
		t.Fatal(err)
	}
	runPage(t, m, `
import assert from "node:assert/strict";
assert.deepEqual(read("a,b,c\n,NA,3\nnan,2,3").map(({ x }) => [...x]), [[0.5, 0, 3], [0.5, 2, 3]]);
assert.throws(() => read("a,b,c\n1,2,"), /"c"? is "", not a number|c is ""/);
assert.deepEqual(read("1 0:nan 2:3")[0].x, [0.5, 0, 3]);
assert.throws(() => read("1 0:1 2:nan"), /c is missing/);
assert.throws(() => read("1 3:1"), /feature 3, but the model has 3 features/);
`)
}
