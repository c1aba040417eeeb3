package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/codec"
	"pairrank/internal/report"
	"pairrank/stream"
)

// streamOptions are those of the statistics that the flags ask for.
func (f *trainFlags) streamOptions() (o stream.Options, err error) {
	if f.changed("seed") && !f.changed("random-features") {
		return o, cli.Usagef("--seed has no effect without --random-features")
	}
	if _, err := f.streamKernel(); err != nil {
		return o, err
	}
	goal, err := f.goal()
	if err != nil {
		return o, err
	}
	o = stream.Options{Learner: f.leastSquares(goal, pairrank.Basis{}).(pairrank.LeastSquares), Normalize: f.normalize,
		Threshold: f.threshold, Times: f.rows.timed(), Weights: f.rows.columns.Weight != "",
		KeepQueries: f.keepQueries}
	_, err = o.Resolved()
	return o, (&advice.Run{}).Error(err)
}

// streamFolds is the number of folds that choose λ, 1 where there is nothing to choose.
func (f *trainFlags) streamFolds() (int, error) {
	const usual = 10
	method, err := cv.Method{Kind: cv.KFold, Folds: usual}, error(nil)
	if f.selectBy != "" && f.selectBy != "none" {
		if method, err = cv.ParseMethod(f.selectBy); err != nil {
			return 0, cli.AsUsage(fmt.Errorf("--select: %w", err))
		}
	}
	if err := f.metricDrawn(); err != nil {
		return 0, err
	}
	switch single := len(f.lambdas) == 1; {
	case method.Kind != cv.KFold:
		return 0, cli.Usagef("--select %s is not for rows that are read once: folds of queries are held out, kfold:K",
			f.selectBy)
	case single && f.changed("select") && f.selectBy != "none":
		return 0, cli.WithHint(cli.Usagef("--select %s chooses among values of λ, and only one is given", f.selectBy),
			"--lambdas gives several")
	case single:
		return 1, f.checkChoice(false)
	case f.selectBy == "none":
		return 0, errNoneOfSeveral()
	}
	return method.Folds, nil
}

// checkStreamed refuses files that are neither LETOR text nor of the formats, or that would be read twice.
func (f *setFlags) checkStreamed(paths []string, formats ...string) (missing data.Missing, err error) {
	if err := cli.OnceStdin(paths...); err != nil {
		return 0, err
	}
	for k, path := range paths {
		format, m, err := f.formatFor(path)
		if err != nil {
			return 0, err
		}
		switch {
		case format == "svmlight":
		case !slices.Contains(formats, format):
			what := "SVMlight text"
			if formats != nil {
				what += map[bool]string{true: ", CSV, TSV or Parquet", false: ", CSV or TSV"}[slices.Contains(formats, "parquet")]
			}
			return 0, cli.WithHint(cli.Usagef("%s is %s, and only %s is read query by query",
				cli.Shown(path), format, what), "pairrank convert %s rows.txt writes SVMlight text", path)
		case path == "-":
			return 0, cli.Usagef("a table is read query by query from a file: its columns are looked at first")
		}
		for _, other := range paths[:k] {
			if other == path {
				return 0, cli.Usagef("%s is given twice", cli.Shown(path))
			}
		}
		missing = m
	}
	return missing, nil
}

// sumFiles sums the queries of files, each read once, or twice where knots are found first, on all cores.
func (a *app) sumFiles(paths []string, f *setFlags, o stream.Options,
	monitor event.Monitor) (*stream.Statistics, error) {
	missing, err := f.checkStreamed(paths, tableFormats...)
	if err != nil {
		return nil, err
	}
	twice := readsTwice(o)
	if twice {
		if err := checkTwice(paths); err != nil {
			return nil, err
		}
	}
	reading := &streamed{app: a, rows: f, missing: missing, options: o}
	meter := newStreamMeter(a, paths, twice)
	defer meter.End()
	parts := make([]stream.Part, len(paths))
	for k, path := range paths {
		parts[k] = stream.Part{Name: cli.Shown(path), Each: func(ctx context.Context, add func(data.Query) error) error {
			return reading.each(path, meter.of(k))(ctx, add)
		}}
	}
	o.Monitor = event.Monitor{Note: monitor.Note}
	sums, err := cli.AwaitFor(a.Ctx, func() (*stream.Statistics, error) {
		return stream.Sum(a.Ctx, parts, o)
	})
	if err == nil {
		reading.tellFilled(paths)
	}
	return sums, streamError(err)
}

// checkTwice refuses inputs that can be read only once.
func checkTwice(paths []string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return cli.WithHint(cli.Usagef("%s can be read only once, and the first reading of a spline finds its knots",
				cli.Shown(path)), "write it into a file, or take the knots of a model: --knots-of MODEL")
		}
	}
	return nil
}

// streamError gives an error of reading query by query its exit code and its way out.
func streamError(err error) error {
	for _, one := range []struct {
		is  error
		way string
	}{
		{table.ErrNoQueries, "the column is found by its name, as qid; pairrank train takes a table of one list"},
		{table.ErrQueryReturns, "sort the rows by query; for pairrank train they may stand anywhere"},
		{svmlight.ErrNoQueries, "pairrank train takes a file of one list; LETOR text names the query as qid:ID after the " +
			"label"},
		{svmlight.ErrQueryReturns, "LC_ALL=C sort -s -k2,2 brings the rows of a query together; for pairrank train they " +
			"may stand anywhere"},
	} {
		if errors.Is(err, one.is) {
			return cli.WithHint(cli.AsData(err), "%s", one.way)
		}
	}
	var syntax *data.SyntaxError
	if errors.As(err, &syntax) {
		if err = cli.ReadError(err); syntax.File == cli.StdinName { // which cannot be read again
			return err
		}
		return cli.WithHint(err, "pairrank check %s lists everything that is wrong", syntax.File)
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return (&advice.Run{Method: "select"}).Error(err)
	}
	return cli.ReadError(err)
}

