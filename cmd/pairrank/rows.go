package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/option"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/report"
)

// setFlags are the flags of the verbs that read rows.
type setFlags struct {
	verb       string
	format     string
	missing    string
	zeroBased  bool
	label, qid string // columns of a table
	ignore     string // a list of those that are left out
	noLabel    bool
	extra      string // what is done with features that training never saw: error or ignore
}

// targets are where the values of the options of reading rows go. A verb without --format reads by names.
func (f *setFlags) targets(verb string) cli.Targets {
	f.verb, f.format = verb, "auto"
	return cli.Targets{
		"format": &f.format, "missing": &f.missing, "zero-based": &f.zeroBased, "label-column": &f.label,
		"qid-column": &f.qid, "ignore-columns": &f.ignore, "no-label": &f.noLabel, "extra-features": &f.extra,
	}
}

// rowsFlagNames are the flags about reading rows.
var rowsFlagNames = []string{
	"format", "missing", "zero-based", "label-column", "qid-column", "ignore-columns", "no-label",
}

// extraError adds the way out where rows or nodes have features that training never
// saw.
func extraError(err error) error {
	var feature *model.FeatureError
	if errors.As(err, &feature) && feature.Extra || errors.Is(err, data.ErrExtraFeatures) {
		return cli.WithHint(err, "--extra-features ignore leaves out the features that training never saw")
	}
	return err
}

// readOptions are what the verb, not the user, asks of the rows.
type readOptions struct {
	Storage  svmlight.Storage // auto, dense or sparse
	Features int              // that the rows get, more are an error; 0: as many as there are
	Comments bool             // keep the comments, for the names of the documents
	Notes    bool             // keep the lines of comments
}

// formatOf is the format that the ending of a name stands for, before .gz or .zst.
func formatOf(path string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	switch ext := strings.ToLower(filepath.Ext(base)); ext {
	case ".csv", ".tsv", ".npy", ".npz":
		return ext[1:]
	}
	return "svmlight"
}

// formatFor is how rows are read from a file; flags that do not fit its format are
// refused.
func (f *setFlags) formatFor(path string) (format string, missing data.Missing, err error) {
	if format = f.format; format == "auto" {
		format = formatOf(path)
	}
	if err := cmp.Or(f.checkFormat(path, format), checkArrays(path, format)); err != nil {
		return "", 0, err
	}
	missing, err = data.ParseMissing(f.missing)
	return format, missing, cli.AsUsage(err)
}

// checkFormat refuses flags that are for other formats.
func (f *setFlags) checkFormat(path, format string) error {
	switch {
	case f.zeroBased && format != "svmlight":
		return cli.Usagef("--zero-based is for the SVMlight format, and %s is %s", cli.Shown(path), format)
	case (f.label != "" || f.qid != "" || f.ignore != "") && !isText(format):
		return cli.Usagef("--label-column, --qid-column and --ignore-columns are for CSV and TSV, and %s is %s",
			cli.Shown(path), format)
	case f.noLabel && format == "svmlight":
		return cli.Usagef("--no-label is for tables, and %s is SVMlight text, where each row has a label",
			cli.Shown(path))
	}
	return nil
}

// checkArrays refuses a file that cannot be read as .npy or .npz.
func checkArrays(path, format string) error {
	array := format != "svmlight" && !isText(format)
	switch {
	case format == "npz" && codec.FormatOf(path) != codec.Plain:
		return cli.Usagef("%s: an .npz file is compressed in itself, not by %s", path, codec.FormatOf(path))
	case array && (path == "-" || formatOf(path) != format):
		return cli.Usagef("%s is read as %s only from a file whose name ends in .%s", cli.Shown(path), format, format)
	}
	return nil
}

// isText reports whether a format is a table of text.
func isText(format string) bool { return format == "csv" || format == "tsv" }

// readSet reads rows, with progress. path "-" is standard input.
func (a *app) readSet(path string, f *setFlags, o readOptions) (*data.Set, error) {
	format, missing, err := f.formatFor(path)
	switch {
	case err != nil:
		return nil, err
	case format == "svmlight":
		return a.readSVMlight(path, f, o, missing)
	}
	return a.readTable(path, format, f, o, missing)
}

func (a *app) readSVMlight(path string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	opts := svmlight.Options{
		Storage: o.Storage, Features: o.Features, Extra: f.extra == "ignore", ZeroBased: f.zeroBased, Missing: missing,
		KeepComments: o.Comments, KeepNotes: o.Notes,
		MaxLine:  a.MaxLine,
		Progress: func(done, total int64) { meter.SetTotal(total); meter.Set(done) },
	}
	set, err := cli.AwaitFor(a.Ctx, func() (*data.Set, error) { // a pipe may never have more
		if path == "-" {
			return svmlight.ReadAll(a.Ctx, a.In, cli.StdinName, opts)
		}
		return svmlight.ReadFile(a.Ctx, path, opts)
	})
	if err != nil {
		err = extraError(cli.ReadError(err))
		var syntax *svmlight.SyntaxError
		if errors.As(err, &syntax) && path != "-" && !errors.Is(err, data.ErrExtraFeatures) {
			err = cli.WithHint(err, "pairrank check %s lists everything that is wrong", path)
		}
		return nil, f.lackHint(err, path)
	}
	return set, nil
}

