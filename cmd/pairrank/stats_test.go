package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A file that is empty is wrong as any other is: the others are done, and it is named.
func TestStatsOfEmptyFile(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	if err := os.WriteFile(names[1], nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stderr := runAll(t, append([]string{"stream", "stats", "-o", "units"}, names...)...); code != cli.ExitData {
		t.Errorf("%d: %s", code, stderr)
	}
	err := run(t.Context(), []string{"stream", "merge", "units", "-o", "m.model"}, strings.NewReader(""), io.Discard,
		io.Discard)
	if want := "units has no unit of 1 of 3 files: " + names[1]; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The list of the files may come from standard input; the units do not go to standard
// output, and the model not where they are.
func TestStatsOfListedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	list := strings.Join(names, "\r\n") + "\n\n"
	if err := run(t.Context(), []string{"stream", "stats", "--files", "-", "-o", "units"}, strings.NewReader(list),
		io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "stream", "merge", "units", "-o", "m.model")
	for _, output := range []string{"units/manifest.json", "./units/x.stats"} {
		if code, stderr := runAll(t, "stream", "merge", "units", "-o", output); code != cli.ExitUsage ||
			!strings.Contains(stderr, "another directory") {
			t.Errorf("%s: %d: %s", output, code, stderr)
		}
	}
	mustRun(t, "stream", "merge", "units", "-o", "units/m.model")
	if code, stderr := runAll(t, "stream", "stats", names[0], "-o", "-"); code != cli.ExitUsage ||
		!strings.Contains(stderr, "files of a directory") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// Names of more features than there are are wrong data, whatever trains.
func TestNamesOfTooManyFeatures(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	if err := os.WriteFile("names.txt", []byte("a\nb\nc\nd\ne\nf\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "stream", "stats", names[0], "--names", "names.txt", "-o", "units")
	for _, args := range [][]string{
		{"train", names[0], "--names", "names.txt"}, {"stream", "train", names[0], "--names", "names.txt"},
		{"stream", "merge", "units"},
	} {
		if code, stderr := runAll(t, append(args, "-o", "m.model")...); code != cli.ExitData ||
			!strings.Contains(stderr, "6 features, and the data has 5") {
			t.Errorf("%v: %d: %s", args, code, stderr)
		}
	}
}
