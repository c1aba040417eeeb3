package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/fault"
	"pairrank/format/table"
	"pairrank/internal/option"
	"pairrank/internal/quote"
	"pairrank/internal/report"
)

// learnsRows and learnsEdges are the verbs that learn from rows and from edges.
var (
	learnsRows  = []string{"train", "cv", "stream train"}
	learnsEdges = []string{"relation train", "relation cv"}
)

// suggested adds to the error of a verb about the columns of its data what the table looks like, and a command for it.
func (a *app) suggested(err error, cmd *cobra.Command) error {
	if err == nil || !a.maySuggest(err, cli.VerbOf(cmd)) {
		return err
	}
	if s := a.suggestion(cmd); s != nil {
		return cli.WithHint(err, "%s\n%s", s.Says(), s.Command)
	}
	return err
}

// suggest adds what the table looks like to a check that finds something wrong.
func (a *app) suggest(cmd *cobra.Command, d *report.Check) {
	if d.Errors+d.Warnings > 0 {
		d.Suggested = a.suggestion(cmd)
	}
}

// maySuggest reports whether an error is about what columns are, which other options may mend.
func (a *app) maySuggest(err error, verb string) bool {
	var (
		ambiguous *table.AmbiguousError
		text      *table.TextError
		labels    *table.TextLabelsError
		syntax    *table.SyntaxError
		of        *fault.Error
	)
	switch kind := table.FaultOf(err); {
	case slices.Contains(learnsEdges, verb):
		return errors.As(err, &syntax) || errors.Is(err, fs.ErrNotExist) ||
			cli.ExitCode(err) == cli.ExitUsage && strings.HasPrefix(err.Error(), "--rows FILE") // is missing
	case !slices.Contains(append(learnsRows, "leaderboard"), verb) || cli.ExitCode(err) != cli.ExitData:
		return false
	case errors.As(err, &of):
		return of.Code == pairrank.FaultRepeatedIDs || of.Code == pairrank.FaultSubject
	case errors.Is(err, table.ErrNoLabel), errors.Is(err, table.ErrUnnamed), errors.Is(err, table.ErrColumns),
		errors.Is(err, table.ErrScoreColumns), errors.As(err, &ambiguous), errors.As(err, &labels):
		return true
	case errors.As(err, &text):
		return text.Kind == table.FaultText || text.Kind == table.FaultDate
	default:
		return kind == table.FaultMissing || kind == table.FaultLabels || errors.As(err, &syntax) && syntax.Line == 1
	}
}

// suggestion is a guess of what the table of a verb is, and a command for it that keeps the options which were given;
// nil where nothing more can be said.
func (a *app) suggestion(cmd *cobra.Command) *report.Suggested {
	data, verb := cmd.Flags().Args(), cli.VerbOf(cmd)
	if len(data) == 0 || !again(data[0]) {
		return nil
	}
	given := a.givenOptions(cmd)
	if slices.Contains(learnsEdges, verb) {
		if s := related(verb, data[0], given); s != nil || given.value("rows") != "" {
			return s
		}
	}
	opts := table.Options{MaxLine: a.MaxLine, Decimal: table.Decimal(given.value("decimal")),
		Transpose: given.value("transpose") == "true"}
	for _, r := range table.Roles() {
		*r.In(&opts) = given.value(r.Flag())
	}
	opts.Ignore, _ = listOf(given.value("ignore-columns"))
	opts.Only, _ = listOf(given.value("feature-columns"))
	opts.Factors, _ = listOf(given.value("factor-columns"))
	of, options, says, err := table.Suggest(data[0], opts, verb)
	text := (&setFlags{format: cmp.Or(given.value("format"), "auto")}).formatHere(data[0]) == "svmlight"
	if sparse := slices.Contains(options, [2]string{"format", "svmlight"}); err != nil || len(options) == 0 ||
		sparse && text {
		return nil
	}
	if of == "train" && text {
		options = append([][2]string{{"format", "csv"}}, options...)
	}
	command := commandOf(verb, of, data, given, options)
	if command == "" {
		return nil
	}
	return &report.Suggested{Command: command, Guess: says}
}

