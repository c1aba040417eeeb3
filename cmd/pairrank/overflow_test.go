package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// overflows checks that the program ends with exit code 5, says what overflows,
// and prints no score.
func overflows(t *testing.T, says string, args ...string) {
	t.Helper()
	code, stdout, stderr := program(t, args...)
	if code != cli.ExitNumerical || !strings.Contains(stderr, says) || !strings.Contains(stderr, "overflow") {
		t.Errorf("%s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	for _, text := range []string{"NaN", "Inf", "null"} {
		if strings.Contains(stdout, text) {
			t.Errorf("%s prints\n%s", strings.Join(args, " "), stdout)
		}
	}
}

// hugeModel is a linear or polynomial model whose score of ±1e10 overflows.
func hugeModel(t *testing.T, linear bool) string {
	t.Helper()
	one := &data.Dense{Rows: 1, Cols: 1, Stride: 1, Data: []float64{1e300}}
	m := &model.Model{Info: model.Info{Learner: "rls", Solver: "primal", Objective: "any", Lambda: 1, Rows: 2,
		Queries: 1}}
	if linear {
		m.Scorer = &model.Linear{Weights: one}
	} else {
		m.Scorer = &model.Kernel{Kernel: kernel.Polynomial{Gamma: 1, Degree: 2}, Support: one, Coef: one}
	}
	path := filepath.Join(t.TempDir(), "model.txt")
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Where a score of a row overflows, nothing is written, and the first row is named.
func TestScoresThatOverflow(t *testing.T) {
	rows := textFile(t, "rows.txt", "1 qid:1 1:0\n0 qid:1 1:-1e-300\n1 qid:2 1:1e10\n0 qid:2 1:-1e10\n")
	scores := textFile(t, "scores.txt", "1\n2\n3\n4\n")
	for _, linear := range []bool{true, false} {
		m := hugeModel(t, linear)
		overflows(t, "the score of row 3 ", "predict", m, rows)
		overflows(t, "the score of row 3 ", "predict", m, rows, "-o", filepath.Join(t.TempDir(), "out.txt"))
		overflows(t, "the score of row 3 ", "evaluate", rows, "--model", m)
		overflows(t, "the score of row 3 ", "compare", rows, "--scores", scores, "--model", m)
	}
}

// The same of pairs of nodes.
func TestPairScoresThatOverflow(t *testing.T) {
	nodes := textFile(t, "nodes.tsv", "id\tx\na\t1\nb\t2\nc\t-1\n")
	edges := textFile(t, "edges.tsv", "row\tcol\tlabel\na\tb\t1\na\tc\t2\nb\ta\t1\nb\tc\t0\nc\ta\t3\nc\tb\t1\n")
	huge := textFile(t, "huge.tsv", "id\tx\np\t1e-300\nq\t1e200\nr\t-1e200\n")
	pairs := textFile(t, "pairs.tsv", "row\tcol\np\tp\nq\tr\n")
	for _, solver := range []string{"cg", "primal"} {
		path := filepath.Join(t.TempDir(), "model.txt")
		must(t, "relation", "train", edges, "--rows", nodes, "--solver", solver, "--lambda", "1", "--loss", "regression",
			"-o", path)
		overflows(t, `row "q" with column "q"`, "predict", path, "--rows", huge)
		overflows(t, `row "q" with column "r"`, "predict", path, "--rows", huge, "--edges", pairs)
		overflows(t, `row "q" with column "q"`, "relation", "rank", path, "--given", "q", "--rows", huge)
		overflows(t, `row "q" with column "q"`, "relation", "rank", path, "--given", "q", "--rows", huge, "--json")
	}
}

// Held-out scores that overflow are an error of every way to hold out, and so are
// coefficients.
func TestTrainingThatOverflows(t *testing.T) {
	const m = 6
	var k, list, queries strings.Builder
	for i := range m {
		for j := range m {
			v := 0.0
			if i == j {
				v = 1e-300
			}
			fmt.Fprintf(&k, "%g%s", v, map[bool]string{true: "\n", false: "\t"}[j == m-1])
		}
		fmt.Fprintf(&list, "%de12\n", i*7%5)
		fmt.Fprintf(&queries, "%de12 qid:%d\n", i*7%5, i/2+1)
	}
	matrix := textFile(t, "kernel.tsv", k.String())
	one, several := textFile(t, "list.txt", list.String()), textFile(t, "queries.txt", queries.String())
	held := filepath.Join(t.TempDir(), "held.txt")
	for method, rows := range map[string]string{"lqo": several, "lpo": one, "loo": one, "kfold:3": one,
		"kfold:2 --ties exclude": one} {
		args := strings.Fields("--kernel-matrix " + matrix + " --lambda 1e-301 ")
		flags := strings.Fields(method)
		overflows(t, "row", append(append([]string{"cv", rows, "--held-out", held, "--method"}, flags...), args...)...)
		overflows(t, "", append(append([]string{"train", rows, "-o", held, "--select"}, flags...), args...)...)
		overflows(t, "", append(append([]string{"train", rows, "-o", held}, flags[1:]...), args...)...)
	}
}

// A kernel matrix of equal values is positive semidefinite, whatever they are,
// and tells no rows apart.
func TestConstantKernelMatrix(t *testing.T) {
	for _, value := range []string{"1", "0.1", "1e-300", "1e-310", "1e300"} {
		for _, m := range []int{4, 24} {
			text := strings.Repeat(strings.Repeat(value+"\t", m-1)+value+"\n", m)
			matrix := textFile(t, "kernel.tsv", text)
			labels, basis := "", textFile(t, "basis.txt", "1\n3\n")
			for i := range m {
				labels += fmt.Sprintf("%d qid:%d\n", i*5%7, 1+2*i/m)
			}
			rows := textFile(t, "rows.txt", labels)
			for _, flags := range []string{"", "--cost relative", "--cost unit", "--ties exclude",
				"--query-weight edges",
				"--learner rls", "--pairs all", "--select loo", "--select none --lambda 1", "--basis-rows " + basis} {
				args := append([]string{"train", rows, "--kernel-matrix", matrix, "-o",
					filepath.Join(t.TempDir(), "model.txt")}, strings.Fields(flags)...)
				code, _, stderr := program(t, args...)
				if code != cli.ExitOK || !strings.Contains(stderr, "warning: kernel precomputed has the same values "+
					"for all rows") {
					t.Errorf("%d rows of %s, %s: exit code %d\n%s", m, value, flags, code, stderr)
				}
			}
		}
	}
}

// A matrix that is not positive semidefinite still is an error, of any size.
func TestIndefiniteKernelMatrix(t *testing.T) {
	for _, scale := range []string{"e-300", "", "e300"} {
		matrix := textFile(t, "kernel.tsv", strings.ReplaceAll("1x\t2x\t0x\n2x\t1x\t0x\n0x\t0x\t1x\n", "x", scale))
		rows := textFile(t, "rows.txt", "1\n2\n4\n")
		for _, flags := range []string{"--select loo", "--lambda 1", "--learner rls"} {
			args := append([]string{"train", rows, "--kernel-matrix", matrix, "-o",
				filepath.Join(t.TempDir(), "model.txt")}, strings.Fields(flags)...)
			code, _, stderr := program(t, args...)
			if code != cli.ExitData || !strings.Contains(stderr, "not positive semidefinite") {
				t.Errorf("entries of 1%s, %s: exit code %d\n%s", scale, flags, code, stderr)
			}
		}
	}
}
