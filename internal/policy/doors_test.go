package policy

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// doors are the rows of the first table of README.md, by their first command.
func doors(t *testing.T) (commands []command) {
	t.Helper()
	code := regexp.MustCompile("`([^`]+)`")
	under := false
	for i, line := range strings.Split(read(t, "README.md"), "\n") {
		if strings.HasPrefix(line, "## ") {
			under = line == "## Who it is for"
		}
		if !under || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| I want to") {
			continue
		}
		c := command{line: i + 1}
		if m := code.FindStringSubmatch(line); m != nil {
			c.text = m[1]
		}
		commands = append(commands, c)
	}
	return commands
}

// Every row of the first table of README.md has a command that runs as it stands in the clone.
func TestDoors(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here to run the commands")
	}
	program, dir := filepath.Dir(build(t)), t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	commands := doors(t)
	if len(commands) != 9 {
		t.Errorf("%d rows, want 9", len(commands))
	}
	for _, c := range commands {
		if folder, is := strings.CutPrefix(c.text, "go run ./"); is {
			if _, err := os.Stat(filepath.Join(root, folder, "main_test.go")); err != nil { // which runs it
				t.Errorf("README.md:%d: %v", c.line, err)
			}
			continue
		}
		if strings.HasPrefix(c.text, "pairrank.") { // of Python
			if !strings.Contains(read(t, "docs/python.md"), c.text+"\n") { // which python/tests runs
				t.Errorf("README.md:%d: docs/python.md has no %s", c.line, c.text)
			}
			continue
		}
		if !isOurs(c.text) {
			t.Errorf("README.md:%d: %q is no command", c.line, c.text)
		} else if err := runCommand(t, c, dir, program); err != nil {
			t.Errorf("README.md:%d: $ %s\n%v", c.line, c.text, err)
		}
	}
	if page, err := os.ReadFile(filepath.Join(dir, "report.html")); err != nil || !bytes.Contains(page, []byte("gene")) {
		t.Errorf("the report names no gene: %v", err)
	}
}

// The commands in examples/README.md make the sample data, byte for byte.
func TestSampleData(t *testing.T) {
	program, dir := build(t), t.TempDir()
	for _, c := range commandsOf(read(t, "examples/README.md")) {
		if args, is := strings.CutPrefix(c.text, "pairrank synth "); is {
			cmd := exec.CommandContext(t.Context(), program, append([]string{"synth"}, strings.Fields(args)...)...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", c.text, err, out)
			}
		}
	}
	train := read(t, "examples/letor/train.txt")
	for name, want := range map[string]string{"sample.txt": train + read(t, "examples/letor/test.txt"),
		"patients.csv": read(t, "examples/patients.csv")} {
		if made, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(made) != want {
			t.Errorf("%s is not what the command makes, or was not made: %v", name, err)
		}
	}
	var parts bytes.Buffer
	for k := range 3 {
		z, err := gzip.NewReader(strings.NewReader(read(t, fmt.Sprintf("examples/parts/part-%d.txt.gz", k+1))))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&parts, z); err != nil {
			t.Fatal(err)
		}
	}
	if parts.String() != train {
		t.Error("examples/parts is not examples/letor/train.txt")
	}
}
