package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

// The verbs stand in groups, the four of a beginner first, each in a line below 60 characters.
func TestVerbsInGroups(t *testing.T) {
	line := regexp.MustCompile(`(?m)^  [a-z]+  .*$`)
	for _, verb := range []string{"", "relation", "stream"} {
		_, text, _ := strings.Cut(helpOf(t, append([]string{"help"}, strings.Fields(verb)...)...), "\nExamples:\n")
		text, _, _ = strings.Cut(text, "\nFlags:\n")
		lines := line.FindAllString(text, -1)
		for _, l := range lines {
			if n := utf8.RuneCountInString(l); n >= 60 {
				t.Errorf("help %s: a line has %d characters: %q", verb, n, l)
			}
		}
		var names []string
		for _, l := range lines {
			names = append(names, strings.Fields(l)[0])
		}
		if verb == "" && !slices.Equal(names[:4], []string{"check", "cv", "train", "predict"}) {
			t.Errorf("the first verbs are %v", names[:4])
		}
	}
	titles := regexp.MustCompile(`(?m)^[A-Z][a-z ]+:$`).FindAllString(helpOf(t, "help"), -1)
	if want := []string{"Usage:", "Examples:", "Begin with:", "Rank:", "Estimate:", "Look:", "Use:", "Data:",
		"Large data:", "Program:", "Flags:"}; !slices.Equal(titles, want) {
		t.Errorf("the help has the titles %v, want %v", titles, want)
	}
}

// foreignWords are those that the help of an option does not say where the data are of a kind.
var foreignWords = map[option.Kind]*regexp.Regexp{
	option.Rows:   regexp.MustCompile(`\b(edges?|nodes?)\b`),
	option.Stream: regexp.MustCompile(`\b(edges?|nodes?|DATA)\b`),
	option.Edges:  regexp.MustCompile(`\b(quer(y|ies)|qid|DATA|model of edges|basis|features? selection)\b`),
}

// choices are the options whose names the help of other options says.
var choices = []string{"learner", "solver"}

// The help of an option speaks of the verb and of the kind of data: it names only options that the verb has, only
// learners and solvers that it takes, and nothing of other data.
func TestHelpsSpeakOfTheirData(t *testing.T) {
	mentions, sentences := regexp.MustCompile(`--([a-z-]+[a-z])`), 0
	names := map[string]bool{} // of learners and solvers
	for _, o := range choices {
		for _, name := range slices.Concat(option.Find("train", o).Names, option.Find("train", o).EdgeNames) {
			names[name] = !slices.Contains([]string{"auto", "similarity", "sparse"}, name) // which are words, too
		}
	}
	for _, cmd := range allVerbs(newTestRoot(t)) {
		verb := cli.VerbOf(cmd)
		kind, _ := option.KindOf(verb)
		takes := map[string]bool{}
		for _, name := range choices {
			for _, o := range option.Of(verb) {
				for _, value := range o.Names {
					takes[value] = takes[value] || o.Name == name
				}
			}
		}
		for _, o := range option.Of(verb) {
			flag := cmd.Flags().Lookup(o.Name)
			if flag == nil || flag.Hidden {
				continue
			}
			sentences++
			text, _, _ := strings.Cut(o.Help, "; NAME=FILE") // without names of its own
			t.Logf("%s --%s: %s", verb, o.Name, flag.Usage)
			if m := foreignWords[kind]; m != nil && m.MatchString(text) {
				t.Errorf("%s --%s speaks of %q: %s", verb, o.Name, m.FindString(text), text)
			}
			for _, m := range mentions.FindAllStringSubmatch(text, -1) {
				if cmd.Flags().Lookup(m[1]) == nil && !strings.Contains(text, "update --"+m[1]) {
					t.Errorf("%s has no --%s, which --%s speaks of: %s", verb, m[1], o.Name, text)
				}
			}
			for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) {
				if names[word] && !takes[word] {
					t.Errorf("%s takes no %s, which --%s speaks of: %s", verb, word, o.Name, text)
				}
			}
		}
	}
	t.Logf("%d sentences", sentences)
}
