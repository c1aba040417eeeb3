package policy

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)

// A link to a file of the repository leads to one.
func TestLinksInPages(t *testing.T) {
	for _, page := range files(t, ".md") {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			target, _, _ := strings.Cut(m[1]+m[2], "#")
			if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root,
				filepath.FromSlash(path.Join(path.Dir(page), target)))); err != nil {
				t.Errorf("%s links to %s, which is not there", page, target)
			}
		}
	}
}

// programs are folders of programs that have one line on the map.
var programs = []string{"examples"}

// doc.go has a line for every room of the table, and for nothing else.
func TestMapHasEveryRoom(t *testing.T) {
	onMap := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z/]+) +\S`).FindAllStringSubmatch(read(t, "doc.go"), -1) {
		onMap[m[1]] = true
	}
	for name := range rooms {
		if folder, _, _ := strings.Cut(name, "/"); slices.Contains(programs, folder) {
			name = folder
		}
		if below := strings.Contains(name, "/internal/"); name != "" && !below && !onMap[name] {
			t.Errorf("doc.go has no line for %s", name)
		}
	}
	for name := range onMap {
		if _, known := rooms[name]; !known && !slices.Contains(programs, name) {
			t.Errorf("doc.go has a line for %s, which is no room", name)
		}
	}
}

// The verbs in docs/README.md are those of the program.
func TestVerbsInReadme(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), build(t), "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(out), "\nBegin with:\n")
	list, _, _ = strings.Cut(list, "\nFlags:\n")
	if !found {
		t.Fatalf("pairrank help lists no verbs:\n%s", out)
	}
	var have, told []string
	for line := range strings.Lines(list) {
		verb, about, is := strings.Cut(strings.TrimSpace(line), "  ")
		if n := len([]rune(strings.TrimSpace(about))); n > 60 {
			t.Errorf("the help of %s has %d letters in its line, and 60 are enough", verb, n)
		}
		if is && verb != "help" {
			have = append(have, verb)
		}
	}
	_, line, _ := strings.Cut(read(t, "docs/README.md"), "\n**Verbs**: ")
	for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(line, -1) {
		told = append(told, m[1])
	}
	slices.Sort(have)
	slices.Sort(told)
	if !slices.Equal(have, told) {
		t.Errorf("the verbs of docs/README.md are %v, those of the program %v", told, have)
	}
}

// docs/decisions/README.md lists every decision.
func TestDecisionsAreListed(t *testing.T) {
	index := read(t, "docs/decisions/README.md")
	for _, page := range files(t, ".md") {
		if dir, name := path.Split(page); dir == "docs/decisions/" && name != "README.md" &&
			!strings.Contains(index, "("+name+")") {
			t.Errorf("docs/decisions/README.md does not list %s", name)
		}
	}
}

// The first word of a page of docs/ says its kind, and docs/README.md lists the page, once.
func TestPagesByKind(t *testing.T) {
	kinds := []string{"Tutorial", "How-to", "Reference", "Explanation"}
	index := read(t, "docs/README.md")
	for _, page := range files(t, ".md") {
		dir, name := path.Split(page)
		if dir != "docs/" || name == "README.md" {
			continue
		}
		_, text, _ := strings.Cut(read(t, page), "\n\n**")
		if kind, _, _ := strings.Cut(text, ".**"); !slices.Contains(kinds, kind) {
			t.Errorf("%s begins with %.20q, which is none of %v", page, kind, kinds)
		}
		if n := strings.Count(index[strings.Index(index, "\n|"):], "]("+name+")"); n != 1 {
			t.Errorf("the table of docs/README.md lists %s %d times", page, n)
		}
	}
}

// A page of evidence begins with its question, answer and number, within ten lines below its title.
func TestHeadsOfEvidence(t *testing.T) {
	for _, page := range files(t, ".md") {
		if dir, _ := path.Split(page); dir != "evidence/papers/" && dir != "evidence/checks/" {
			continue
		}
		head := strings.Split(read(t, page), "\n")[2:]
		head = head[:slices.Index(head, "")]
		k, words := 0, []string{"Question", "Answer", "Number"}
		for _, line := range head {
			if k < len(words) && strings.HasPrefix(line, "* **"+words[k]+"**: ") {
				k++
			}
		}
		if k < 3 || len(head) > 10 {
			t.Errorf("%s begins with %d lines, of question, answer and number %d", page, len(head), k)
		}
	}
}

// A message in docs/troubleshooting.md is one of the program: its parts between … stand in the source, or in what the
// tests of the command see it print.
func TestMessagesOfTroubleshooting(t *testing.T) {
	var all strings.Builder
	for _, ending := range []string{".go", ".txtar"} {
		for _, name := range files(t, ending) {
			if !strings.HasSuffix(name, "_test.go") {
				all.WriteString(read(t, name))
			}
		}
	}
	printed := all.String()
	_, table, _ := strings.Cut(read(t, "docs/troubleshooting.md"), "\n|---|---|\n")
	messages := 0
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		if len(cells) < 2 {
			break
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			messages++
			for part := range strings.SplitSeq(m[1], "…") {
				if !strings.Contains(printed, strings.TrimSpace(part)) {
					t.Errorf("docs/troubleshooting.md has %q, and nothing prints %q", m[1], part)
				}
			}
		}
	}
	if messages < 20 {
		t.Errorf("docs/troubleshooting.md has %d messages, want 20 at least", messages)
	}
}
