package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/report"
)

// foundTable is a table as programs and people write it.
type foundTable struct {
	name, file, flags string
	id                string // a column that numbers the rows, or is like one; "" for none
	text              string
	outcome           string   // read: as it was meant; said: read with a warning or note; refused
	want              []string // parts of what train says: of refused tables the error and a way out
}

// Tables as they are found are read as they were meant, or read with a word about what may not be
// meant, or refused with a way out. None is learnt from by an id in silence.
func TestTablesAsTheyAreFound(t *testing.T) {
	for _, tables := range [][]foundTable{foundWritten, foundSheets} {
		for _, c := range tables {
			t.Run(c.name, func(t *testing.T) {
				dir := t.TempDir()
				path := putFile(t, dir, c.file, c.text)
				said, exit := c.train(t, path, filepath.Join(dir, "m.txt"))
				for _, part := range c.want {
					if !strings.Contains(strings.ReplaceAll(said, dir+string(filepath.Separator), ""), part) {
						t.Errorf("train says %q, without %q", said, part)
					}
				}
				c.outcomeIs(t, said, exit)
				c.checked(t, path, said, exit)
			})
		}
	}
}

// train trains on the table and returns what is said on standard error.
func (c *foundTable) train(t *testing.T, path, model string) (said string, exit int) {
	t.Helper()
	var text strings.Builder
	args := append([]string{"train", path, "--lambda", "1", "-o", model}, words(c.flags)...)
	err := run(t.Context(), args, strings.NewReader(""), io.Discard, &text)
	if _, missing := os.Stat(model); (err == nil) != (missing == nil) {
		t.Errorf("error %v, model: %v", err, missing)
	}
	return text.String(), cli.ExitCode(err)
}

func (c *foundTable) outcomeIs(t *testing.T, said string, exit int) {
	t.Helper()
	const columns = "pairrank: note: "
	more := strings.Count(said, "\npairrank: warning: ") + strings.Count(said, "\n"+columns)
	outcome := "read"
	switch {
	case exit == cli.ExitData:
		outcome = "refused"
	case exit != cli.ExitOK:
		t.Errorf("exit code %d", exit)
	case more > 0:
		outcome = "said"
	}
	if outcome != c.outcome {
		t.Errorf("%s, not %s: %s", outcome, c.outcome, said)
	}
}

// checked compares what check finds with what train says, and that an id is no feature in silence.
func (c *foundTable) checked(t *testing.T, path, said string, exit int) {
	t.Helper()
	var out, text strings.Builder
	args := append([]string{"check", path, "--json"}, words(c.flags)...)
	err := run(t.Context(), args, strings.NewReader(""), &out, &text)
	if checked := cli.ExitCode(err); checked != exit && !strings.Contains(said, "has no features") {
		t.Errorf("check has exit code %d, train %d: %s", checked, exit, text.String())
	}
	if out.Len() == 0 { // the file is no table
		if exit != cli.ExitData || text.Len() == 0 {
			t.Error("check finds nothing")
		}
		return
	}
	var d report.Check
	if err := json.Unmarshal([]byte(out.String()), &d); err != nil {
		t.Fatal(err)
	}
	if (d.Errors > 0) != (err != nil) || len(d.Table) == 0 {
		t.Errorf("%d errors, %d columns, %v", d.Errors, len(d.Table), err)
	}
	found := c.id == ""
	for _, column := range d.Table {
		if column.Name != c.id || c.id == "" {
			continue
		}
		found = true
		warned := len(column.Warnings) > 0 && strings.Contains(said, "warning: feature")
		if column.Role == "feature" && !warned {
			t.Errorf("%q is learnt from in silence: %s", c.id, said)
		}
	}
	if !found {
		t.Errorf("no column %q", c.id)
	}
}

// A table of 10⁵ columns is read, and check shows some of them.
func TestWideTable(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 10⁵ columns")
	}
	const columns = 100_000
	var text strings.Builder
	text.WriteString("sample,outcome")
	for range columns {
		text.WriteString(",g")
	}
	for _, row := range []string{"\nu,1", "\nv,0", "\nw,1"} {
		text.WriteString(row)
		for k := range columns {
			text.WriteString([]string{",0.5", ",0.25", ",1"}[(k+len(row)+int(row[1]))%3])
		}
	}
	path := putFile(t, t.TempDir(), "wide.csv", text.String())
	var out strings.Builder
	if err := run(t.Context(), []string{"check", path}, strings.NewReader(""), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(out.String(), "\n")
	if lines > 100 || !strings.Contains(out.String(), "100002 columns; --json lists them all") {
		t.Errorf("%d lines: %.3000s", lines, out.String())
	}
}
