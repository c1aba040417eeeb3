package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"

	"github.com/spf13/pflag"
)

var flagTable = flag.Bool("flagtable", false,
	"TestEveryFlagTells prints, with -v, a table: verb, flag, what it changes")

// probe is how a flag shows that it is not ignored: values to give it, "" for a
// flag without one. Where silent is empty, it changes what is printed or written,
// or the exit code, in every command of the corpus. Else it may change nothing in the
// commands named, for the reason given: "*" are all, one of which must change all the
// same, and "never" are all without that.
type probe struct {
	values []string
	silent []silence
}

// silence is a reason why a flag changes nothing in commands of the corpus.
type silence struct {
	commands string // their names, or * for all but those with a - before them, or never
	why      string
}

// silentIn reports whether nothing need change in a command.
func (p probe) silentIn(command string) bool {
	return p.never() || slices.ContainsFunc(p.silent, func(s silence) bool {
		names := strings.Fields(s.commands)
		return slices.Contains(names, command) || slices.Contains(names, "*") && !slices.Contains(names, "-"+command)
	})
}

// never reports whether nothing need change anywhere.
func (p probe) never() bool {
	return slices.ContainsFunc(p.silent, func(s silence) bool { return s.commands == "never" })
}

// give is a probe without exceptions.
func give(values ...string) probe { return probe{values: values} }

// but adds an exception.
func (p probe) but(commands, why string) probe {
	p.silent = append(slices.Clone(p.silent), silence{commands, why})
	return p
}

// outcome is all that a run shows.
type outcome struct {
	code           int
	stdout, stderr string
	files          string
}

// times are what differs between two runs of the same command.
var times = regexp.MustCompile(`(?s)(?m:^(?:seconds|stream) .*$)|"stream": \{.*?\}|` +
	`"seconds": \{.*?\}|<dt>time</dt><dd>.*?</dd>`)

// outcomeOf runs the program in the folder of the corpus and takes away what it writes.
func outcomeOf(t *testing.T, args []string) outcome {
	t.Helper()
	if err := os.Mkdir("out", 0o777); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll("out")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var stdout, stderr bytes.Buffer
	err := run(context.WithoutCancel(t.Context()), args, strings.NewReader(""), &stdout, &stderr)
	o := outcome{code: cli.ExitCode(err), stdout: times.ReplaceAllString(stdout.String(), ""),
		stderr: times.ReplaceAllString(stderr.String(), "")}
	err = filepath.WalkDir("out", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		o.files += name + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// changes names what differs from another outcome.
func (o outcome) changes(from outcome) (what []string) {
	if o.code != from.code {
		what = append(what, fmt.Sprintf("exit code %d", o.code))
	}
	if o.files != from.files {
		what = append(what, "files")
	}
	if o.stdout != from.stdout {
		what = append(what, "output")
	}
	if o.stderr != from.stderr {
		what = append(what, "standard error")
	}
	return what
}

// tells is what a flag does over the corpus.
type tells struct {
	works   []string // what changes where it is taken
	refused int      // commands that refuse it
	silent  []string // commands that succeed, and in which nothing changes
}

// tell gives a flag to the commands of its verb that do not have it yet.
func tell(t *testing.T, flag *pflag.Flag, p probe, corpus []command, base map[string]outcome) (r tells) {
	for _, c := range corpus {
		_, again := flag.Value.(*cli.OneValue).Value.(cli.Repeatable)
		if has := slices.Contains(c.args, "--"+flag.Name) || flag.Shorthand != "" &&
			slices.Contains(c.args, "-"+flag.Shorthand); has && !again {
			continue
		}
		silent := true
		for _, value := range p.values {
			given := []string{"--" + flag.Name + "=" + value}
			if value == "" {
				given = []string{"--" + flag.Name}
			}
			got := outcomeOf(t, append(slices.Clone(c.args), given...))
			what := got.changes(base[c.name])
			silent = silent && len(what) == 0
			switch {
			case got.code == cli.ExitUsage && base[c.name].code != cli.ExitUsage:
				r.refused++
			case len(what) > 0 && got.code != cli.ExitUsage:
				r.works = append(r.works, what...)
			}
		}
		if silent && c.code == cli.ExitOK {
			r.silent = append(r.silent, c.name)
		}
	}
	slices.Sort(r.works)
	r.works = slices.Compact(r.works)
	return r
}

// Every flag of every verb shows that it is obeyed: given to the commands of the
// corpus, it changes what is printed or written, or the exit code, in one at least
// that takes it, and in every other that succeeds without it, if only in that it is
// refused there. Exceptions stand in flagProbes with their
// reason. A flag without an entry there fails.
func TestEveryFlagTells(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand runs of the program, one after another")
	}
	// A run takes milliseconds, in which threads would wait for each other.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// Nor does it leave garbage that is worth a collection of its own: these took half of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	corpus := makeCorpus(t)
	base := map[string]outcome{}
	for _, verb := range corpus {
		for _, c := range verb {
			base[c.name] = outcomeOf(t, c.args)
			if got := base[c.name].code; got != c.code {
				t.Errorf("%s: exit code %d, want %d: %s", c.name, got, c.code, base[c.name].stderr)
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| verb | flag | given | what changes | refused in | nothing changes in "+
		"|\n|---|---|---|---|---|---|\n")
	seen := map[string]bool{}
	eachFlag(newTestRoot(t), func(verb string, flag *pflag.Flag) {
		name := verb + " --" + flag.Name
		p, known := probeOf(verb, flag.Name)
		if seen[name] {
			return // of all verbs, and visited with this one twice
		}
		seen[name] = true
		if !known {
			t.Errorf("%s has no entry in flagProbes: say which value shows that it is obeyed, or why nothing can", name)
			return
		}
		r := tell(t, flag, p, corpus[verb], base)
		for _, c := range r.silent {
			if !p.silentIn(c) {
				t.Errorf("%s=%v changes nothing in %s: %v", name, p.values, c, corpus.args(c))
			}
		}
		if len(r.works) == 0 && !p.never() {
			t.Errorf("%s=%v works in no command of the corpus", name, p.values)
		}
		reasons := ""
		for _, s := range p.silent {
			reasons += s.why + "; "
		}
		if len(r.silent) == 0 {
			reasons = ""
		}
		fmt.Fprintf(&table, "| %s | --%s | %s | %s | %d of %d | %s |\n", verb, flag.Name, strings.Join(p.values, " "),
			strings.Join(r.works, ", "),
			r.refused, len(corpus[verb]), strings.TrimSuffix(reasons, "; "))
	})
	for verb, flags := range flagProbes {
		for name := range flags {
			if verb != "" && !seen[verb+" --"+name] {
				t.Errorf("flagProbes has %s --%s, which is no flag", verb, name)
			}
		}
	}
	if *flagTable {
		os.Stdout.WriteString(table.String())
	}
}
