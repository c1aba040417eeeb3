package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

// flagsOf are the names of the flags of a verb, those of all verbs too.
func flagsOf(cmd *cobra.Command) []string {
	var names []string
	visit := func(flag *pflag.Flag) { names = append(names, flag.Name) }
	cmd.LocalFlags().VisitAll(visit)
	cmd.InheritedFlags().VisitAll(visit)
	return names
}

// Every flag of a verb with many has a group, and the first group has six.
func TestEveryFlagHasAGroup(t *testing.T) {
	root := newTestRoot(t)
	for _, cmd := range allVerbs(root) {
		verb, names := cli.VerbOf(cmd), flagsOf(cmd)
		const many = 20
		if len(names) < many {
			continue
		}
		group, first := map[string]string{}, 0
		for _, o := range option.Of(verb) {
			if group[o.Name] = o.Group; o.Group == option.FirstGroup {
				first++
			}
		}
		for _, name := range names {
			if group[name] == "" && name != "threads" && name != "help" {
				t.Errorf("%s --%s is in no group", verb, name)
			}
		}
		if _, plain := option.KindOf(verb); (plain == "train" || plain == "cv") && first != 6 {
			t.Errorf("%s: %d flags are below %q", verb, first, option.FirstGroup)
		}
	}
}

// The first screens are short: those of training have at most 110 lines of 80 columns.
func TestHelpIsShort(t *testing.T) {
	for _, verb := range []string{"train", "cv", "relation train", "relation cv", "stream train"} {
		const most = 110
		if lines := strings.Count(helpOf(t, append([]string{"help"}, strings.Fields(verb)...)...), "\n"); lines > most {
			t.Errorf("help %s has %d lines", verb, lines)
		} else {
			t.Logf("help %s has %d lines", verb, lines)
		}
	}
}

// helpOf is what a verb prints when it is asked for help.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, strings.NewReader(""), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The help of every verb keeps to the width, shows every flag once, and is one text
// however it is asked for.
func TestHelpKeepsToTheWidth(t *testing.T) {
	for _, width := range []struct {
		columns string
		most    int
	}{{"", 80}, {"64", 64}, {"100", 100}, {"500", 100}} {
		t.Setenv("COLUMNS", width.columns)
		for _, cmd := range allVerbs(newTestRoot(t)) {
			words := strings.Fields(cli.VerbOf(cmd))
			text := helpOf(t, append([]string{"help"}, words...)...)
			if text != helpOf(t, append(words, "--help")...) {
				t.Errorf("%s: help and --help differ", cmd.Name())
			}
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width.most {
					t.Errorf("%s: a line of the help has %d characters, more than %d: %q", cmd.Name(), n, width.most,
						line)
				}
			}
			_, list, _ := strings.Cut(text, "\nExamples:\n")
			_, list, _ = strings.Cut(list, "\n\n")
			for _, name := range flagsOf(cmd) {
				if flag := cmd.Flags().Lookup(name); flag != nil && flag.Hidden {
					continue
				}
				shown := len(regexp.MustCompile(`(?m)^(  -., |      )--`+name+`( |\[|$)`).FindAllString(list, -1))
				if o := option.Find(cli.VerbOf(cmd), name); shown == 0 && o != nil && o.Rare {
					shown = len(regexp.MustCompile(`--`+name+`[,:]`).FindAllString(list, -1))
				}
				if shown != 1 {
					t.Errorf("%s: the help shows --%s %d times", cmd.Name(), name, shown)
				}
			}
		}
	}
}

// kinds are those of the values of flags.
var kinds = map[string]string{
	"N": "a whole number", "F": "a number", "TIME": "as in 90s", "FILE": "a file, or - for a standard stream",
	"DIR": "a directory", "MODEL": "the file of a model",
	"NAME": "one of the names that the text ends with", "LIST": "with commas between its parts",
	"KERNEL": "as in gaussian:gamma=0.25", "METHOD": "as in kfold:10", "METRIC": "as in ndcg@10",
	"METRIC=VALUE": "as in ndcg@10=0.4", "NAME=SCORE": "as in gpt-4=1200", "NAME=MARGIN": "as in new=0.01",
	"COLUMN=VALUE": "as in judge=human", "CLAIM": "as in \"new beats old\"", "UNIT": "as in kfold:10",
	"COLUMN": "a name or a number", "TEXT": "of a label", "ID": "of a node or query",
	"TAG": "a word", "ADDRESS": "host:port",
}

// The help shows the kind of every value by a word of the table, in capital letters, not by
// a type of Go, and a default in one way: (default: …).
func TestHelpShowsKindsAndDefaultsInOneWay(t *testing.T) {
	head := regexp.MustCompile(`(?m)^(?:  -., |      )(--[a-z-]+)(?:\[?[ =]([^ \n\]]+))?\]?(?:  +(.*)|$)`)
	for _, cmd := range allVerbs(newTestRoot(t)) {
		verb := cli.VerbOf(cmd)
		_, list, _ := strings.Cut(helpOf(t, append([]string{"help"}, strings.Fields(verb)...)...), "\nExamples:\n")
		_, list, _ = strings.Cut(list, "\n\n")
		takes := map[string]string{}
		for _, m := range head.FindAllStringSubmatch(list, -1) {
			takes[strings.TrimPrefix(m[1], "--")] = m[2]
		}
		check := func(flag *pflag.Flag) {
			if o := option.Find(verb, flag.Name); flag.Hidden || o != nil && o.Rare && takes[flag.Name] == "" {
				return
			}
			kind, isSwitch := takes[flag.Name], flag.Value.Type() == "bool"
			if isSwitch != (kind == "") || !isSwitch && kinds[kind] == "" {
				t.Errorf("%s --%s takes %q, which is no kind of value: name it in backquotes in the text", verb,
					flag.Name, kind)
			}
			told := strings.Count(flag.Usage, "(default: ")
			if strings.Count(flag.Usage, "(default") != told || told > 1 {
				t.Errorf("%s --%s tells its default as %q", verb, flag.Name, flag.Usage)
			}
		}
		cmd.LocalFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	}
}
