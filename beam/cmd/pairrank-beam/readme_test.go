package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is a command of README.md and its output.
type shown struct{ command, output string }

// inReadme are the commands of README.md that begin with a dollar sign.
func inReadme(t *testing.T) (all []shown) {
	t.Helper()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(page)) {
		command, is := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = false
		case is:
			all, inside = append(all, shown{command: strings.TrimSpace(command)}), true
		case inside:
			all[len(all)-1].output += line
		}
	}
	return all
}

// The commands of README.md print the output shown there.
func TestCommandsOfReadme(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS("../../../examples")); err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(programs, "pairrank-beam")); err != nil {
		t.Fatal(err)
	}
	commands := inReadme(t)
	if len(commands) < 2 {
		t.Fatalf("README.md has %d commands", len(commands))
	}
	for _, c := range commands {
		run := exec.CommandContext(t.Context(), "sh", "-c", c.command)
		run.Dir = folder
		run.Env = append(os.Environ(), asProgram+"=1", "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := run.CombinedOutput()
		if err != nil || string(out) != c.output {
			t.Errorf("%s\n%v, prints\n%s\nnot\n%s", c.command, err, out, c.output)
		}
	}
}

// The flags that README.md names are flags of the program, or of Beam.
func TestFlagsOfReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"help": true, "log": true, "time-limit": true}
	for _, v := range []*verb{newTrain(), newScore()} {
		addBeamFlags(v.flags)
		maps.Copy(known, names(v.flags))
	}
	named := regexp.MustCompile("`--([a-z_-]+)").FindAllStringSubmatch(string(page), -1)
	for _, m := range named {
		if !known[m[1]] {
			t.Errorf("README.md names --%s, which is no flag", m[1])
		}
	}
	if len(named) < 20 {
		t.Errorf("README.md names %d flags", len(named))
	}
}
