package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
)

// words of a shell: texts within quotes keep their blanks.
var shellWord = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`)

// exampleRuns are the runs of pairrank that the examples of a help have, as arguments.
func exampleRuns(example string) (runs [][]string) {
	example = strings.ReplaceAll(example, "\\\n", " ")
	for line := range strings.Lines(example) {
		line = regexp.MustCompile(`'(pairrank [^']*)'`).ReplaceAllString(line, "$1") // of another program
		for part := range strings.SplitSeq(line, "|") {
			_, part, is := strings.Cut(" "+part, " pairrank ")
			if !is {
				_, part, is = strings.Cut(part, "(pairrank ")
			}
			part, _, _ = strings.Cut(part, " > ")
			part = strings.TrimSuffix(strings.TrimSpace(part), ")")
			if !is {
				continue
			}
			var args []string
			for _, word := range shellWord.FindAllString(part, -1) {
				args = append(args, strings.Trim(word, `"'`))
			}
			runs = append(runs, args)
		}
	}
	return runs
}

// Every example of every help is a command that its verb takes: it is run in an empty folder, where it ends well or
// says that a file is not there. None is wrong usage.
func TestExamplesOfHelpsAreTaken(t *testing.T) {
	t.Chdir(t.TempDir())
	ran, told := 0, 0
	check := func(cmd *cobra.Command) {
		told += strings.Count(cmd.Example, "pairrank ")
		for _, args := range exampleRuns(cmd.Example) {
			o := outcomeOf(t, args)
			ran++
			missing := strings.Contains(o.stderr, "no such file") || strings.Contains(o.stderr, "does not exist")
			empty := strings.Contains(o.stderr, "standard input") // which has nothing here
			if o.code != cli.ExitOK && (o.code == cli.ExitUsage || !missing && !empty) {
				t.Errorf("pairrank %s: exit code %d: %s", strings.Join(args, " "), o.code, o.stderr)
			}
		}
	}
	root := newTestRoot(t)
	check(root)
	for _, cmd := range allVerbs(root) {
		check(cmd)
	}
	if ran < told*9/10 || ran < 100 {
		t.Errorf("%d of %d examples were run", ran, told)
	}
}