// readStreamNames reads the names of features.
func (a *app) readStreamNames(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	names, err := cli.AwaitFor(a.Ctx, func() ([]string, error) { return table.ReadNames(path) })
	if err != nil {
		return nil, cli.ReadError(err)
	}
	return names, checkUTF8(path, "feature", names)
}

// streamMeter shows how many bytes of some files are read.
type streamMeter struct {
	*cli.Meter
	done []atomic.Int64
}

func newStreamMeter(a *app, paths []string, twice bool) *streamMeter {
	total := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			total = 0 // it cannot be told
			break
		}
		total += info.Size()
	}
	task := "reading " + cli.Shown(paths[0])
	if len(paths) > 1 {
		task = "reading files"
	}
	if twice {
		task, total = task+" twice, first for the knots", 2*total
	}
	return &streamMeter{Meter: a.Begin(task, total), done: make([]atomic.Int64, len(paths))}
}

// of is what hears of the bytes of a reading of file k.
func (m *streamMeter) of(k int) func(done, total int64) {
	m.done[k].Store(0)
	return func(done, _ int64) { m.Add(done - m.done[k].Swap(done)) }
}

// streamed is how files are read query by query.
type streamed struct {
	app     *app
	rows    *setFlags
	missing data.Missing
	// By the names of the options, nil for their order, features are found in tables, and other columns by the Schema.
	// Labels of SVMlight text are times where the options say so, as --censored negative reads them.
	options stream.Options
	filled  sync.Map // the missing values of each table that was read, a *data.Schema
}

// tableFormats are the formats of tables that are read query by query.
var tableFormats = []string{"csv", "tsv", "parquet"}

// table is how a table is read.
func (s *streamed) table(format string) table.Options {
	o := &s.options
	return s.rows.tableOptions(s.app, format, readOptions{Names: o.Names, Features: len(o.Names), Schema: o.Schema},
		s.missing)
}

// tableOf is how a table is read whose missing values tellFilled tells.
func (s *streamed) tableOf(path, format string) table.Options {
	opts, filled := s.table(format), new(data.Schema)
	opts.Rows.Filled = filled
	s.filled.Store(path, filled)
	return opts
}

// tellFilled tells the missing values of files that were read, in their order.
func (s *streamed) tellFilled(paths []string) {
	for _, path := range paths {
		if of, read := s.filled.Load(path); read && of.(*data.Schema).Filled != nil {
			s.app.Note("%s: %s", cli.Shown(path), strings.Join(report.FilledTexts(of.(*data.Schema).Filled), ", "))
		}
	}
}

// each reads a file; progress receives the bytes that are read.
func (s *streamed) each(path string, progress func(done, total int64)) func(context.Context,
	func(data.Query) error) error {
	return func(ctx context.Context, add func(data.Query) error) error {
		if format := s.rows.formatHere(path); format != "svmlight" {
			return table.EachQueryTold(ctx, path, s.tableOf(path, format), add, progress)
		}
		opts := s.text()
		opts.Progress = progress
		if path == "-" {
			return svmlight.EachQueryOf(ctx, s.app.In, cli.StdinName, opts, add)
		}
		return svmlight.EachQuery(ctx, path, opts, add)
	}
}

// text is how SVMlight text is read.
func (s *streamed) text() svmlight.Options {
	return svmlight.Options{ZeroBased: s.rows.zeroBased.is, Missing: s.missing, MaxLine: s.app.MaxLine,
		Censored: s.options.Times, Features: s.rows.width, Extra: s.rows.extra == "ignore"}
}

// from reads a file that is open.
func (s *streamed) from(ctx context.Context, r io.Reader, path string, add func(data.Query) error) error {
	if format := s.rows.formatHere(path); format != "svmlight" {
		plain, err := codec.NewReader(r, path)
		if err != nil {
			return err
		}
		defer plain.Close()
		return table.EachQueryFrom(ctx, plain, path, s.tableOf(path, format), add)
	}
	return svmlight.EachQueryOf(ctx, r, path, s.text(), add)
}

// nameFeatures sets the names of the features, and what the columns are, to those of the first table among the files.
func (a *app) nameFeatures(o *stream.Options, paths []string, f *setFlags, given string, formats ...string) error {
	missing, err := f.checkStreamed(paths, formats...)
	if err != nil {
		return err
	}
	s := &streamed{app: a, rows: f, missing: missing}
	for _, path := range paths {
		format := f.formatHere(path)
		columns := func(path string, opts table.Options) (names []string, schema *data.Schema, err error) {
			err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
				names, schema, err = table.Columns(r, name, opts)
				return err
			})
			return names, schema, err
		}
		switch {
		case format == "svmlight":
			continue
		case given != "":
			return cli.Usagef("--names is for SVMlight text, and the columns of %s have names", path)
		case format == "parquet":
			columns = table.ColumnsOf
		}
		if o.Names, o.Schema, err = columns(path, s.table(format)); err != nil {
			return f.columnError(cli.ReadError(err), format)
		}
		a.tellColumns(path, &data.Set{Schema: o.Schema}, len(o.Names))
		return checkUTF8(path, "feature", o.Names)
	}
	return nil
}
