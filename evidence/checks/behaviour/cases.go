package main

import (
	"embed"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A file of cases has a line for each. Lines that begin with # are comments, and
// [NAME] begins a group. A case is the command line without the name of the program,
// with words as a shell has them, but for variables and backslashes:
//
//	!N            in front: the exit code is known to be N, not 0
//	NAME=VALUE    in front: in the environment
//	< FILE        at the end: standard input, else there is none
//	< ^C          at the end: standard input does not end, and the program is interrupted
//	> FILE        at the end: standard output goes there, and is not looked at
//	>&-           at the end: standard output is closed
//
// Flags are tried in many commands by lines that begin with @ and +: a line @ is a
// case, and each line + after it in its group is added to all lines @ of the group
// that do not have its flag yet. Their exit codes are not known.
//
//go:embed cases/*.txt
var caseFiles embed.FS

// testCase is a command line.
type testCase struct {
	group, place string // place is file:line
	line         string // as it stands in the file, without the exit code
	rest         string // of the line, after the environment
	exit         int    // that is known, or unknown
	env, args    []string
	stdin        string // file, or ""
	stdout       string // file, or "" where it is compared, or - where it is closed
	oneThread    bool   // --threads 1 is given
}

// name is the case for people.
func (c testCase) name() string {
	name := strings.Join(append(slices.Clone(c.env), "pairrank", c.rest), " ")
	if c.oneThread {
		name += "  (with --threads 1)"
	}
	return name
}

// words are the arguments of the program.
func (c testCase) words() []string {
	if !c.oneThread {
		return c.args
	}
	return append([]string{c.args[0], "--threads", "1"}, c.args[1:]...)
}

// readCases reads the cases of a file, or with "" those of this package.
func readCases(name string) (all []testCase, err error) {
	if name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return parseCases(path.Base(name), string(text))
	}
	entries, err := caseFiles.ReadDir("cases")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := caseFiles.ReadFile("cases/" + e.Name())
		if err != nil {
			return nil, err
		}
		some, err := parseCases(e.Name(), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// unknown is the exit code of a case for which none is noted.
const unknown = -2

// caseReader gathers the cases of a file.
type caseReader struct {
	group string
	bases []string // lines @ of the group
	seen  map[string]bool
	all   []testCase
}

func parseCases(file, text string) ([]testCase, error) {
	r := &caseReader{group: strings.TrimSuffix(file, ".txt"), seen: map[string]bool{}}
	for k, line := range strings.Split(text, "\n") {
		if err := r.read(strings.TrimSpace(line), fmt.Sprintf("%s:%d", file, k+1)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, k+1, err)
		}
	}
	return r.all, nil
}

// read takes in a line.
func (r *caseReader) read(line, place string) error {
	switch {
	case line == "" || strings.HasPrefix(line, "#"):
		return nil
	case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		r.group, r.bases = line[1:len(line)-1], nil
		return nil
	case strings.HasPrefix(line, "@ "):
		r.bases = append(r.bases, line[2:])
		return r.add(line[2:], place, unknown)
	case strings.HasPrefix(line, "+ "):
		flag, _, _ := strings.Cut(line[2:], " ")
		flag, _, _ = strings.Cut(flag, "=")
		for k, base := range r.bases {
			if strings.Contains(base+" ", " "+flag+" ") {
				continue
			}
			if err := r.add(base+line[1:], fmt.Sprintf("%s.%d", place, k+1), unknown); err != nil {
				return err
			}
		}
		return nil
	}
	return r.add(line, place, 0)
}

// add takes in a case. exit is its exit code where none stands in the line.
func (r *caseReader) add(line, place string, exit int) error {
	c, err := parseCase(line, exit)
	if err != nil {
		return err
	}
	if r.seen[c.line] {
		return fmt.Errorf("the case stands above already: %s", c.line)
	}
	r.seen[c.line] = true
	c.group, c.place = r.group, place
	c.oneThread = len(r.all)%2 == 1 && c.takesThreads()
	r.all = append(r.all, c)
	return nil
}

// takesThreads reports whether --threads 1 can be given after the first word.
func (c testCase) takesThreads() bool {
	if len(c.args) == 0 || strings.HasPrefix(c.args[0], "-") || strings.HasPrefix(c.args[0], "__") {
		return false
	}
	for _, a := range c.args {
		if strings.HasPrefix(a, "--threads") {
			return false
		}
	}
	return true
}

var setting = regexp.MustCompile(`^[A-Z_]+=`)

func parseCase(line string, exit int) (c testCase, err error) {
	c.line, c.rest, c.exit = line, line, exit
	words, err := splitWords(line)
	if err != nil {
		return c, err
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "!") {
		if c.exit, err = strconv.Atoi(words[0][1:]); err != nil {
			return c, fmt.Errorf("%q is no exit code", words[0])
		}
		c.line = strings.TrimSpace(line[len(words[0]):])
		c.rest, words = c.line, words[1:]
	}
	for len(words) > 0 && setting.MatchString(words[0]) {
		c.rest = strings.TrimSpace(c.rest[len(words[0]):])
		c.env, words = append(c.env, words[0]), words[1:]
	}
	if n := len(words); n > 0 && words[n-1] == ">&-" {
		c.stdout, words = "-", words[:n-1]
	}
	for n := len(words); n > 1 && (words[n-2] == "<" || words[n-2] == ">"); n = len(words) {
		if words[n-2] == "<" {
			c.stdin = words[n-1]
		} else {
			c.stdout = words[n-1]
		}
		words = words[:n-2]
	}
	c.args = words
	return c, nil
}

// splitWords splits at blanks; what stands between quotes is kept as it is.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			begun = false
			word.Reset()
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote does not end: %s", line)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// chosen are the cases whose line or [group] matches.
func chosen(all []testCase, only *regexp.Regexp) (some []testCase) {
	for _, c := range all {
		if only.MatchString(c.line) || only.MatchString("["+c.group+"]") {
			some = append(some, c)
		}
	}
	return some
}

// intention is a difference that is meant to be.
type intention struct {
	cases  *regexp.Regexp
	reason string
}

// readIntentions reads lines of a regular expression, a tab and a reason.
func readIntentions(name string) (all []intention, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for k, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, reason, found := strings.Cut(line, "\t")
		if reason = strings.TrimSpace(reason); !found || reason == "" {
			return nil, fmt.Errorf("%s:%d: the form is regular expression, tab, reason", name, k+1)
		}
		cases, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, k+1, err)
		}
		all = append(all, intention{cases, reason})
	}
	return all, nil
}
