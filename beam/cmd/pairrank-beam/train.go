package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank/beam/pipeline"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/numeral"
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
}

func newTrain() *verb {
	f, flags := &trainFlags{}, flag.NewFlagSet("pairrank-beam train FILE… -o MODEL", flag.ContinueOnError)
	flags.StringVar(&f.output, "o", "", "`FILE` of the model")
	flags.BoolVar(&f.keepMoments, "keep-moments", false,
		"write the sums beside the model, as MODEL.moments, for pairrank update")
	flags.StringVar(&f.learner, "learner", "rankrls", "rankrls, or rls for plain least squares")
	flags.StringVar(&f.cost, "cost", "", "target of a preferred pair: magnitude, unit or relative (default magnitude)")
	flags.StringVar(&f.weight, "query-weight", "", "weight of a pair: pairs, size or edges (default pairs)")
	flags.StringVar(&f.ties, "ties", "", "include or exclude tied pairs (default: include for magnitude, else exclude)")
	flags.StringVar(&f.normalize, "normalize", "", "none, or query-minmax")
	flags.StringVar(&f.binarize, "binarize", "", "labels of at least this `NUMBER` are 1, others 0")
	flags.StringVar(&f.lambdas, "lambdas", "", "`LIST` of lambda to choose from: a,b,c, or a geometric grid LO:HI:N")
	flags.StringVar(&f.missing, "missing", "error", "missing values: error, or zero")
	flags.StringVar(&f.selectBy, "select", "",
		"kfold:`K`, the folds of queries that choose one of several lambda (default kfold:10)")
	flags.StringVar(&f.names, "names", "", "`FILE` with the names of the features, one a line, kept in the model")
	flags.IntVar(&f.features, "features", 0,
		"number of features; larger indices are refused (default: the largest index)")
	flags.BoolVar(&f.zeroBased, "zero-based", false, "feature indices start at 0")
	flags.BoolVar(&f.scattered, "scattered", false, "the rows of a query may stand in several files: shuffle them")
	flags.IntVar(&f.buckets, "buckets", 0,
		fmt.Sprintf("parts of the queries with --scattered, of which a worker holds one in memory (default %d)",
			pipeline.DefaultBuckets))
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
	if in.Reading, err = f.reading(); err != nil {
		return 0, errUsage{err}
	}
	if training.Lambdas, err = parseLambdas(f.lambdas); err != nil {
		return 0, usagef("--lambdas: %w", err)
	}
	if in.Statistics, err = f.options(len(training.Lambdas)); err != nil {
		return 0, errUsage{err}
	}
	if in.Files, err = pipeline.Match(ctx, args); err != nil {
		return 0, err
	}
	sum, err := pipeline.Sum(s, in)
	if err != nil {
		return 0, errUsage{err}
	}
	pipeline.Train(s, sum, training)
	return 1, nil
}

// options returns the statistics to sum, for choosing among so many values of lambda.
func (f *trainFlags) options(lambdas int) (o stream.Options, err error) {
	switch f.learner {
	case "rankrls":
	case "rls":
		o.Learner.Regression = true
	default:
		return o, fmt.Errorf("--learner is rankrls or rls, not %q", f.learner)
	}
	o.Learner.Pairs = pref.Options{Cost: pref.Cost(f.cost), Weight: pref.Weight(f.weight), Ties: f.ties}
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

func (f *trainFlags) reading() (o svmlight.Options, err error) {
	o = svmlight.Options{ZeroBased: f.zeroBased, Features: f.features}
	switch f.missing {
	case "error":
	case "zero":
		o.Missing = data.MissingZero
	default:
		return o, fmt.Errorf("--missing is error or zero, not %q: others need all rows at once", f.missing)
	}
	return o, nil
}

// parseLambdas reads numbers with commas between them, or a grid; nil where there is
// nothing.
func parseLambdas(text string) (values []float64, err error) {
	if text == "" {
		return nil, nil
	}
	if strings.Contains(text, ":") {
		return numeral.ParseGrid(text)
	}
	for _, word := range strings.Split(text, ",") {
		v, err := numeral.Parse(word)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
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
