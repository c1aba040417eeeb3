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
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/table"
	"pairrank/internal/cellfault"
	"pairrank/internal/codes"
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
		syntax    *data.SyntaxError
		of        *fault.Error
	)
	switch kind := cellfault.Of(err); {
	case slices.Contains(learnsEdges, verb):
		return errors.As(err, &syntax) || errors.Is(err, fs.ErrNotExist) ||
			cli.ExitCode(err) == cli.ExitUsage && strings.HasPrefix(err.Error(), "--rows FILE") // is missing
	case !slices.Contains(append(learnsRows, "leaderboard"), verb) || cli.ExitCode(err) != cli.ExitData:
		return false
	case errors.As(err, &of):
		return of.Code == codes.FaultRepeatedIDs || of.Code == codes.FaultSubject
	case errors.Is(err, table.ErrNoLabel), errors.Is(err, table.ErrUnnamed), errors.Is(err, table.ErrColumns),
		errors.Is(err, table.ErrScoreColumns), errors.As(err, &ambiguous), errors.As(err, &labels):
		return true
	case errors.As(err, &text):
		return cellfault.Of(text) == cellfault.Text || cellfault.Of(text) == cellfault.Date
	default:
		return kind == cellfault.Missing || kind == cellfault.Labels || errors.As(err, &syntax) && syntax.Line == 1
	}
}

// suggestion is a guess of what the table of a verb is, and a command for it that keeps the options which were given;
// nil where nothing more can be said.
func (a *app) suggestion(cmd *cobra.Command) *report.Suggested {
	data, verb := cmd.Flags().Args(), cli.VerbOf(cmd)
	if len(data) == 0 || !again(data[0]) {
		return nil
	}
	if slices.Contains(learnsEdges, verb) {
		if s := related(cmd, data[0]); s != nil || given(cmd, "rows") != "" {
			return s
		}
	}
	opts := table.Options{MaxLine: a.MaxLine, Decimal: given(cmd, "decimal"),
		Transpose: given(cmd, "transpose") == "true"}
	for _, r := range table.Roles() {
		*r.In(&opts) = given(cmd, r.Flag())
	}
	opts.Ignore, _ = listOf(given(cmd, "ignore-columns"))
	opts.Only, _ = listOf(given(cmd, "feature-columns"))
	opts.Factors, _ = listOf(given(cmd, "factor-columns"))
	of, options, says, err := table.Suggest(data[0], opts, verb)
	text := (&setFlags{format: cmp.Or(given(cmd, "format"), "auto")}).formatHere(data[0]) == "svmlight"
	if sparse := slices.Contains(options, [2]string{"format", "svmlight"}); err != nil || len(options) == 0 ||
		sparse && text {
		return nil
	}
	if of == "train" && text {
		options = append([][2]string{{"format", "csv"}}, options...)
	}
	command := commandOf(cmd, of, data, options)
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
func related(cmd *cobra.Command, edges string) *report.Suggested {
	rows, cols := given(cmd, "rows"), given(cmd, "cols")
	for _, file := range []string{edges, rows, cols} {
		of, options, says, err := table.Suggest(file, table.Options{}, cli.VerbOf(cmd))
		if err != nil || of != "relation train" {
			continue
		}
		if file == edges && filepath.Clean(rows) == options[0][1] &&
			filepath.Clean(cmp.Or(cols, rows)) == options[len(options)-1][1] {
			return nil
		}
		command := commandOf(cmd, of, []string{file}, options, "rows", "cols", "transpose", "edge-format")
		return &report.Suggested{Command: command, Guess: says}
	}
	return nil
}

// commandOf is a command line of a verb that a table suggests to another one: for the same kind of data it keeps what
// was given, but for some options. It is "" where the verb does not have the options.
func commandOf(cmd *cobra.Command, suggested string, data []string, options [][2]string, but ...string) string {
	verb := cli.VerbOf(cmd)
	kept := sameData(verb, suggested)
	if kept && verb != "check" {
		suggested = verb
	}
	words := append(append([]string{"pairrank"}, strings.Fields(suggested)...), data...)
	output := false
	cmd.Flags().Visit(func(f *pflag.Flag) {
		again := slices.ContainsFunc(options, func(s [2]string) bool { return s[0] == f.Name })
		if kept && !again && !slices.Contains(but, f.Name) && option.Find(suggested, f.Name) != nil &&
			(verb != "check" || f.Name != "json") {
			words, output = append(words, wordsOf(f)...), output || f.Name == "output"
		}
	})
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

// given is the first text that an option was given as, "" where it was not.
func given(cmd *cobra.Command, name string) string {
	if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
		return f.Value.(*cli.OneValue).Texts[0]
	}
	return ""
}

// wordsOf are the words of a command line that give an option.
func wordsOf(f *pflag.Flag) (words []string) {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	for _, text := range f.Value.(*cli.OneValue).Texts {
		if f.NoOptDefVal == "" {
			words = append(words, name, text)
		} else {
			words = append(words, strings.TrimSuffix(name+"="+text, "="+f.NoOptDefVal))
		}
	}
	return words
}
