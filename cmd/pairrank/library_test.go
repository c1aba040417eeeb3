package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/format/svmlight"
)

// The entrance of the library, told nothing but rows, labels and queries, does what the
// command does with a file: the same λ, the same error, the bytes of the model.
func TestLibraryIsTheCommand(t *testing.T) {
	const file = "../../examples/letor/train.txt"
	set, err := svmlight.ReadFile(t.Context(), file, svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		t.Fatal(err)
	}
	x, queries := make([][]float64, len(set.Y)), make([]string, len(set.Y))
	for i := range x {
		x[i] = set.X.(*data.Dense).Row(i)
		queries[i] = set.Queries.ID(int(set.Queries.Of()[i]))
	}
	rows, err := pairrank.Rows(x, set.Y, queries)
	if err != nil {
		t.Fatal(err)
	}
	result, err := pairrank.Train(t.Context(), pairrank.Problem{Set: rows}, pairrank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "library.txt"), filepath.Join(dir, "command.txt")
	if err := result.Model.WriteFile(ours); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if err := run(t.Context(), []string{"train", file, "-o", theirs, "--json"}, strings.NewReader(""), &out,
		&errs); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Lambda    float64
		Selection []struct{ Lambda, Error float64 }
	}
	if err := json.Unmarshal([]byte(out.String()), &d); err != nil {
		t.Fatal(err)
	}
	if d.Lambda != result.Choice.Lambda {
		t.Errorf("λ %v of the library and %v of the command", result.Choice.Lambda, d.Lambda)
	}
	for _, s := range d.Selection {
		if s.Lambda == d.Lambda && s.Error != result.Choice.Error {
			t.Errorf("error %v of the library and %v of the command", result.Choice.Error, s.Error)
		}
	}
	if a, b := read(t, ours), read(t, theirs); a != b {
		t.Errorf("the models differ:\n%s\n%s", a, b)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
