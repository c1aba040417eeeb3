package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/parquet"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// setFlags are the flags of the verbs that read rows.
type setFlags struct {
	verb      string
	format    string
	missing   string
	zeroBased asked
	columns   table.Options // of a table: what its columns are
	censored  string        // how labels of SVMlight text are times: none or negative
	extra     string        // what is done with features that training never saw: error or ignore
	width     int           // the features of training, where text read query by query may have no others; else 0
	// transpose is a flag that edges have, too; nil where the verb does not have it.
	transpose *bool
}

// asked is the value of a toggle, and whether it was given.
type asked struct{ is, given bool }

func (v *asked) Type() string   { return "bool" }
func (v *asked) String() string { return strconv.FormatBool(v.is) }
func (v *asked) Set(text string) (err error) {
	v.is, err = strconv.ParseBool(text)
	v.given = true
	return err
}

// as takes where indices start from the model, and refuses another start: all features would be those beside them.
// An older model does not say, and features of other rows have no indices.
func (v asked) as(first int) (zeroBased bool, err error) {
	if v.given && !v.is && first == 0 {
		return false, cli.WithHint(cli.Usagef("--zero-based=false, but the indices of the training start at 0"),
			"leave --zero-based out: the model keeps where they start")
	}
	return v.is || first == 0, nil
}

// timed reports whether the rows have censored times in the place of labels.
func (f *setFlags) timed() bool { return f.columns.Times.Column != "" || f.censored == "negative" }

// targets are where the values of the options of reading rows go. A verb without --format reads by names.
func (f *setFlags) targets(verb string) cli.Targets {
	f.verb, f.format = verb, "auto"
	if f.transpose == nil {
		f.transpose = new(bool)
	}
	c := &f.columns
	roles := cli.Targets{}
	for _, r := range table.Roles() {
		roles[r.Flag()] = r.In(c)
	}
	return cli.Join(roles, cli.Targets{
		"format": &f.format, "missing": &f.missing, "zero-based": &f.zeroBased,
		"positive": &c.Positive, "ignore-columns": option.Into(&c.Ignore, listOf),
		"feature-columns": option.Into(&c.Only, listOf), "factor-columns": option.Into(&c.Factors, listOf),
		"missing-in": option.Into(&c.MissingIn, missingIn), "decimal": option.Into(&c.Decimal, notAuto),
		"transpose": f.transpose, "no-label": &c.NoLabel,
		"extra-features": &f.extra, "censored": &f.censored,
	})
}

// likeTraining adds the way out where rows or nodes have features that training never saw, or lack values for which
// it kept none.
func likeTraining(err error) error {
	var (
		feature  *fault.FeatureError
		unfilled *data.UnfilledError
		other    *data.OtherTreatmentError
	)
	switch {
	case errors.As(err, &feature) && feature.Extra || errors.Is(err, data.ErrExtraFeatures):
		return cli.WithHint(err, "--extra-features ignore leaves out the features that training never saw")
	case errors.As(err, &other):
		return cli.WithHint(cli.AsUsage(err), "leave --missing and --missing-in out, or train --missing %s", other.Asked)
	case errors.As(err, &unfilled):
		by := unfilled.By
		if by == data.MissingError {
			by = data.MissingMean
		}
		return cli.WithHint(err, "--missing zero takes 0; train --missing %s keeps a value for each feature", by)
	}
	return err
}

// readOptions are what the verb, not the user, asks of the rows.
type readOptions struct {
	Storage     svmlight.Storage  // auto, dense or sparse
	Features    int               // that the rows get, more are an error; 0: as many as there are
	Names       []string          // of these features, by which the columns of a table are found
	Schema      *data.Schema      // of the table of the training
	Substitutes *data.Substitutes // that the training kept
	ZeroBased   bool              // the text of the training
	NoLabel     bool              // labels are not looked at
	Comments    bool              // keep the comments, for the names of the documents
	Notes       bool              // keep the lines of comments
	Scoring     *scoring          // of the rows as they are read, whose features are not kept then; nil for none
}

// formatOf is the format that the ending of a name stands for, before .gz or .zst.
func formatOf(path string) string {
	switch ext := codec.Ending(path); ext {
	case ".csv", ".tsv", ".npy", ".npz", ".jsonl", parquet.Ending:
		return ext[1:]
	case ".ndjson":
		return "jsonl"
	}
	return "svmlight"
}

