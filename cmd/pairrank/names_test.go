package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/report"
)

// Names that are not UTF-8 are told before the training, and by check.
func TestNamesNotUTF8(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string { return putFile(t, dir, name, text) }
	table := put("latin.csv", "label,gr\xf6\xdfe,b\xe9\n1,1,0\n2,0,1\n3,1,1\n")
	rows, names := put("rows.txt", "1 1:1\n2 1:2\n"), put("names.txt", "caf\xe9\n")
	nodes, features := put("nodes.tsv", "id\tx\na\xe4\t1\nb\t2\n"), put("features.tsv", "id\tx\xe4\na\t1\nb\t2\n")
	similar, good := put("similar.tsv", "id\ta\xe4\tb\na\xe4\t1\t0\nb\t0\t1\n"), put("good.tsv", "id\tx\na\t1\nb\t2\n")
	edges, others := put("edges.tsv", "a\xe4\tb\t1\na\xe4\ta\xe4\t2\n"), put("others.tsv", "a\ta\t1\na\tb\t2\n")
	m := filepath.Join(dir, "m.txt")
	for _, c := range []struct{ args, want string }{
		{"train " + table + " --lambda 1 -o " + m, `latin.csv: the name of feature 1 is not UTF-8: "gr`},
		{"train " + rows + " --lambda 1 --names " + names + " -o " + m,
			"names.txt: the name of feature 1 is not UTF-8"},
		{"relation train " + edges + " --rows " + nodes + " --lambda 1 -o " + m,
			"nodes.tsv: the name of node 1 is not UTF-8"},
		{"relation train " + edges + " --rows " + similar + " --row-kernel precomputed --lambda 1 -o " + m,
			"similar.tsv: the name of node 1 is not UTF-8"},
		{"relation train " + others + " --rows " + good + " --cols " + features + " --lambda 1 -o " + m,
			"features.tsv: the name of feature 1 is not UTF-8"},
		{"check " + table, "latin.csv has 2 errors"},
		{"relation check " + edges + " --rows " + nodes, "1 problem"},
		{"relation check " + edges + " --rows " + similar + " --row-kernel precomputed", "1 problem"},
	} {
		var text strings.Builder
		err := run(t.Context(), words(c.args), strings.NewReader(""), io.Discard, &text)
		if cli.ExitCode(err) != cli.ExitData || !strings.Contains(text.String(), c.want) {
			t.Errorf("%s: exit code %d, %q; want %q", c.args, cli.ExitCode(err), text.String(), c.want)
		}
		if strings.HasPrefix(c.args, "train") && !strings.Contains(text.String(), "hint: iconv -f latin1") {
			t.Errorf("%s: no hint in %q", c.args, text.String())
		}
	}
	var out, text strings.Builder
	if err := run(t.Context(), words("check "+table+" --json --limit 1"), strings.NewReader(""), &out,
		&text); cli.ExitCode(err) != cli.ExitData {
		t.Errorf("%v", err)
	}
	var d report.Check
	if err := json.Unmarshal([]byte(out.String()), &d); err != nil || d.Errors != 2 || len(d.Problems) != 1 ||
		d.Problems[0].Severity != "error" || d.Rows != 3 {
		t.Errorf("%+v, %v", d, err)
	}
	program(t, words("cv "+table+" --lambda 1")...) // which writes no model
}
