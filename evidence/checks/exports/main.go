// Command exports has the programs of others read every export, and prints how far their scores differ from those of
// the model:
//
//   - ONNX: onnxruntime-web (npm, WebAssembly, in node)
//   - LIBLINEAR: liblinear-predict
//   - Go source: the compiler, in a module of its own
//   - JavaScript: node
//   - SQL: sqlite3
//   - page: Chromium, where rows are pasted and ranked
//   - trees: XGBoost, in Debian's Python
//
// Run it from the root of the repository:
//
//	go -C evidence/checks run ./exports -o .
//
// The program needs npm and node. It uses the other programs if the machine has them (Debian: liblinear-tools, sqlite3,
// chromium, python3-xgboost), and names those that it skips. It installs packages in a temporary folder. For SVMrank it
// reads model files that SVMrank wrote, if the data set svmrank_reference is there. It does not run RankLib,
// Elasticsearch or Solr: tests of package export check these formats against their documentation.
//
// The files:
//
//   - main.go: sections and differences
//   - cases.go: the models
//   - onnx.go, run.mjs, source.go, learners.go: the readers
//   - page.go, page.mjs: the page
//   - trees.go, trees.py: models as steps
package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say, and the folder in which everything happens.
type settings struct{ data, folder string }

var sections = []experiment.Section[settings]{
	{Name: "onnx", Make: onnxTable}, {Name: "source", Make: sourceTable}, {Name: "learners", Make: learnersTable},
	{Name: "trees", Make: treesTable},
	{Name: "page", Make: pageTable},
}

func main() {
	var s settings
	experiment.DataFlag(&s.data, "svmrank_reference and mq2008_letor4")
	out := experiment.OutputFlags("exports", experiment.Names(sections))
	experiment.Main("exports", func(ctx context.Context) (err error) {
		if s.folder, err = os.MkdirTemp("", "exports"); err != nil {
			return err
		}
		defer os.RemoveAll(s.folder)
		return experiment.Report(ctx, out, sections, s)
	})
}

// run runs a program in a folder and returns its standard output.
func run(ctx context.Context, folder string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w", name, args, err)
	}
	return out, nil
}

// install puts npm packages into a folder.
func install(ctx context.Context, folder string, packages ...string) error {
	args := append([]string{"install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder},
		packages...)
	_, err := run(ctx, folder, "npm", args...)
	return err
}

// difference is the largest difference of two lists of scores: relative to each score, and to
// the largest score of the list, which says more where a score is a small difference of large
// terms.
func difference(got, want []float64) (each, largest float64) {
	if len(got) != len(want) {
		return math.Inf(1), math.Inf(1)
	}
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i, v := range want {
		d := math.Abs(got[i] - v)
		if d != d {
			return math.Inf(1), math.Inf(1)
		}
		if d > 0 {
			each, largest = max(each, d/math.Abs(v)), max(largest, d/scale)
		}
	}
	return each, largest
}

// tally is the largest differences by kind of model, in the order in which they came.
type tally struct {
	bar    float64 // the largest relative difference that is wanted; 0 is that of double precision
	groups []group
	missed []error
}

type group struct {
	names         []string
	count         int
	each, largest float64
}

// add takes in the scores of one model, of the kind that the names say.
func (t *tally) add(model string, got, want []float64, names ...string) {
	k := slices.IndexFunc(t.groups, func(g group) bool { return slices.Equal(g.names, names) })
	if k < 0 {
		k = len(t.groups)
		t.groups = append(t.groups, group{names: names})
	}
	g := &t.groups[k]
	each, largest := difference(got, want)
	g.count, g.each, g.largest = g.count+1, max(g.each, each), max(g.largest, largest)
	if most := cmp.Or(t.bar, bar); !(largest <= most) {
		t.missed = append(t.missed, fmt.Errorf("%s: a difference of %g is above %g", model, largest, most))
	}
}

// worst is the largest differences of all.
func (t *tally) worst() (each, largest float64) {
	for _, g := range t.groups {
		each, largest = max(each, g.each), max(largest, g.largest)
	}
	return each, largest
}

// table has a row a kind; columns are what its names are.
func (t *tally) table(columns ...string) *experiment.Table {
	var pairs []string
	for _, c := range columns {
		pairs = append(pairs, c, "%s")
	}
	table := experiment.NewTable(append(pairs, "models", "%.0f", "of each score", "%.1e",
		"of the largest score", "%.1e")...)
	for _, g := range t.groups {
		var row []any
		for _, name := range g.names {
			row = append(row, name)
		}
		table.Row(append(row, g.count, g.each, g.largest)...)
	}
	return table
}
