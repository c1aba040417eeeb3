package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/cmd/pairrank/internal/workers"
	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/option"
	"pairrank/internal/parallel"
	"pairrank/internal/report"
	"pairrank/stream"
)

// summing is the work of one worker on the units of a directory.
type summing struct {
	app     *app
	dir     *workers.Directory
	place   workers.Place
	reading *streamed
	options stream.Options
	mine    []int // indices of its files
	meter   *cli.Meter
}

// newSumming claims the directory for what the flags say.
func (a *app) newSumming(names []string, f *statsFlags, place workers.Place) (*summing, error) {
	options, err := a.statisticsOptions(&f.trainFlags)
	if err != nil {
		return nil, err
	}
	texts := []string{"csv", "tsv"} // a unit is read from its first byte to its last
	missing, err := f.rows.checkStreamed(names, texts...)
	if err != nil {
		return nil, err
	}
	if err := a.nameFeatures(&options, names, &f.rows, f.names, texts...); err != nil {
		return nil, err
	}
	if err := f.checkKnots(options.Names); err != nil {
		return nil, err
	}
	reading := &streamed{app: a, rows: &f.rows, missing: missing, options: options}
	manifest, err := workers.NewManifest(manifestOptions(options, reading), names)
	var file *fs.PathError
	if errors.As(err, &file) {
		return nil, cli.FileError(err)
	}
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	dir, err := workers.Claim(f.output, manifest)
	if err != nil {
		return nil, a.DescribeWrite(f.output, workersError(err, f.output))
	}
	if f.rows.columns.Only == nil {
		a.tellNames(f.output, options.Names, nil)
	}
	w := &summing{app: a, dir: dir, place: place, reading: reading, options: options}
	for k := range dir.Files {
		if place.Takes(k) {
			w.mine = append(w.mine, k)
		}
	}
	if len(w.mine) == 0 {
		a.Note("there are %d workers and %d files: nothing is left for index %d", place.Count, len(names), place.Index)
	}
	return w, nil
}

// manifestOptions are the options that decide what is summed and their values, those that were not given, too.
func manifestOptions(o stream.Options, reading *streamed) map[string]string {
	values, columns := summedOptions(o), reading.rows.columnFlags()
	values["format"] = reading.rows.format
	values["zero-based"], values["missing"] = strconv.FormatBool(reading.rows.zeroBased.is), reading.missing.String()
	for _, column := range columns {
		values[column.name] = column.text
	}
	flags := map[string]string{}
	for _, name := range slices.Concat(option.Deciding(option.Summed), option.Deciding(option.SummedAsRead)) {
		flags[name] = values[name]
	}
	for _, column := range columns {
		if column.text == "" { // as in units that were made before there was the flag
			delete(flags, column.name)
		}
	}
	for name, is := range map[string]bool{keepQueriesName: o.KeepQueries, "censored": o.Times,
		"censoring-weights": o.Learner.Pairs.CensoringWeights, "knots-of": flags["knots-of"] != "",
		"format": flags["format"] != "auto"} {
		if !is {
			delete(flags, name)
		}
	}
	return flags
}

// run does the files that are not done. It goes on after a file that is wrong, and ends
// after any other error.
func (w *summing) run(ctx context.Context) (*report.Summing, error) {
	bytes := int64(0)
	for _, k := range w.mine {
		bytes += w.dir.Files[k].Bytes
	}
	w.meter = w.app.Begin("summing "+w.dir.Path, bytes)
	defer w.meter.End()
	made, wrong := make([]report.Unit, len(w.mine)), make([]error, len(w.mine))
	var ended atomic.Bool
	do := func(_, i int) {
		if ended.Load() {
			return
		}
		made[i], wrong[i] = w.one(ctx, w.mine[i])
		if wrong[i] != nil && !dataError(wrong[i]) {
			ended.Store(true)
		}
	}
	if len(w.mine) > 0 { // the first one tells how wide rows are
		do(0, 0)
		parallel.ForWorkers(w.atOnce(made[0].Features), len(w.mine)-1, func(worker, i int) { do(worker, i+1) })
	}
	w.meter.End()
	if err := w.failure(ctx, wrong); err != nil {
		return nil, err
	}
	if err := w.dir.Again(); err != nil {
		return nil, workersError(err, w.dir.Path)
	}
	d := &report.Summing{
		Kind: report.KindSumming, Directory: w.dir.Path,
		Worker: report.Worker{Index: w.place.Index, Count: w.place.Count, Source: w.place.Source},
		Total:  len(w.dir.Files), Files: []report.Unit{},
	}
	names := make([]string, len(made))
	for i, u := range made {
		d.Add(u)
		names[i] = u.File
	}
	w.reading.tellFilled(names)
	return d, nil
}

