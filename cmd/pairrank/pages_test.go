package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A page that cannot be written after the work is an error, and what was found is printed
// all the same.
func TestFailedPageKeepsTheDocument(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"d.txt": "1 qid:1 1:2\n0 qid:1 1:1\n2 qid:2 1:3\n0 qid:2 1:2\n1 qid:3 1:1\n0 qid:3 1:0\n0 qid:4 1:1\n1 qid:4 1:2\n",
		"a.txt": "1\n0\n1\n0\n1\n0\n1\n0\n", "b.txt": "0\n1\n1\n0\n1\n0\n1\n0\n",
		"e.tsv": "a\tx\t1\na\ty\t0\nb\tx\t2\nb\ty\t1\nc\tx\t0\nc\ty\t3\n", "r.tsv": "id\tv\na\t1\nb\t2\nc\t4\n", "c.tsv": "id\tv\nx\t1\ny\t3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []string{"cv d.txt --report", "cv d.txt --figure", "compare d.txt --scores a.txt --scores b.txt --report", "cv --edges e.tsv --rows r.tsv --cols c.tsv --report"} {
		var out, errs strings.Builder
		err := run(t.Context(), append(strings.Fields(c), full, "--json"), strings.NewReader(""), &out, &errs)
		if cli.ExitCode(err) != cli.ExitRuntime || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit code %d, %q", c, cli.ExitCode(err), errs.String())
		}
		if !json.Valid([]byte(out.String())) {
			t.Errorf("%s: the document is %q", c, out.String())
		}
	}
}
