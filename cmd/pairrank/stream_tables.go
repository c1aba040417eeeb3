package main

import (
	"context"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/parquet"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/stream"
)

// streamed is how files are read query by query.
type streamed struct {
	app     *app
	rows    *setFlags
	missing data.Missing
	names   []string // of the features, by which columns of tables are found; nil for their order
}

// tableFormats are the formats of tables that are read query by query.
var tableFormats = []string{"csv", "tsv", "parquet"}

// table is how a table is read.
func (s *streamed) table(format string) table.Options {
	return table.Options{Missing: s.missing, MaxLine: s.app.MaxLine, Names: s.names, Features: len(s.names),
		Separator: map[string]byte{"csv": ',', "tsv": '\t'}[format]}
}

// each reads a file; progress receives the bytes that are read.
func (s *streamed) each(path string, progress func(done, total int64)) func(context.Context,
	func(data.Query) error) error {
	return func(ctx context.Context, add func(data.Query) error) error {
		switch format := s.rows.formatHere(path); {
		case format == "parquet":
			return parquet.EachQuery(ctx, path, s.table(format), add)
		case format != "svmlight":
			return table.EachQuery(ctx, path, s.table(format), add)
		}
		opts := svmlight.Options{ZeroBased: s.rows.zeroBased, Missing: s.missing, MaxLine: s.app.MaxLine,
			Progress: progress}
		if path == "-" {
			return svmlight.EachQueryOf(ctx, s.app.In, cli.StdinName, opts, add)
		}
		return svmlight.EachQuery(ctx, path, opts, add)
	}
}

// nameFeatures sets the names of the features to those of the first table among the files.
func (a *app) nameFeatures(o *stream.Options, paths []string, f *setFlags, given string) error {
	missing, err := f.checkStreamed(paths, tableFormats...)
	if err != nil {
		return err
	}
	s := &streamed{app: a, rows: f, missing: missing}
	for _, path := range paths {
		format := f.formatHere(path)
		names := table.FeatureNames
		switch {
		case format == "svmlight":
			continue
		case given != "":
			return cli.Usagef("--names names the features of SVMlight text, and %s has names of its own", path)
		case format == "parquet":
			names = parquet.FeatureNames
		}
		if o.Names, err = names(path, s.table(format)); err != nil {
			return cli.WithHint(cli.ReadError(err), "query by query, columns are found by their names, as label and qid; "+
				"pairrank convert writes such a table")
		}
		return checkUTF8(path, "feature", o.Names)
	}
	return nil
}
