package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/parquet"
	"pairrank/format/table"
	"pairrank/internal/cellfault"
	"pairrank/internal/option"
	"pairrank/internal/quote"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// rowsFlagNames are the flags about reading rows.
var rowsFlagNames = slices.Concat(columnFlagNames, []string{"format", "missing", "zero-based", "no-label"})

// columnFlagNames are the flags about the columns of a table of text.
var columnFlagNames = func() (names []string) {
	for _, one := range new(setFlags).columnFlags() {
		names = append(names, one.name)
	}
	return names
}()

// columnFlag is a flag about columns, and its value as far as it is a text, "" where it was not given.
type columnFlag struct{ name, text string }

// columnFlags are the flags about the columns of a table.
func (f *setFlags) columnFlags() (all []columnFlag) {
	c := &f.columns
	for _, r := range table.Roles() {
		all = append(all, columnFlag{r.Flag(), *r.In(c)})
	}
	given := func(is bool) string { return map[bool]string{true: "true"}[is] }
	return append(all, columnFlag{"positive", c.Positive}, columnFlag{"ignore-columns", strings.Join(c.Ignore, ",")},
		columnFlag{"feature-columns", strings.Join(c.Only, ",")}, columnFlag{"factor-columns", given(c.Factors != nil)},
		columnFlag{"missing-in", given(c.MissingIn != nil)},
		columnFlag{"transpose", given(f.transpose != nil && *f.transpose)}, columnFlag{"decimal", c.Decimal})
}

// given is the first flag about columns that was given, "" for none.
func (f *setFlags) given() string {
	for _, one := range f.columnFlags() {
		if one.text != "" {
			return one.name
		}
	}
	return ""
}

// readTable reads the rows of a table.
func (a *app) readTable(path, format string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	opts := f.tableOptions(a, format, o, missing).Each(o.Scoring.each())
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	set, err := cli.AwaitFor(a.Ctx, func() (*data.Set, error) {
		return withRows(a, path, format, func(read readRows) (*data.Set, error) { return read(opts) })
	})
	switch {
	case err != nil && o.Substitutes.Levels() != nil && cellfault.Of(err) == cellfault.Missing:
		return nil, cli.WithHint(err, noLevel)
	case err != nil && o.Features > 0 && cellfault.Of(err) == cellfault.Missing:
		return nil, cli.WithHint(err, "train --missing mean keeps a value for each feature, and --missing zero takes 0")
	case err != nil:
		return nil, likeTraining(f.columnError(checkHint(err, path, o), format))
	}
	_, n := set.X.Dims()
	a.tellColumns(path, set, n)
	return set, nil
}

// tellColumns tells what the columns of a table are, of which n are features.
func (a *app) tellColumns(path string, set *data.Set, n int) {
	a.Note("%s: columns: %s, %s", cli.Shown(path), report.ColumnsOf(set), spell.Plural(n, "feature"))
}

// formatByName is the format that the name of a file stands for.
func formatByName(path string) string {
	if table.FormatOf(path) == table.JSON {
		return "jsonl"
	}
	return formatOf(path)
}

// readRows reads a table that is open.
type readRows func(opts table.Options) (*data.Set, error)

// withRows is what use makes of the table of a file, or of standard input.
func withRows[T any](a *app, path, format string, use func(read readRows) (T, error)) (T, error) {
	arrays := format == "npz" || format == "npy" || format == "parquet"
	if !arrays && (path == "-" || formatByName(path) != format) {
		from := table.ReadSetFrom
		if format == "jsonl" {
			from = table.ReadJSONLines
		}
		return cli.ReadBy(a.App, path, func(r io.Reader, name string) (T, error) {
			return use(func(opts table.Options) (*data.Set, error) { return from(r, name, opts) })
		})
	}
	v, err := use(func(opts table.Options) (*data.Set, error) { return table.ReadSet(path, opts) })
	return v, cli.ReadError(err)
}

// checkHint names the verb that lists all errors of a table. A reader returns only the first.
// It has no hint where a table lacks what a model needs, which the verb does not know.
func checkHint(err error, path string, o readOptions) error {
	var syntax *data.SyntaxError
	kind := cellfault.Of(err)
	unknown := kind == cellfault.Foreign || kind == cellfault.Other && o.Features > 0
	if !errors.As(err, &syntax) || path == "-" || unknown {
		return err
	}
	return cli.WithHint(err, "pairrank check %s lists everything that is wrong", path)
}

// tableOptions are the options of reading a table.
func (f *setFlags) tableOptions(a *app, format string, o readOptions, missing data.Missing) table.Options {
	opts := f.columns
	opts.MayLackLabel, opts.Transpose = o.NoLabel, f.transpose != nil && *f.transpose
	opts.MaxLine, opts.Missing, opts.Substitutes, opts.Rows.KeepNotes = a.MaxLine, missing, o.Substitutes, o.Notes
	opts.Features, opts.Names, opts.Schema, opts.Extra = o.Features, o.Names, o.Schema, f.extra == "ignore"
	opts.Separator = map[string]byte{"csv": ',', "tsv": '\t'}[format]
	return opts
}

// timeWay is the way out of an error about times and their events, "" for others.
func (f *setFlags) timeWay(err error) string {
	var ambiguous *table.AmbiguousError
	switch {
	case f.columns.Times.Column == "":
	case cellfault.Of(err) == cellfault.Labels:
		return "--positive TEXT says which text is an event that was seen"
	case errors.As(err, &ambiguous) && ambiguous.Role == "time":
		return "--ignore-columns leaves it out, and --feature-columns that names it accepts it as a feature"
	}
	return ""
}

