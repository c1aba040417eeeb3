package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The commands of the pages are run, as CONTRIBUTING.md says:
//
//   - in a console block a line that starts with "$ " is a command, and the
//     lines up to the next one are what it prints; none: anything
//   - in a sh block a line that starts with pairrank or go run ./cmd/pairrank
//     is a command, and the other lines are not run
//   - … stands for the rest of a line or, alone, for any lines
//   - a go block with a name, as in "go rank/main.go", is that file of the clone,
//     which the command go run ./rank runs
//
// The commands of a page run in order, in an empty folder with a copy of examples/. Each must end
// with exit code 0.

// command is one command of a page with the output that follows it.
type command struct {
	line int // of the page, from 1
	text string
	want []string
}

// commandsOf returns the commands of a page.
func commandsOf(page string) (commands []command) {
	fence, block := "", ""
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && trimmed == fence:
			fence, block = "", ""
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence, block = "```", strings.TrimSpace(strings.TrimPrefix(trimmed, "```"))
		case block == "console" || block == "sh":
			commands = addLine(commands, block, line, i+1)
		}
	}
	for i, c := range commands {
		for len(c.want) > 0 && strings.TrimSpace(c.want[len(c.want)-1]) == "" {
			c.want = c.want[:len(c.want)-1]
		}
		commands[i] = c
	}
	return commands
}

// addLine takes in one line of a console or sh block.
func addLine(commands []command, block, line string, number int) []command {
	last := len(commands) - 1
	if last >= 0 && strings.HasSuffix(commands[last].text, "\\") {
		commands[last].text = strings.TrimSuffix(commands[last].text, "\\") + strings.TrimSpace(line)
		return commands
	}
	text, prompt := strings.CutPrefix(line, "$ ")
	switch {
	case block == "console" && prompt, block == "sh" && isOurs(line):
		return append(commands, command{line: number, text: text})
	case block == "console" && last >= 0:
		commands[last].want = append(commands[last].want, strings.TrimRight(line, " "))
	}
	return commands
}

func isOurs(text string) bool {
	return strings.HasPrefix(text, "pairrank ") || strings.HasPrefix(text, goRun+" ")
}

const goRun = "go run ./cmd/pairrank"

// harmless are the other programs that a console block may begin with.
var harmless = []string{"cat", "cmp", "cut", "diff", "grep", "head", "printf", "sort", "tail", "wc", "zcat"}

// pattern matches the output that a page shows.
func pattern(want []string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	for _, line := range want {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + `[ ]*\n`)
	}
	b.WriteString(`\n*\z`)
	return regexp.MustCompile(b.String())
}

func TestCommandsInPages(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here to run the pages' commands")
	}
	program := filepath.Dir(build(t))
	total := 0
	for _, page := range files(t, ".md") {
		commands := commandsOf(read(t, page))
		if len(commands) == 0 {
			continue
		}
		total += len(commands)
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
				t.Fatal(err)
			}
			path := program + string(filepath.ListSeparator) + buildPrograms(t, read(t, page))
			for _, c := range commands {
				if err := runCommand(t, c, dir, path); err != nil {
					t.Fatalf("%s:%d: $ %s\n%v", page, c.line, c.text, err)
				}
			}
		})
	}
	if total == 0 {
		t.Error("no page has a command")
	}
}

// namedBlock is a go block that is the file FOLDER/main.go of the clone.
var namedBlock = regexp.MustCompile("(?ms)^```go ([a-z]+)/main\\.go\n(.*?)^```$")

// buildPrograms builds the programs of a page, as if their files were in the clone, and returns the
// folder they are in, each under the name of its own folder.
func buildPrograms(t *testing.T, page string) string {
	t.Helper()
	programs := t.TempDir()
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range namedBlock.FindAllStringSubmatch(page, -1) {
		name, source := m[1], filepath.Join(t.TempDir(), "main.go")
		overlay, err := json.Marshal(map[string]any{
			"Replace": map[string]string{filepath.Join(clone, name, "main.go"): source},
		})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(filepath.Dir(source), "overlay.json")
		for path, text := range map[string]string{source: m[2], file: string(overlay)} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "go", "build", stripped, "-overlay", file,
			"-o", filepath.Join(programs, runPrefix+name), "./"+name)
		cmd.Dir = clone
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", name, err, out)
		}
	}
	return programs
}

// runPrefix is before the name of a program of a page, so that it is none of the system's.
const runPrefix = "page-"

var goRunOther = regexp.MustCompile(`\bgo run \./([a-z]+)\b`)

func runCommand(t *testing.T, c command, dir, path string) error {
	c.text = strings.ReplaceAll(c.text, goRun, "pairrank")
	c.text = goRunOther.ReplaceAllString(c.text, runPrefix+"$1")
	first, _, _ := strings.Cut(c.text, " ")
	if !isOurs(c.text) && !strings.HasPrefix(c.text, runPrefix) && !slices.Contains(harmless, first) {
		return fmt.Errorf("a console block may not run %s; what is not to be run stands in a sh or text block", first)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", c.text)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(os.Environ(), "PATH="+path+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%v\n%s", err, out.String())
	}
	if len(c.want) > 0 && !pattern(c.want).MatchString(out.String()) {
		return fmt.Errorf("it prints\n%s\nand the page shows\n%s", out.String(), strings.Join(c.want, "\n"))
	}
	return nil
}

func TestCommandsOf(t *testing.T) {
	page := "text\n```console\n$ pairrank a \\\n    b\nout\n\nmore\n\n$ pairrank c\n```\n```sh\ngo test " +
		"./...\npairrank d\n```\n```text\n$ pairrank e\n```\n"
	var got []string
	for _, c := range commandsOf(page) {
		got = append(got, fmt.Sprintf("%d %s %q", c.line, c.text, c.want))
	}
	want := []string{`3 pairrank a b ["out" "" "more"]`, `9 pairrank c []`, `13 pairrank d []`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		want, got string
		match     bool
	}{
		{"a\nb", "a\nb\n", true},
		{"a\nb", "a\nb\nc\n", false},
		{"a\n…\nd", "a\nd\n", true},
		{"a\n…\nd", "a\nb\nc\nd\n", true},
		{"a\n…\nd", "a\nb\nc\n", false},
		{"seconds …", "seconds 0.1\n", true},
		{"seconds …", "minutes 0.1\n", false},
		{"a.c", "abc\n", false},
	} {
		if got := pattern(strings.Split(test.want, "\n")).MatchString(test.got); got != test.match {
			t.Errorf("%q matches %q: %v", test.want, test.got, got)
		}
	}
}
