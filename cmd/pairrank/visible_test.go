package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// What data holds does not reach the terminal by way of messages.
func TestMessagesAreVisible(t *testing.T) {
	dir := t.TempDir()
	data, scores := filepath.Join(dir, "a\x1b[31m.txt"), filepath.Join(dir, "b.txt")
	for path, text := range map[string]string{data: "1 1:2\n0 1:1\n", scores: "1\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range []string{"none", "json", "plain"} {
		var out, errs bytes.Buffer
		err := run(t.Context(), []string{"evaluate", data, "--scores", scores, "--progress", mode},
			strings.NewReader(""), &out, &errs)
		if err == nil || strings.Contains(errs.String(), "\x1b") || !strings.Contains(errs.String(), `u001b[31m.txt`) {
			t.Errorf("%s: %v, %q", mode, err, errs.String())
		}
	}
}

// Names that are not UTF-8 would be one in JSON: they are refused, not merged.
func TestJSONKeepsNamesApart(t *testing.T) {
	dir := t.TempDir()
	data, scores := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	for path, text := range map[string]string{data: "1 qid:b\xff 1:2\n0 qid:b\xff 1:1\n1 qid:b\xfe 1:2\n0 qid:b\xfe " +
		"1:1\n", scores: "1\n0\n1\n0\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	err := run(t.Context(), []string{"evaluate", data, "--scores", scores, "--json"}, strings.NewReader(""), &out,
		&errs)
	if cli.ExitCode(err) != cli.ExitData || !strings.Contains(errs.String(), `"b\xff" is not UTF-8`) || out.Len() > 0 {
		t.Errorf("%v: %q, %q", err, out.String(), errs.String())
	}
	if err := run(t.Context(), []string{"evaluate", data, "--scores", scores, "-q"}, strings.NewReader(""), &out,
		&errs); err != nil || !strings.Contains(out.String(), "b\xfe") {
		t.Errorf("without --json: %v, %q", err, out.String())
	}
}
