package serve

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// pageCases check how the page reads pasted text, for models with and without names.
const pageCases = `
import assert from "node:assert/strict";
import { candidates, parse } from "./table.js";
const named = { features: 3, feature_names: ["a", "b", "c"] }, bare = { features: 3, feature_names: null };
const read = (text, model) => candidates(parse(text), model);
const fails = (text, model, part) =>
  assert.throws(() => read(text, model), (e) => e.message.includes(part) || assert.fail(e.message));

const letor = "# comment\n2 qid:7 1:0.5 3:-1e-3 #docid = GX012-34 inc = 1 prob = 0.2\r\n0 qid:8 2:NULL\n";
for (const model of [named, bare]) {
  assert.deepEqual(read(letor, model),
    { ids: ["GX012-34", "line 3"], rows: [[0.5, 0, -0.001], [0, null, 0]], queries: ["7", "8"], left: [] });
  fails("1 qid:1 4:1", model, "line 1: feature 4, but the model has 3 features");
  assert.deepEqual(read("1:2\n3:4", model).rows, [[2, 0, 0], [0, 0, 4]]);
}
const wide = { features: 2000, feature_names: null };
assert.deepEqual(read("1 qid:1 7:0.5 2000:1", wide).rows, [{ 7: 0.5, 2000: 1 }]);
assert.equal(read("1 qid:1 7:0.5 2000:1", { ...wide, precomputed: true }).rows[0].length, 2000);

assert.deepEqual(read("id,b,a,c,time\nx,2,1,3,12:30", named),
  { ids: ["x"], rows: [[1, 2, 3]], queries: [null], left: ["time"] });
assert.deepEqual(read("f2,name,f3,f1\n2,x,3,1", bare), { ids: ["x"], rows: [[1, 2, 3]], queries: [null], left: [] });
assert.deepEqual(read("label,qid,f1,f2,f3\n1,q,4,5,6", bare),
  { ids: ["candidate 1"], rows: [[4, 5, 6]], queries: ["q"], left: ["label"] });
assert.deepEqual(read('[{"1":1,"3":3},{"2":5}]', bare).rows, [[1, null, 3], [null, 5, null]]);
assert.deepEqual(read("x,1,2,3\ny,4,5,6", bare).ids, ["y"]);
assert.deepEqual(read("1,2,3\n4,5,6", bare).rows, [[1, 2, 3], [4, 5, 6]]);
assert.deepEqual(read("12:30,1,2,3\n12:31,4,5,6", bare).rows, [[4, 5, 6]]);
fails("a,b\n1,x", named, "b is x, which is not a number");
`

// The page reads LETOR text, and tables with the names of the features or f1, f2, ….
func TestPageReads(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here")
	}
	dir := t.TempDir()
	for _, f := range files() {
		if filepath.Ext(f.path) == ".js" {
			write(t, filepath.Join(dir, filepath.Base(f.path)), string(f.text))
		}
	}
	write(t, dir+"/package.json", `{"type":"module"}`)
	write(t, dir+"/cases.js", pageCases)
	cmd := exec.CommandContext(t.Context(), "node", "cases.js")
	cmd.Dir, cmd.Env = dir, os.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
