package main

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/option"
	"pairrank/internal/spell"
	"pairrank/report"
)

// readTable reads the rows of a table.
func (a *app) readTable(path, format string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	opts, err := f.columns.options()
	if err != nil {
		return nil, err
	}
	opts.NoLabel, opts.MayLackLabel, opts.Transpose = f.noLabel, o.NoLabel, f.transpose != nil && *f.transpose
	opts.MaxLine, opts.Missing, opts.KeepNotes = a.MaxLine, missing, o.Notes
	opts.Features, opts.Names, opts.Schema, opts.Extra = o.Features, o.Names, o.Schema, f.extra == "ignore"
	opts.Separator = map[string]byte{"csv": ',', "tsv": '\t'}[format]
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	set, err := cli.AwaitFor(a.Ctx, func() (set *data.Set, err error) {
		if format == "npz" || format == "npy" {
			set, err = table.ReadSet(path, opts)
			return set, cli.ReadError(err)
		}
		read := table.ReadSetFrom
		if format == "jsonl" {
			read = table.ReadJSONLines
		}
		err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			set, err = read(r, name, opts)
			return err
		})
		return set, err
	})
	if err != nil {
		return nil, extraError(f.columnError(err, format))
	}
	_, n := set.X.Dims()
	a.Note("%s: columns: %s, %s", cli.Shown(path), report.ColumnsOf(set), spell.Plural(n, "feature"))
	return set, nil
}

// columnError adds the way out to an error about the columns of a table.
func (f *setFlags) columnError(err error, format string) error {
	var (
		syntax    *table.SyntaxError
		ambiguous *table.AmbiguousError
		labels    *table.TextLabelsError
		text      *table.TextError
	)
	switch {
	case errors.Is(err, table.ErrNoLabel):
		way := "--label-column COLUMN names the labels, by name or number"
		if option.Find(f.verb, "no-label") != nil {
			way += ", and --no-label reads rows without"
		}
		return cli.WithHint(err, "%s", way)
	case errors.Is(err, table.ErrUnnamed):
		const way = "--ignore-columns NUMBER leaves it out; row.names = FALSE of R and index=False of pandas write none"
		return cli.WithHint(err, way)
	case errors.As(err, &ambiguous):
		flag := map[string]string{"query": "qid", "id": "id"}[ambiguous.Role]
		return cli.WithHint(err, "--%s-column COLUMN says which it is, and --ignore-columns leaves the other one out", flag)
	case errors.As(err, &labels) && len(labels.Levels) == 2:
		return cli.WithHint(err, "--positive %s or --positive %s says which text counts as 1",
			inShell(labels.Levels[0]), inShell(labels.Levels[1]))
	case errors.As(err, &labels):
		return cli.WithHint(err, "--label-column COLUMN names another column, by name or number")
	case errors.As(err, &text) && text.Date:
		return cli.WithHint(err, "give numbers, as the days since some date, or --ignore-columns %s",
			inShell(text.Column))
	case errors.As(err, &text):
		return cli.WithHint(err, "where the column holds texts: --id-column names the rows by it, --factor-columns makes "+
			"features of them, --ignore-columns leaves it out")
	case errors.As(err, &syntax) && format == "npy" && !f.noLabel:
		return cli.WithHint(err, "--no-label reads rows without labels, to score them")
	}
	return err
}

// options are the options of reading that the flags name.
func (f *columnFlags) options() (o table.Options, err error) {
	o = table.Options{Label: f.label, QID: f.qid, ID: f.id, Group: f.group, Fold: f.fold, Positive: f.positive}
	var treatments []string
	for _, list := range []struct {
		flag, text string
		to         *[]string
	}{{"ignore-columns", f.ignore, &o.Ignore}, {"feature-columns", f.features, &o.Only},
		{"factor-columns", f.factors, &o.Factors}, {"missing-in", f.missing, &treatments}} {
		if *list.to, err = listOf(list.flag, list.text); err != nil {
			return o, err
		}
	}
	for _, item := range treatments {
		column, name, is := cutLast(item, "=")
		by, err := data.ParseMissing(name)
		if !is || err != nil {
			return o, cli.Usagef("--missing-in takes COLUMN=TREATMENT, and %q is none", item)
		}
		if o.MissingIn == nil {
			o.MissingIn = map[string]data.Missing{}
		}
		o.MissingIn[column] = by
	}
	return o, nil
}

// inShell is a text as a shell takes it: in quotes where it has more than letters, digits and the like.
func inShell(text string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.,:/+@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// cutLast cuts a text at the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// listOf are the items of a list; those with a comma stand in quotes.
func listOf(flag, text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1 || slices.Contains(lines[0], "") {
		return nil, cli.WithHint(cli.Usagef("--%s takes a list, not %q", flag, text),
			`a name with a comma stands in quotes: '"a,b",c'`)
	}
	return lines[0], nil
}
