package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank/beam/pipeline"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/model"
	"pairrank/pref"
	"pairrank/stream"
)

// trainFlags are the flags of train.
type trainFlags struct {
	output                    string
	learner, cost, weight     string
	ties, normalize, binarize string
	lambdas, selectBy         string
	missing, names            string
	buckets, features         int
	zeroBased, scattered      bool
	keepMoments               bool
	columns                   table.Options
	flags                     *flag.FlagSet
}

// summed are the options of the table that train takes; it has others of its own.
var summed = strings.Fields("output keep-moments learner cost query-weight ties normalize binarize lambdas select " +
	"missing names zero-based " + ofTables)

// ofTables are those about the columns of tables.
const ofTables = "label-column qid-column weight-column"

func newTrain() *verb {
	f, flags := &trainFlags{}, flag.NewFlagSet("pairrank-beam train FILE… -o MODEL", flag.ContinueOnError)
	bind(flags, option.Some("stream train", summed...), option.Targets{
		"output": &f.output, "keep-moments": &f.keepMoments, "learner": &f.learner, "cost": &f.cost,
		"query-weight": &f.weight, "ties": &f.ties, "normalize": &f.normalize, "binarize": &f.binarize,
		"lambdas": &f.lambdas, "select": &f.selectBy, "missing": &f.missing, "names": &f.names,
		"zero-based": &f.zeroBased, "label-column": &f.columns.Label, "qid-column": &f.columns.QID,
		"weight-column": &f.columns.Weight,
	})
	flags.IntVar(&f.features, "features", 0, "number of features; larger indices are refused (default: the largest "+
		"index)")
	flags.BoolVar(&f.scattered, "scattered", false, "the rows of a query may stand in several files: shuffle them")
	flags.IntVar(&f.buckets, "buckets", 0, fmt.Sprintf("parts of the queries with --scattered, of which a worker "+
		"holds one in memory (default %d)", pipeline.DefaultBuckets))
	f.flags = flags
	return &verb{flags: flags, build: f.build, done: f.done}
}

func (f *trainFlags) build(ctx context.Context, s beam.Scope, args []string) (outputs int64, err error) {
	if f.output == "" {
		return 0, usagef("-o MODEL is missing")
	}
	if len(args) == 0 {
		return 0, usagef("the files to train on are missing")
	}
	if f.buckets != 0 && !f.scattered {
		return 0, usagef("--buckets is for --scattered")
	}
	in, training := pipeline.Input{Scattered: f.scattered, Buckets: f.buckets},
		pipeline.Training{Model: f.output, KeepMoments: f.keepMoments}
	if err := option.Check("train", option.Use{Data: option.Stream, Learner: f.learner,
		Given: givenOf(f.flags, summed)}); err != nil {
		return 0, errUsage{err}
	}
	in.Reading = f.reading()
	training.ZeroBased, training.Missing = in.Reading.ZeroBased, in.Reading.Missing
	if f.lambdas != "" {
		if training.Lambdas, err = numeral.ParseLambdas(f.lambdas); err != nil {
			return 0, usagef("--lambdas: %w", err)
		}
	}
	if in.Statistics, err = f.options(len(training.Lambdas)); err != nil {
		return 0, errUsage{err}
	}
	if in.Files, err = pipeline.Match(ctx, args); err != nil {
		return 0, err
	}
	if err := f.readTables(ctx, &in); err != nil {
		return 0, err
	}
	sum, err := pipeline.Sum(s, in)
	if err != nil {
		return 0, errUsage{err}
	}
	pipeline.Train(s, sum, training)
	return 1, nil
}

// readTables says how the tables among the files are read: the first one names the features.
func (f *trainFlags) readTables(ctx context.Context, in *pipeline.Input) (err error) {
	in.Columns, in.Statistics.Weights = f.columns, f.columns.Weight != ""
	text := slices.IndexFunc(in.Files, func(name string) bool { return !pipeline.IsTable(name) })
	for _, name := range strings.Fields(ofTables) {
		if _, given := givenOf(f.flags, summed)(name); given && text >= 0 {
			return usagef("--%s is for tables, and %s is SVMlight text", name, in.Files[text])
		}
	}
	first := slices.IndexFunc(in.Files, pipeline.IsTable)
	switch {
	case first < 0:
		return nil
	case f.names != "":
		return usagef("--names is for SVMlight text, and the columns of %s have names", in.Files[first])
	case f.zeroBased:
		return usagef("--zero-based is for SVMlight text, and %s is a table", in.Files[first])
	}
	in.Statistics.Names, in.Statistics.Schema, err = pipeline.Columns(ctx, in.Files[first], in.Columns)
	return err
}

// options returns the statistics to sum, for choosing among so many values of lambda.
func (f *trainFlags) options(lambdas int) (o stream.Options, err error) {
	o.Learner.Regression = f.learner == "rls"
	o.Learner.Pairs = pref.Options{Cost: pref.Cost(f.cost), Weight: pref.Weight(f.weight)}
	if _, given := givenOf(f.flags, summed)("ties"); given {
		o.Learner.Pairs.Ties = f.ties
	}
	o.Normalize = f.normalize
	if f.binarize != "" {
		threshold, err := numeral.Parse(f.binarize)
		if err != nil {
			return o, fmt.Errorf("--binarize: %w", err)
		}
		o.Threshold = &threshold
	}
	if o.Folds, err = f.folds(lambdas); err != nil || f.names == "" {
		return o, err
	}
	o.Names, err = table.ReadNames(f.names)
	return o, err
}

// folds is the number of folds that choose lambda: 1 where there is nothing to choose, 0 for the
// default.
func (f *trainFlags) folds(lambdas int) (int, error) {
	switch {
	case lambdas == 1 && f.selectBy != "":
		return 0, fmt.Errorf("--select %s chooses lambda, and there is only one", f.selectBy)
	case lambdas == 1:
		return 1, nil
	case f.selectBy == "":
		return 0, nil
	}
	method, err := cv.ParseMethod(f.selectBy)
	if err == nil && method.Kind != cv.KFold {
		err = fmt.Errorf("--select is kfold:K, not %s: what is summed holds out by folds of queries", f.selectBy)
	}
	return method.Folds, err
}

func (f *trainFlags) reading() svmlight.Options {
	o := svmlight.Options{ZeroBased: f.zeroBased, Features: f.features}
	if f.missing == "zero" {
		o.Missing = data.MissingZero
	}
	return o
}

// done reports the model that a worker has written.
func (f *trainFlags) done(ctx context.Context, stderr io.Writer) error {
	var m *model.Model
	err := pipeline.Open(ctx, f.output, func(r io.Reader) (err error) {
		m, err = model.Read(r, f.output)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "model %s: %d rows, %d features, %d queries, lambda %g\n", f.output, m.Info.Rows, m.Features(),
		m.Info.Queries, m.Info.Lambda)
	return nil
}