// formatFor is how rows are read from a file; flags that do not fit its format are
// refused.
func (f *setFlags) formatFor(path string) (format string, missing data.Missing, err error) {
	format = f.formatHere(path)
	if err := cmp.Or(f.checkTimed(path, format), f.checkFormat(path, format), checkArrays(path, format)); err != nil {
		return "", 0, err
	}
	if f.missing == data.MissingModel.String() {
		return format, data.MissingModel, nil
	}
	missing, err = data.ParseMissing(f.missing)
	return format, missing, cli.AsUsage(err)
}

// formatHere is the format of a file: as the flag says, else by the end of its name.
func (f *setFlags) formatHere(path string) string {
	switch {
	case f.format != "auto":
		return f.format
	case hasParts(path):
		return "parquet"
	}
	return formatByName(path)
}

// checkTimed refuses flags about times that are for other formats.
func (f *setFlags) checkTimed(path, format string) error {
	switch {
	case f.censored == "negative" && format != "svmlight":
		return cli.WithHint(cli.Usagef("--censored negative is for SVMlight text, and %s is %s", cli.Shown(path), format),
			"--time COLUMN and --event COLUMN name those of a table")
	case f.columns.Times.Column != "" && format == "svmlight":
		return cli.WithHint(cli.Usagef("--time is for tables, and %s is SVMlight text", cli.Shown(path)),
			"--censored negative reads its labels as times, -t as one that is censored at t")
	}
	return nil
}

// checkFormat refuses flags that are for other formats.
func (f *setFlags) checkFormat(path, format string) error {
	switch {
	case f.zeroBased.is && format != "svmlight":
		return cli.Usagef("--zero-based is for the SVMlight format, and %s is %s", cli.Shown(path), format)
	case f.given() != "" && format == "svmlight":
		return cli.Usagef("--%s is for tables, and %s is SVMlight text", f.given(), cli.Shown(path))
	case f.transpose != nil && *f.transpose && !isText(format):
		return cli.Usagef("--transpose is for CSV and TSV, and %s is %s", cli.Shown(path), format)
	case f.columns.Decimal != "" && !isText(format):
		return cli.Usagef("--decimal is for CSV and TSV, and %s is %s", cli.Shown(path), format)
	case f.columns.NoLabel && format == "svmlight":
		return cli.Usagef("rows without labels are in a table, and by its name %s is SVMlight text, where each row has a "+
			"label", cli.Shown(path))
	}
	return nil
}

// hasParts reports whether a path is a directory of Parquet files, which are one table.
func hasParts(path string) bool {
	parts, err := parquet.Parts(path)
	return err == nil && parts != nil
}

// checkArrays refuses a file that cannot be read as .npy, .npz or Parquet.
func checkArrays(path, format string) error {
	array := format == "npz" || format == "npy" || format == "parquet"
	if err := checkCompression(path, format); err != nil {
		return err
	}
	switch {
	case format == "parquet" && hasParts(path):
		return nil
	case array && (path == "-" || formatOf(path) != format):
		return cli.Usagef("%s is read as %s only from a file whose name ends in .%s", cli.Shown(path), format, format)
	}
	return nil
}

// checkCompression refuses .gz and .zst where a format has its own compression.
func checkCompression(path, format string) error {
	name := map[string]string{"npz": "an .npz", "parquet": "a .parquet"}[format]
	if name == "" || codec.FormatOf(path) == codec.Plain {
		return nil
	}
	return cli.AsUsage(&codec.OwnError{Path: path, Kind: name})
}

// isText reports whether a format is a table of text.
func isText(format string) bool { return format == "csv" || format == "tsv" }

// readSet reads rows, with progress. path "-" is standard input.
func (a *app) readSet(path string, f *setFlags, o readOptions) (*data.Set, error) {
	format, missing, err := f.formatFor(path)
	if err != nil {
		return nil, err
	}
	var set *data.Set
	o.Features, o.Names = o.Substitutes.Given(o.Features, o.Names)
	levels, scoring := f.giveLevels(missing, o), o.Scoring
	o.Scoring = scoring.byBlocks(levels)
	if format == "svmlight" {
		set, err = a.readSVMlight(path, f, o, missing)
	} else {
		set, err = a.readTable(path, format, f, o, missing)
	}
	if err == nil && levels {
		err = giveLevels(path, set, o)
	}
	if err == nil && scoring != nil && scoring.pick == nil {
		err = scoring.all(a, set, o.Scoring != nil)
	}
	if err == nil && f.verb != "predict" && f.verb != "explain" && f.verb != "convert" && !set.HasQID {
		if text := unreadSizes(path, format, len(set.Y)); text != "" {
			a.Remark(report.Note{Warning: true, Code: unreadSizesCode, Text: text})
		}
	}
	return set, err
}

