package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

func TestMain(m *testing.M) {
	testscript.Main(seldomCollected{m}, map[string]func(){"pairrank": main})
}

// seldomCollected are the tests, but not the programs of the scripts, with fewer garbage
// collections: thousands of short runs in one process leave little that is alive, so
// that the heap is collected every few milliseconds.
type seldomCollected struct{ tests *testing.M }

func (s seldomCollected) Run() int {
	debug.SetGCPercent(400)
	return s.tests.Run()
}

// TestScripts runs testdata/*.txtar. Besides testscript's own commands there
// are exits CODE PROGRAM …, isjson FILE, makemodel KIND FILE, compress
// FILE (to FILE.gz and FILE.zst), cut FILE BYTES (negative: from the end), flip FILE TEXT,
// renumber IN N OUT (N more in each qid) and join OUT IN….
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "isjson": isJSON, "makemodel": makeModel, "compress": compressed, "cut": cut, "flip": flip,
			"renumber": renumber, "join": join, "samescores": sameScores, "samebest": sameBest,
			"samecolumns": sameColumns,
		},
		Condition: func(condition string) (bool, error) {
			if condition == "devfull" {
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", condition)
		},
	})
}

// exits runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var v any
	ts.Check(d.Decode(&v))
	if d.More() {
		ts.Fatalf("%s holds more than one JSON document", args[0])
	}
}

// makeModel writes a small model whose scores can be told by hand.
func makeModel(ts *testscript.TestScript, neg bool, args []string) {
	info := model.Info{
		Learner: "rankrls", Solver: "primal", Objective: "sum of squares", Lambda: 0.5, Cost: "magnitude",
		Ties:        "include",
		QueryWeight: "pairs", Rows: 4, Queries: 2, Pairs: 2,
		Selection: &model.Selection{Method: "lqo", Metric: "error", Error: 0.25, Count: 31},
	}
	weights := func(v, n int, w ...float64) *data.Dense { return &data.Dense{Rows: v, Cols: n, Stride: n, Data: w} }
	m := &model.Model{Info: info, Scorer: &model.Linear{Weights: weights(1, 3, 1, 10, -2)}}
	switch args[0] {
	case "linear":
	case "named":
		m.Names = []string{"bm25", "length", "age"}
	case "zscore":
		m.Normalizer = &data.Normalizer{Kind: data.NormalizeZScore, Shift: []float64{1, 0, 0},
			Scale: []float64{2, 1, 1}}
	case "query-minmax":
		m.Normalizer = &data.Normalizer{Kind: data.NormalizeQueryMinMax}
	case "sparse":
		support := &data.CSR{Rows: 2, Cols: 3, Ptr: []int{0, 1, 2}, Col: []int32{0, 1}, Val: []float64{1, 1}}
		m.Scorer = &model.Kernel{Kernel: kernel.Polynomial{Gamma: 1, Coef0: 1, Degree: 2}, Support: support,
			Coef: weights(2, 1, 1, -1)}
		m.Info.Further = []model.Fact{{Name: "seed", Value: "7"}}
		m.Info.Pairs = 1e300
	case "two":
		m.Scorer = &model.Linear{Weights: weights(2, 3, 1, 10, -2, 0, 0, 1)}
	case "kernel":
		m.Scorer = &model.Kernel{Kernel: kernel.Polynomial{Gamma: 1, Coef0: 1, Degree: 2},
			Support: weights(2, 3, 1, 0, 0, 0, 1, 0), Coef: weights(2, 1, 1, -1)}
	case "precomputed":
		m.Scorer = &model.Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1, 3}, Coef: weights(2, 1, 1, 2)}
	default:
		ts.Fatalf("unknown kind of model %s", args[0])
	}
	ts.Check(m.WriteFile(ts.MkAbs(args[1])))
}

// compressed writes FILE.gz and FILE.zst.
func compressed(ts *testscript.TestScript, neg bool, args []string) {
	text := []byte(ts.ReadFile(args[0]))
	var gz strings.Builder
	z := gzip.NewWriter(&gz)
	_, err := z.Write(text)
	ts.Check(errors.Join(err, z.Close()))
	e, err := zstd.NewWriter(nil)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0])+".gz", []byte(gz.String()), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs(args[0])+".zst", e.EncodeAll(text, nil), 0o666))
}

// cut keeps the first bytes of a file, or all but the last.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	end, err := strconv.Atoi(args[1])
	ts.Check(err)
	if end < 0 {
		end += len(text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:end]), 0o666))
}

// flip changes the first letter of the first place where TEXT stands.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	text := []byte(ts.ReadFile(args[0]))
	at := strings.Index(string(text), args[1])
	if at < 0 {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	text[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o666))
}
