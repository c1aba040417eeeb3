package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// An output that cannot be written is told before anything is read: the inputs
// of these commands are not there.
func TestOutputsBeforeWork(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "no-input.txt")
	for _, c := range []string{
		"train IN -o OUT",
		"relation train IN --rows IN --lambda 1 -o OUT",
		"relation train IN --rows IN --lambda 1 --early-stop IN -o m.txt --curve OUT",
		"cv IN --held-out OUT",
		"cv IN --roc OUT",
		"relation cv IN --rows IN --held-out OUT",
		"predict IN IN -o OUT",
		"predict IN --rows IN -o OUT",
		"convert IN OUT --to svmlight",
		"synth letor --rows 1000000000 -o OUT",
		"synth rps --rows 1000000000 --edges OUT -o players.tsv",
		"synth rps --rows 1000000000 --edges games.tsv -o OUT",
	} {
		for out, want := range map[string]string{
			dir:                               "is a directory",
			filepath.Join(dir, "none", "x"):   "does not exist",
			filepath.Join(dir, longName(260)): "cannot write",
		} {
			args := words(strings.NewReplacer("IN", none, "OUT", out, " m.txt", " "+filepath.Join(dir, "m.txt"),
				"players.tsv", filepath.Join(dir, "players.tsv"), "games.tsv",
				filepath.Join(dir, "games.tsv")).Replace(c))
			var text strings.Builder
			err := run(t.Context(), args, strings.NewReader(""), io.Discard, &text)
			if cli.ExitCode(err) != cli.ExitRuntime || !strings.Contains(text.String(), want) {
				t.Errorf("%s: exit code %d, %q; want %q", c, cli.ExitCode(err), text.String(), want)
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there is %v, %v", left, err)
	}
	if err := os.WriteFile(none, []byte("id\tx\na\t1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	err := run(t.Context(), []string{"predict", filepath.Join(dir, "m.txt"), "--rows", none, "-o", none},
		strings.NewReader(""), io.Discard, &text)
	if cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(text.String(), "would overwrite an input") {
		t.Errorf("the nodes as the output: %q", text.String())
	}
}

func longName(n int) string { return strings.Repeat("x", n) }