func (a *app) readSVMlight(path string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	first := 1
	if o.ZeroBased {
		first = 0
	}
	zeroBased, err := f.zeroBased.as(first)
	if err != nil {
		return nil, err
	}
	opts := svmlight.Options{
		Storage: o.Storage, Features: o.Features, Extra: f.extra == "ignore", ZeroBased: zeroBased, Missing: missing,
		Substitutes:  o.Substitutes,
		KeepComments: o.Comments, KeepNotes: o.Notes, Censored: f.censored == "negative",
		MaxLine:  a.MaxLine,
		Each:     o.Scoring.each(),
		Progress: func(done, total int64) { meter.SetTotal(total); meter.Set(done) },
	}
	set, err := cli.AwaitFor(a.Ctx, func() (*data.Set, error) { // a pipe may never have more
		if path == "-" {
			return svmlight.ReadAll(a.Ctx, a.In, cli.StdinName, opts)
		}
		return svmlight.ReadFile(a.Ctx, path, opts)
	})
	var unfilled *data.UnfilledError
	switch {
	case err != nil && o.Substitutes.Levels() != nil && errors.As(err, &unfilled):
		return nil, cli.WithHint(cli.ReadError(err), noLevel)
	case err != nil:
		return nil, f.lackHint(checkTextHint(likeTraining(cli.ReadError(err)), path), path)
	}
	if o.ZeroBased && o.Scoring.lacksFirst(set) {
		a.Note("%s: no row has a value of the feature 0, where the indices of the training start", cli.Shown(path))
	}
	return set, nil
}

// checkTextHint is checkHint for SVMlight text.
func checkTextHint(err error, path string) error {
	var (
		syntax   *data.SyntaxError
		unfilled *data.UnfilledError
		other    *data.OtherTreatmentError
	)
	byModel := errors.Is(err, data.ErrExtraFeatures) || errors.As(err, &unfilled) || errors.As(err, &other)
	if !errors.As(err, &syntax) || path == "-" || byModel {
		return err
	}
	return cli.WithHint(err, "pairrank check %s lists everything that is wrong", path)
}

// unreadSizesCode is the code of the warning of unreadSizes.
const unreadSizesCode = "unread-sizes"

// unreadSizes warns of rows without queries, one list, beside a file of the sizes of queries, as LightGBM and XGBoost
// read them; "" where there is none.
func unreadSizes(path, format string, rows int) string {
	plain := codec.PlainName(path)
	for _, name := range []string{plain + ".query", plain + ".group", path + ".query", path + ".group"} {
		queries, sum := sizesIn(name, rows)
		if path == "-" || queries == 0 {
			continue
		}
		way := "write qid:1 after the label of each row of the first, qid:2 of the second, and so on"
		if format != "svmlight" {
			way = "write the number of the query of each row into a column qid"
		}
		return fmt.Sprintf("%s is not read: by it the %d rows of %s are of %s, and here they are one list, without qid; %s",
			name, sum, path, spell.Plural(queries, "query"), way)
	}
	return ""
}

// sizesIn returns how many sizes of queries a file has, and their sum, which is at most that of the rows; 0 if it is no
// such file.
func sizesIn(name string, rows int) (queries, sum int) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe may never have more
		return 0, 0
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, 0
	}
	for size := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(size)
		if err != nil || n < 0 {
			return 0, 0
		}
		queries, sum = queries+1, sum+min(n, rows-sum)
	}
	return queries, sum
}

// lackHint adds the way out where the rows of SVMlight text do not fit into memory.
func (f *setFlags) lackHint(err error, path string) error {
	var lack *memory.Lack
	if !errors.As(err, &lack) {
		return err
	}
	switch f.verb {
	case "train", "cv":
		const form = "pairrank stream train %s -o MODEL reads one query after the other, and holds out folds"
		return cli.WithHint(err, form, path)
	case "predict", "explain", "convert":
		return cli.WithHint(err, "a file of whole queries can be cut into parts: rows of other queries change nothing")
	}
	return err
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