// columnError adds the way out to an error about the columns of a table.
func (f *setFlags) columnError(err error, format string) error {
	var (
		ambiguous *table.AmbiguousError
		text      *table.TextError
		values    *parquet.ValuesError
	)
	if way := cmp.Or(f.timeWay(err), f.labelWay(err)); way != "" {
		return cli.WithHint(err, "%s", way)
	}
	switch {
	case errors.Is(err, table.ErrUnnamed):
		const way = "--ignore-columns NUMBER leaves it out; row.names = FALSE of R and index=False of pandas write none"
		return cli.WithHint(err, way)
	case errors.As(err, &ambiguous):
		flag := map[string]string{"query": "qid", "id": "id"}[ambiguous.Role]
		return cli.WithHint(err, "--%s-column COLUMN says which it is, and --ignore-columns leaves the other one out", flag)
	case errors.As(err, &text) && cellfault.Of(text) == cellfault.Date:
		return cli.WithHint(err, "give numbers, as the days since some date, or --ignore-columns %s",
			quote.ForShell(text.Column))
	case errors.As(err, &values):
		return cli.WithHint(err, "--ignore-columns %s leaves it out", quote.ForShell(values.Column))
	case errors.As(err, &text) && cellfault.Of(text) == cellfault.Text:
		return cli.WithHint(err, "where the column holds texts: --id-column names the rows by it, --factor-columns makes "+
			"features of them, --ignore-columns leaves it out")
	case cellfault.Of(err) == cellfault.Thousands && option.Find(f.verb, "decimal") == nil:
		return cli.WithHint(err, "pairrank convert IN OUT --decimal point, or comma, writes plain numbers")
	case waysOut[cellfault.Of(err)] != "":
		return cli.WithHint(err, "%s", waysOut[cellfault.Of(err)])
	}
	return err
}

// labelWay is the way out of an error about the column of labels; "" of others.
func (f *setFlags) labelWay(err error) string {
	var texts *table.TextLabelsError
	switch {
	case errors.Is(err, table.ErrNoLabel) && option.Find(f.verb, "no-label") != nil:
		return "--label-column COLUMN names the labels, by name or number, and --no-label reads rows without"
	case errors.Is(err, table.ErrNoLabel):
		return "--label-column COLUMN names the labels, by name or number"
	case errors.As(err, &texts) && len(texts.Levels) == 2:
		return fmt.Sprintf("--positive %s or --positive %s says which text counts as 1",
			quote.ForShell(texts.Levels[0]), quote.ForShell(texts.Levels[1]))
	case errors.As(err, &texts):
		return "--label-column COLUMN names another column, by name or number"
	}
	return ""
}

// waysOut are the ways out of faults of a table.
var waysOut = map[cellfault.Kind]string{
	cellfault.Fields: "a field with the separator in it stands in quotes; remove titles and notes around rows",
	cellfault.Quotes: "a field that begins with quotes ends with quotes: double those within it, or remove those that " +
		"begin it",
	cellfault.Header:     "remove the header of each file but the first before joining files",
	cellfault.Blank:      "remove rows that hold nothing, as spreadsheets write below a table",
	cellfault.Unlabelled: "remove rows without a label, such as totals below the table; predict needs no labels",
	cellfault.Unnamed:    "fill in the name, or --ignore-columns leaves the column out",
	cellfault.Missing:    "--missing mean fills in missing values of features, --missing-in those of single columns",
	cellfault.Mark:       "write NA, or nothing, where a value is missing",
	cellfault.Amount: "write plain numbers: 1234.5, not 1,234.5 or 5 %; decimal commas need semicolons between " +
		"fields",
	cellfault.Infinite: "write NA, or nothing, where a value is missing",
	cellfault.Signs: "write all decimals with a comma, or all with a point; --decimal comma takes points between " +
		"thousands",
	cellfault.Thousands: "--decimal point takes points as decimal points, and --decimal comma as signs between " +
		"thousands",
	cellfault.Foreign: "save the table as CSV in UTF-8; iconv -f utf-16 -t utf-8 makes UTF-8 of UTF-16",
	cellfault.Digits: "write names as texts or whole numbers before they become floats: dtype=str of read_csv, or " +
		"astype('Int64') where values are missing",
	cellfault.Encoding: "iconv -f windows-1252 -t utf-8 makes UTF-8 of the most usual older encoding",
}

// notAuto reads an option that is "" for auto.
func notAuto(text string) (string, error) {
	if text == "auto" {
		text = ""
	}
	return text, nil
}

// missingIn reads --missing-in.
func missingIn(text string) (map[string]data.Missing, error) {
	treatments, err := listOf(text)
	if err != nil {
		return nil, err
	}
	all := map[string]data.Missing{}
	for _, item := range treatments {
		column, name, is := cutLast(item, "=")
		by, err := data.ParseMissing(name)
		if !is || err != nil {
			return nil, fmt.Errorf("%q is not COLUMN=TREATMENT", item)
		}
		all[column] = by
	}
	return all, nil
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
func listOf(text string) ([]string, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1 || slices.Contains(lines[0], "") {
		return nil, cli.WithHint(fmt.Errorf("%q is no list", text),
			`a name with a comma stands in quotes: '"a,b",c'`)
	}
	return lines[0], nil
}
