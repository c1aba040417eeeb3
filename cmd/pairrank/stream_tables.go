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
	return s.rows.tableOptions(s.app, format, readOptions{Names: s.names, Features: len(s.names)}, s.missing)
}

// each reads a file; progress receives the bytes that are read.
func (s *streamed) each(path string, progress func(done, total int64)) func(context.Context,
	func(data.Query) error) error {
	return func(ctx context.Context, add func(data.Query) error) error {
		if format := s.rows.formatHere(path); format != "svmlight" {
			opts := s.table(format)
			if format == "parquet" {
				return parquet.EachQuery(ctx, path, opts, add)
			}
			return table.EachQuery(ctx, path, opts, add)
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
			return f.columnError(cli.ReadError(err), format)
		}
		return checkUTF8(path, "feature", o.Names)
	}
	return nil
}
