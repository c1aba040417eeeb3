package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// Every learner warns of features that are constant, and says so.
func TestConstantFeatures(t *testing.T) {
	const warning = "warning: every feature (2) is constant"
	whole := textFile(t, "list.txt", "1 1:0.1 2:3\n2 1:0.1 2:3\n3 1:0.1 2:3\n0 1:0.1 2:3\n")
	byQuery := textFile(t, "queries.txt", "1 qid:1 1:0.1 2:3\n2 qid:1 1:0.1 2:3\n3 qid:2 1:0.7 2:4\n0 qid:2 1:0.7 "+
		"2:4\n1 qid:3 1:0.3\n0 qid:3 1:0.3\n")
	varied := textFile(t, "varied.txt", "1 1:0.1 2:3\n2 1:0.1 2:3\n3 1:0.1 2:3\n0 1:0.2 2:3\n")
	basis := textFile(t, "basis.txt", "1\n2\n3\n4\n")
	for _, learner := range []string{
		"rankrls", "rankrls --solver dual", "rankrls --solver cg --lambda 1", "rankrls --solver cg --select kfold:2",
		"rankrls --solver sparse --basis-rows " + basis,
		"rankrls --kernel gaussian:gamma=1", "rankrls --kernel polynomial:degree=2 --basis-rows " + basis,
		"rankrls --ties exclude --lambda 1", "rankrls --normalize zscore",
		"rls", "rls --solver dual", "rls --solver sparse --basis-rows " + basis,
		"rls --lambda 1 --kernel gaussian:gamma=1",
		"ranksvm --lambda 1", "ranksvm --loss squared-hinge --lambda 1", "ranksvm --kernel gaussian:gamma=1 --lambda 1",
		"ranksvm --basis-rows " + basis + " --lambda 1", "rankboost --rounds 3",
	} {
		for _, rows := range []string{whole, byQuery, varied} {
			path := filepath.Join(t.TempDir(), "model.txt")
			code, _, stderr := program(t, append([]string{"train", rows, "-o", path, "--learner"},
				strings.Fields(learner)...)...)
			want := warning
			switch {
			case rows == varied, rows == byQuery && strings.HasPrefix(learner, "rls"):
				want = "" // rls sees what differs between queries
			case rows == byQuery:
				want += " within each query"
			}
			if code != cli.ExitOK || strings.Contains(stderr, "constant") != (want != "") ||
				!strings.Contains(stderr, want) {
				t.Errorf("%s, %s: exit code %d\n%s", learner, filepath.Base(rows), code, stderr)
			}
			if want != "" && strings.Contains(stderr, "all weights are 0") {
				t.Errorf("%s, %s says the same twice:\n%s", learner, filepath.Base(rows), stderr)
			}
		}
	}
	for _, learner := range []string{"rankrls", "rls", "rankrls --kernel gaussian:gamma=1",
		"rankboost --method kfold:2", "ranksvm --method kfold:2 --lambda 1"} {
		code, _, stderr := program(t, append([]string{"cv", whole, "--learner"}, strings.Fields(learner)...)...)
		if code != cli.ExitOK || !strings.Contains(stderr, warning) {
			t.Errorf("cv, %s: exit code %d\n%s", learner, code, stderr)
		}
	}
}

// Features that differ, and still nothing tells rows apart: what they add up to
// is below double precision, or no feature goes with the labels.
func TestEqualScores(t *testing.T) {
	tiny := textFile(t, "tiny.txt", "1 1:1e-200\n2 1:2e-200\n4 1:3e-200\n0 1:0\n")
	balanced := textFile(t, "balanced.txt", "1 1:1\n2 1:1\n1 1:-1\n2 1:-1\n")
	for _, test := range []struct{ rows, flags, want string }{
		{tiny, "--solver primal --lambda 1", "the compared rows all get the same score: what the weights add up to " +
			"is below double precision"},
		{tiny, "--solver cg --lambda 1", "below double precision"},
		{tiny, "--learner ranksvm --lambda 1", "all weights are 0"},
		{tiny, "--kernel gaussian:gamma=1 --lambda 1", "kernel gaussian:gamma=1 has the same values for all rows"},
		{tiny, "--solver dual --lambda 1", "kernel linear has the same values for all rows"},
		{balanced, "--lambda 1", "all weights are 0, so every row gets the same score"},
		{balanced, "--learner rankboost", "there are no stumps"},
	} {
		code, _, stderr := program(t, append([]string{"train", test.rows, "-o", filepath.Join(t.TempDir(), "m.txt")},
			strings.Fields(test.flags)...)...)
		if code != cli.ExitOK || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit code %d\n%s", test.flags, code, stderr)
		}
	}
}

// Nodes with constant features, and column nodes alone.
func TestConstantNodes(t *testing.T) {
	constant := textFile(t, "constant.tsv", "id\tx\na\t0.1\nb\t0.1\nc\t0.1\n")
	varied := textFile(t, "varied.tsv", "id\tx\na\t1\nb\t2\nc\t-1\n")
	var edges strings.Builder
	edges.WriteString("row\tcol\tlabel\n")
	for i, row := range []string{"a", "b", "c"} {
		for j, col := range []string{"a", "b", "c"} {
			fmt.Fprintf(&edges, "%s\t%s\t%d\n", row, col, (2*i+j*j)%4)
		}
	}
	graph := textFile(t, "edges.tsv", edges.String())
	const columns, all = "warning: the kernel of the column nodes is constant",
		"warning: the kernel of the nodes is constant"
	for _, test := range []struct{ rows, cols, flags, want string }{
		{varied, constant, "", columns},
		{varied, constant, "--solver cg --lambda 1", columns},
		{varied, constant, "--solver primal --lambda 1", columns},
		{varied, constant, "--loss regression", ""},
		{constant, varied, "", ""},
		{constant, constant, "", columns},
		{constant, constant, "--loss regression --row-kernel gaussian:gamma=1", all},
		{constant, constant, "--learner two-step --lambda 1", all},
		{varied, varied, "", ""},
	} {
		args := append([]string{"relation", "train", graph, "--rows", test.rows, "--cols", test.cols, "-o",
			filepath.Join(t.TempDir(), "m.txt")}, strings.Fields(test.flags)...)
		code, _, stderr := program(t, args...)
		if code != cli.ExitOK || strings.Contains(stderr, "constant") != (test.want != "") ||
			!strings.Contains(stderr, test.want) {
			t.Errorf("%s with %s, %s: exit code %d\n%s", filepath.Base(test.rows), filepath.Base(test.cols), test.flags,
				code, stderr)
		}
	}
	if _, _, stderr := program(t, "relation", "cv", graph, "--rows", constant); !strings.Contains(stderr, columns) {
		t.Errorf("cv says\n%s", stderr)
	}
}