// again reports whether a file can be read again, which a pipe cannot.
func again(file string) bool {
	info, err := os.Stat(file)
	return file != "-" && (err != nil || info.Mode().IsRegular() || hasParts(file))
}

// related is a command for the edges among the files of a verb of relations, if tables beside them have their nodes;
// nil where these files were given so.
func related(verb, edges string, given givenOptions) *report.Suggested {
	rows, cols := given.value("rows"), given.value("cols")
	for _, file := range []string{edges, rows, cols} {
		of, options, says, err := table.Suggest(file, table.Options{}, verb)
		if err != nil || of != "relation train" {
			continue
		}
		if file == edges && filepath.Clean(rows) == options[0][1] &&
			filepath.Clean(cmp.Or(cols, rows)) == options[len(options)-1][1] {
			return nil
		}
		given = slices.DeleteFunc(given, func(o givenOption) bool {
			return slices.Contains([]string{"rows", "cols", "transpose", "edge-format"}, o.name)
		})
		return &report.Suggested{Command: commandOf(verb, of, []string{file}, given, options), Guess: says}
	}
	return nil
}

// commandOf is a command line of a verb that a table suggests to another one: for the same kind of data it keeps what
// was given. It is "" where the verb does not have the options.
func commandOf(verb, suggested string, data []string, given givenOptions, options [][2]string) string {
	kept := sameData(verb, suggested)
	if kept && verb != "check" {
		suggested = verb
	}
	given = slices.DeleteFunc(given, func(o givenOption) bool {
		again := slices.ContainsFunc(options, func(s [2]string) bool { return s[0] == o.name })
		return !kept || again || option.Find(suggested, o.name) == nil || verb == "check" && o.name == "json"
	})
	output := slices.ContainsFunc(given, func(o givenOption) bool { return o.name == "output" })
	words := append(append([]string{"pairrank"}, strings.Fields(suggested)...), data...)
	for _, o := range given {
		words = append(words, o.words...)
	}
	for _, o := range options {
		if option.Find(suggested, o[0]) == nil {
			return ""
		}
		words = append(words, slices.DeleteFunc([]string{"--" + o[0], o[1]}, func(w string) bool { return w == "" })...)
	}
	if strings.HasSuffix(suggested, "train") && !output {
		words = append(words, "-o", "model")
	}
	for k := range words {
		words[k] = quote.ForShell(words[k])
	}
	return strings.Join(words, " ")
}

// sameData reports whether a verb reads the kind of data of the suggested one.
func sameData(verb, suggested string) bool {
	return verb == suggested || suggested == "train" && slices.Contains(append(learnsRows, "check"), verb) ||
		suggested == "relation train" && verb == "relation cv"
}

// givenOption is an option of the command line, as it was written.
type givenOption struct {
	name, value string
	words       []string
}

// givenOptions are the options of a command line.
type givenOptions []givenOption

// value is the first value of an option, "" where it is not given.
func (all givenOptions) value(name string) string {
	for _, o := range all {
		if o.name == name {
			return o.value
		}
	}
	return ""
}

// givenOptions are the options of the command line.
func (a *app) givenOptions(cmd *cobra.Command) (all givenOptions) {
	for k := 0; k < len(a.Args) && a.Args[k] != "--"; k++ {
		word := a.Args[k]
		name, value, is := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		of := cmd.Flags().Lookup(name)
		if !strings.HasPrefix(word, "--") {
			if of = nil; len(word) > 1 && word[0] == '-' {
				of, value, is = cmd.Flags().ShorthandLookup(word[1:2]), strings.TrimPrefix(word[2:], "="), len(word) > 2
			}
		}
		if of == nil {
			continue
		}
		o := givenOption{name: of.Name, value: cmp.Or(value, of.NoOptDefVal), words: []string{word}}
		if !is && of.NoOptDefVal == "" && k+1 < len(a.Args) {
			k++
			o.value, o.words = a.Args[k], append(o.words, a.Args[k])
		}
		all = append(all, o)
	}
	return all
}
