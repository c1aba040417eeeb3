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

// The table of verbs in docs/README.md has the verbs of the program.
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
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)[^|]*` \\|").FindAllStringSubmatch(read(t,
		"docs/README.md"), -1) {
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

// docs/README.md lists every page of docs/ under its kind, which the first word of the page says.
func TestPagesByKind(t *testing.T) {
	kinds := map[string]string{"Tutorial": "Tutorials", "How-to": "How-to", "Reference": "Reference",
		"Explanation": "Explanation"}
	index := read(t, "docs/README.md")
	for _, page := range files(t, ".md") {
		dir, name := path.Split(page)
		if dir != "docs/" || name == "README.md" {
			continue
		}
		_, text, _ := strings.Cut(read(t, page), "\n\n**")
		kind, _, _ := strings.Cut(text, ".**")
		_, list, found := strings.Cut(index, "\n## "+kinds[kind]+"\n")
		list, _, _ = strings.Cut(list, "\n## ")
		if !found || !strings.Contains(list, "]("+name+")") {
			t.Errorf("%s begins with the kind %.20q, and docs/README.md does not list it there", page, kind)
		}
	}
}