// atOnce is how many files of n features are summed at a time: as many as there are cores,
// since a compressed file is unpacked on one of them, and as fit into memory.
func (w *summing) atOnce(n int) int {
	const most, copies, word = 16, 3, 8 // of the sums: those of a file twice, and their bytes
	files := min(parallel.Workers(), len(w.mine), most)
	columns := float64(n + 1)
	need := copies * word * float64(max(w.options.Folds, 1)) * columns * columns
	return memory.AtOnce(files, need)
}

// failure is the error of a worker by those of its files.
func (w *summing) failure(ctx context.Context, wrong []error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var bad []error
	for _, err := range wrong {
		switch {
		case err == nil:
		case !dataError(err):
			return err
		default:
			bad = append(bad, err)
		}
	}
	return firstFew(bad, "more files are wrong")
}

// firstFew joins errors, the first ten, and says how many more there are.
func firstFew(all []error, more string) error {
	const few = 10
	if rest := len(all) - few; rest > 0 {
		all = append(all[:few:few], cli.AsData(fmt.Errorf("%d %s", rest, more)))
	}
	return errors.Join(all...)
}

// one does the k-th file, where it is not done.
func (w *summing) one(ctx context.Context, k int) (report.Unit, error) {
	file := w.dir.Files[k]
	if err := ctx.Err(); err != nil {
		return report.Unit{}, err
	}
	record, err := w.dir.Done(k)
	if err != nil {
		return report.Unit{}, workersError(cli.FileError(err), w.dir.Path)
	}
	before := record != nil
	if before {
		w.meter.Add(file.Bytes)
	} else if record, err = w.sum(ctx, k); err != nil {
		return report.Unit{}, err
	}
	return report.Unit{
		File: file.Name, Unit: filepath.Base(w.dir.UnitPath(record.Unit)), Before: before,
		Rows: record.Rows, Queries: record.Queries, Features: record.Features,
	}, nil
}

// counted is a file that reports what is read.
type counted struct {
	*workers.Reading
	meter *cli.Meter
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reading.Read(p)
	c.meter.Add(int64(n))
	return n, err
}

// sum reads the k-th file once and keeps its sums.
func (w *summing) sum(ctx context.Context, k int) (*workers.Record, error) {
	r, err := w.dir.Read(k)
	if err != nil {
		return nil, cli.FileError(err)
	}
	defer r.Close()
	name := w.dir.Files[k].Name
	part := stream.Part{Name: name, Each: func(ctx context.Context, add func(data.Query) error) error {
		return w.reading.from(ctx, counted{r, w.meter}, name, add)
	}}
	s, err := stream.Sum(ctx, []stream.Part{part}, w.options)
	if err != nil {
		return nil, streamError(err)
	}
	record, err := r.End()
	if err != nil {
		return nil, workersError(cli.FileError(err), w.dir.Path)
	}
	record.Rows, record.Queries, record.Features = s.Rows(), s.Queries(), s.Features()
	b, err := s.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if err := w.dir.Keep(record, b); err != nil {
		return nil, cli.WithHint(err, "run stats again when it can be written: units that are done are not done again")
	}
	return record, nil
}