// lackHint adds the way out where the rows of SVMlight text do not fit into memory.
func (f *setFlags) lackHint(err error, path string) error {
	var lack *memory.Lack
	if !errors.As(err, &lack) {
		return err
	}
	switch f.verb {
	case "train":
		return cli.WithHint(err, "train --stream %s reads one query after the other, and needs no more for more", path)
	case "cv":
		const form = "pairrank train --stream %s -o MODEL reads one query after the other, and holds out folds"
		return cli.WithHint(err, form, path)
	case "predict", "explain", "convert":
		return cli.WithHint(err, "a file of whole queries can be cut into parts: rows of other queries change nothing")
	}
	return err
}

// readTable reads the rows of a table.
func (a *app) readTable(path, format string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	ignored, err := f.ignored()
	if err != nil {
		return nil, err
	}
	opts := table.Options{
		Label: f.label, QID: f.qid, Ignore: ignored, NoLabel: f.noLabel, MaxLine: a.MaxLine, Missing: missing,
		Features: o.Features, Extra: f.extra == "ignore", KeepNotes: o.Notes,
	}
	opts.Separator = map[string]byte{"csv": ',', "tsv": '\t'}[format]
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	set, err := cli.AwaitFor(a.Ctx, func() (set *data.Set, err error) {
		if opts.Separator == 0 {
			set, err = table.ReadSet(path, opts)
			return set, cli.ReadError(err)
		}
		err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			set, err = table.ReadSetFrom(r, name, opts)
			return err
		})
		return set, err
	})
	var syntax *table.SyntaxError
	switch {
	case err == nil:
		_, n := set.X.Dims()
		a.Note("%s: columns: %s, %s", cli.Shown(path), report.ColumnsOf(set), spell.Plural(n, "feature"))
	case errors.Is(err, table.ErrNoLabel):
		way := "--label-column COLUMN names the labels, by name or number"
		if option.Find(f.verb, "no-label") != nil {
			way += ", and --no-label reads rows without"
		}
		err = cli.WithHint(err, "%s", way)
	case errors.Is(err, table.ErrUnnamed):
		const way = "--ignore-columns NUMBER leaves it out; row.names = FALSE of R and index=False of pandas write none"
		err = cli.WithHint(err, way)
	case errors.As(err, &syntax) && format == "npy" && !f.noLabel:
		err = cli.WithHint(err, "--no-label reads rows without labels, to score them")
	}
	return set, extraError(err)
}

// ignored are the columns of --ignore-columns; those with a comma stand in quotes.
func (f *setFlags) ignored() ([]string, error) {
	if f.ignore == "" {
		return nil, nil
	}
	lines, err := csv.NewReader(strings.NewReader(f.ignore)).ReadAll()
	if err != nil || len(lines) != 1 || slices.Contains(lines[0], "") {
		return nil, cli.WithHint(cli.Usagef("--ignore-columns takes a list, not %q", f.ignore),
			`a name with a comma stands in quotes: '"a,b",c'`)
	}
	return lines[0], nil
}

// readMatrix reads a matrix from a file, which must be square where that is said.
func (a *app) readMatrix(path string, square bool) (*data.Dense, error) {
	m, err := cli.AwaitFor(a.Ctx, func() (*table.Matrix, error) {
		return table.ReadMatrix(path, table.MatrixOptions{Square: square, MaxLine: a.MaxLine})
	})
	if err != nil {
		return nil, cli.ReadError(err)
	}
	return m.X, nil
}

// notUTF8 tells of every name that is not UTF-8, which a model cannot keep. what says
// what is named: feature or node.
func notUTF8(what string, names []string) (problems []string) {
	for k, name := range names {
		if !utf8.ValidString(name) {
			problems = append(problems, fmt.Sprintf("the name of %s %d is not UTF-8: %.60q", what, k+1, name))
		}
	}
	return problems
}

// checkUTF8 refuses names from a file that are not UTF-8, before a model is trained that
// could not be written.
func checkUTF8(path, what string, names []string) error {
	problems := notUTF8(what, names)
	if problems == nil {
		return nil
	}
	text := path + ": " + problems[0]
	if n := len(problems); n > 1 {
		text += fmt.Sprintf(", and %d more", n-1)
	}
	return cli.WithHint(cli.AsData(errors.New(text)), "iconv -f latin1 -t utf-8 makes UTF-8 of the most usual older "+
		"encoding")
}
