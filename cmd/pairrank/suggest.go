package main

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/fault"
	"pairrank/internal/option"
	"pairrank/internal/quote"
	"pairrank/internal/report"
)

// learnsRows are the verbs that learn from rows.
var learnsRows = []string{"train", "cv", "stream train"}

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
	case verb == "relation train", verb == "relation cv":
		return cli.ExitCode(err) == cli.ExitUsage && strings.HasPrefix(err.Error(), "--rows FILE") // is missing
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
	if len(data) == 0 || data[0] == "-" {
		return nil
	}
	if info, err := os.Stat(data[0]); err == nil && !info.Mode().IsRegular() && !hasParts(data[0]) {
		return nil // a pipe cannot be read again
	}
	given := a.givenOptions(cmd)
	value := func(name string) string {
		if k := slices.IndexFunc(given, func(o givenOption) bool { return o.name == name }); k >= 0 {
			return given[k].value
		}
		return ""
	}
	opts := table.Options{MaxLine: a.MaxLine, Decimal: table.Decimal(value("decimal")),
		Transpose: value("transpose") == "true"}
	for _, r := range table.Roles() {
		*r.In(&opts) = value(r.Flag())
	}
	opts.Ignore, _ = listOf(value("ignore-columns"))
	opts.Only, _ = listOf(value("feature-columns"))
	opts.Factors, _ = listOf(value("factor-columns"))
	of, options, says, err := table.Suggest(data[0], opts, verb)
	text := (&setFlags{format: cmp.Or(value("format"), "auto")}).formatHere(data[0]) == "svmlight"
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

// commandOf is a command line of a verb that a table suggests to another one: for the same kind of data it keeps what
// was given. It is "" where the verb does not have the options.
func commandOf(verb, suggested string, data []string, given []givenOption, options [][2]string) string {
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

// givenOptions are the options of the command line.
func (a *app) givenOptions(cmd *cobra.Command) (all []givenOption) {
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
