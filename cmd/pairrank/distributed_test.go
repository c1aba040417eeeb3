package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandsIn are the forms in which the examples have a command: the list of a container,
// that of aws batch submit-job, JSON, or a line of a shell script.
var commandsIn = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^ *args: \[(.*)\]$`),
	regexp.MustCompile(`command=\[(.*)\]`),
	regexp.MustCompile(`"commands": \[(.*)\]`),
	regexp.MustCompile(`(?m)^(?:exec )?pairrank (.*)$`),
}

// variable is one of a shell.
var variable = regexp.MustCompile(`\$\{[^}]*\}|\$\w+`)

// The commands of the examples are ones that the program takes, and the JSON is JSON. There
// is no parser of YAML here.
func TestExamplesOfManyMachines(t *testing.T) {
	names, err := filepath.Glob("../../examples/distributed/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".json" && !json.Valid(text) {
			t.Errorf("%s is not JSON", name)
		}
		found := 0
		for _, form := range commandsIn {
			for _, m := range form.FindAllStringSubmatch(string(text), -1) {
				found++
				words := strings.FieldsFunc(variable.ReplaceAllString(m[1], "1"),
					func(r rune) bool { return strings.ContainsRune(`, "`, r) })
				cmd, rest, err := newTestRoot(t).Find(words)
				if err == nil {
					err = cmd.ParseFlags(rest)
				}
				if err == nil {
					err = cmd.Args(cmd, cmd.Flags().Args())
				}
				if err != nil {
					t.Errorf("%s: %q: %v", name, m[1], err)
				}
			}
		}
		if found == 0 && filepath.Ext(name) != ".md" {
			t.Errorf("%s has no command of pairrank", name)
		}
	}
}
