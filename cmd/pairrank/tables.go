package main

import (
	"errors"
	"io"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/codec"
)

// checkTableFlags refuses flags that do not fit the format.
func (f *setFlags) checkTableFlags(path, format string) error {
	isText := format == "csv" || format == "tsv"
	switch {
	case f.zeroBased && format != "svmlight":
		return cli.Usagef("--zero-based is for the SVMlight format, and %s is %s", shown(path), format)
	case (f.label != "" || f.qid != "") && !isText:
		return cli.Usagef("--label-column and --qid-column are for CSV and TSV, and %s is %s", shown(path), format)
	case f.noLabel && format == "svmlight":
		return cli.Usagef("--no-label is for tables, and %s is SVMlight text, where each row has a label", shown(path))
	case f.noLabel && f.label != "":
		return cli.Usagef("--no-label and --label-column exclude each other")
	case format == "npz" && codec.FormatOf(path) != codec.Plain:
		return cli.Usagef("%s: an .npz file is compressed in itself, not by %s", path, codec.FormatOf(path))
	case !isText && format != "svmlight" && (path == "-" || formatOf(path) != format):
		return cli.Usagef("%s is read as %s only from a file whose name ends in .%s", shown(path), format, format)
	}
	return nil
}

// readTable reads the rows of a table.
func (a *app) readTable(path, format string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	opts := table.Options{Label: f.label, QID: f.qid, NoLabel: f.noLabel, MaxLine: a.MaxLine, Missing: missing, Features: o.Features, Extra: f.extra == "ignore", KeepNotes: o.Notes}
	opts.Separator = map[string]byte{"csv": ',', "tsv": '\t'}[format]
	meter := a.Begin("reading "+shown(path), 0)
	defer meter.End()
	set, err := cli.AwaitFor(a.Ctx, func() (set *data.Set, err error) {
		if opts.Separator == 0 {
			set, err = table.ReadSet(path, opts)
			return set, readError(err)
		}
		err = a.readFrom(path, func(r io.Reader, name string) (err error) {
			set, err = table.ReadSetFrom(r, name, opts)
			return err
		})
		return set, err
	})
	var syntax *table.SyntaxError
	if errors.As(err, &syntax) && format == "npy" && !f.noLabel {
		err = cli.WithHint(err, "--no-label reads rows without labels, to score them")
	}
	return set, extraError(err)
}

// readMatrix reads the kernel matrix of new rows with the training rows.
func (a *app) readMatrix(path string) (*data.Dense, error) {
	if path == "-" {
		return nil, cli.Usagef("--kernel-matrix is a file, not standard input")
	}
	m, err := cli.AwaitFor(a.Ctx, func() (*table.Matrix, error) { return table.ReadMatrix(path, table.MatrixOptions{MaxLine: a.MaxLine}) })
	if err != nil {
		return nil, readError(err)
	}
	return m.X, nil
}
