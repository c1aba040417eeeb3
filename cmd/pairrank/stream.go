package main

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"github.com/spf13/pflag"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/stream"
)

// streamTakes are the flags of training that streamed rows take. Those of every verb are
// taken, too.
var streamTakes = map[string]bool{
	"stream": true, "output": true, "learner": true, "lambda": true, "lambdas": true, "select": true, "cost": true, "ties": true, "query-weight": true,
	"kernel": true, "solver": true, "pairs": true, "normalize": true, "binarize": true, "names": true, "format": true, "missing": true, "zero-based": true,
	"random-features": true, "basis-data": true, "report": true, "figure": true, "keep-moments": true,
	"keep-query-sums": true,
	"json":            true, "progress": true, "threads": true, "max-line": true, "help": true,
}

// streamRefuses says why streamed rows do not take a flag. Flags that are in neither table
// are about edges between nodes.
var streamRefuses = map[string]string{
	"kernel-matrix":  "a kernel matrix is of all rows, and --stream has one query of them at a time",
	"preferences":    "preferences are between numbered rows, and --stream reads queries",
	"labels":         "the labels of --labels are of numbered rows, and --stream reads queries",
	"metric":         "a metric needs the scores of held-out rows, which --stream does not keep: λ is chosen by the relative squared error",
	"valid":          "--stream chooses λ by folds of its queries: --select kfold:10",
	"seed":           "nothing is random with --stream but --random-features: the fold of a query follows from its name",
	"pairs-sample":   "--stream leaves out folds of queries, not pairs",
	"basis":          "rows are drawn when all of them are there, and --stream reads them once: --basis-data FILE has those of a basis",
	"basis-rows":     "the numbers are of rows in memory: --basis-data FILE has the rows of a basis",
	"tolerance":      "--solver cg reads the rows again and again, and --stream reads them once",
	"max-iterations": "--solver cg reads the rows again and again, and --stream reads them once",
	"loss":           "--stream sums squared losses: the learners are rankrls and rls",
	"epsilon":        "--stream trains exactly: the learners are rankrls and rls",
	"counter":        "--stream trains rankrls and rls, which do not count pairs",
	"time-limit":     "--stream has no model before all rows are read",
	"warm-start":     "--stream trains exactly, wherever it starts: the learners are rankrls and rls",
	"rounds":         "--stream trains rankrls and rls, and not rankboost",
	"label-column":   "--stream reads LETOR text: pairrank convert makes it of a table",
	"qid-column":     "--stream reads LETOR text: pairrank convert makes it of a table",
	"ignore-columns": "--stream reads LETOR text: pairrank convert makes it of a table",
}

// checkStream refuses flags that streamed rows do not take, each with the reason.
func checkStream(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(flag *pflag.Flag) {
		switch why, known := streamRefuses[flag.Name]; {
		case err != nil || streamTakes[flag.Name], flag.Name == "seed" && flags.Changed("random-features"):
		case known:
			err = cli.Usagef("--%s is not for --stream: %s", flag.Name, why)
		default:
			err = cli.Usagef("--%s is not for --stream: it is about edges between nodes, and --stream reads rows", flag.Name)
		}
	})
	return err
}

// streamOptions are those of the statistics that the flags ask for.
func (f *trainFlags) streamOptions() (o stream.Options, err error) {
	chosen, err := f.learnerOfRows()
	if err != nil {
		return o, err
	}
	if _, err := f.streamKernel(); err != nil {
		return o, err
	}
	solver := solverNamed(f.solver).of
	switch {
	case f.pairs == allPairs:
		return o, cli.Usagef("--pairs all is not for --stream: it compares rows of different queries, and --stream has one query at a time")
	case f.changed("solver") && solver != pairrank.Auto && solver != pairrank.Primal:
		return o, cli.Usagef("--solver %s is not for --stream: sums over queries are solved in the primal form", f.solver)
	}
	goal, err := f.goal()
	if err != nil {
		return o, err
	}
	learner, err := chosen.make(f, goal, pairrank.Basis{})
	if err != nil {
		return o, err
	}
	l, sums := learner.(pairrank.LeastSquares)
	if !sums {
		return o, cli.Usagef("--learner %s is not for --stream: it needs all rows, and sums over queries train rankrls and rls", f.learner)
	}
	o = stream.Options{Learner: l, Normalize: f.normalize, KeepQueries: f.keepQueries}
	if o.Threshold, err = f.threshold(); err != nil {
		return o, err
	}
	if o.Normalize == data.NormalizeZScore || o.Normalize == data.NormalizeMinMax {
		return o, cli.WithHint(cli.Usagef("--normalize %s is not for --stream: it needs all rows before the first is summed", o.Normalize), "--normalize query-minmax needs one query at a time")
	}
	_, err = o.Resolved()
	return o, (&advice.Run{}).Error(err)
}

// streamFolds is the number of folds by which one of some λ is chosen: 1 where there is
// nothing to choose.
func (f *trainFlags) streamFolds(lambdas []float64) (int, error) {
	const usual = 10
	method, err := cv.Method{Kind: cv.KFold, Folds: usual}, error(nil)
	if f.selectBy != "" && f.selectBy != "none" {
		if method, err = cv.ParseMethod(f.selectBy); err != nil {
			return 0, cli.AsUsage(err)
		}
	}
	if err := f.metricDrawn(); err != nil {
		return 0, err
	}
	switch single := len(lambdas) == 1; {
	case method.Kind != cv.KFold:
		return 0, cli.Usagef("--select %s is not for --stream: it holds out by folds of queries, kfold:K", f.selectBy)
	case single && f.changed("select") && f.selectBy != "none":
		return 0, cli.WithHint(cli.Usagef("--select %s chooses λ, and there is only one", f.selectBy), "--lambdas gives several")
	case single && f.pages.figure != "":
		return 0, cli.Usagef("--figure shows the errors by which a choice is made, and nothing is held out")
	case single:
		return 1, nil
	case f.selectBy == "none":
		return 0, cli.WithHint(cli.Usagef("--select none chooses nothing among several values of λ"), "give one value: --lambda 1")
	}
	return method.Folds, nil
}

// checkStreamed refuses files that are not LETOR text, or that would be read twice.
func (f *setFlags) checkStreamed(paths []string) (missing data.Missing, err error) {
	if err := cli.OnceStdin(paths...); err != nil {
		return 0, err
	}
	for k, path := range paths {
		format, m, err := f.formatFor(path)
		if err != nil {
			return 0, err
		}
		if format != "svmlight" {
			return 0, cli.WithHint(cli.Usagef("%s is %s, and only SVMlight text is read query by query", cli.Shown(path), format), "pairrank convert %s rows.txt writes it", path)
		}
		for _, other := range paths[:k] {
			if other == path {
				return 0, cli.Usagef("%s is given twice", cli.Shown(path))
			}
		}
		missing = m
	}
	if missing == data.MissingMean || missing == data.MissingMin {
		return 0, cli.WithHint(cli.Usagef("--missing %s is not for --stream: it needs all rows before the first is summed", missing), "--missing zero does not")
	}
	return missing, nil
}

// sumFiles sums the queries of files, each read once, on all cores.
func (a *app) sumFiles(paths []string, f *setFlags, o stream.Options,
	monitor pairrank.Monitor) (*stream.Statistics, error) {
	missing, err := f.checkStreamed(paths)
	if err != nil {
		return nil, err
	}
	meter := newStreamMeter(a, paths)
	defer meter.End()
	parts := make([]stream.Part, len(paths))
	for k, path := range paths {
		opts := svmlight.Options{ZeroBased: f.zeroBased, Missing: missing, MaxLine: a.MaxLine, Progress: meter.of(k)}
		parts[k] = stream.Part{Name: cli.Shown(path),
			Each: func(ctx context.Context, add func(data.Query) error) error {
				if path == "-" {
					return svmlight.EachQueryOf(ctx, a.In, cli.StdinName, opts, add)
				}
				return svmlight.EachQuery(ctx, path, opts, add)
			}}
	}
	sums, err := cli.AwaitFor(a.Ctx, func() (*stream.Statistics, error) {
		return stream.Sum(a.Ctx, parts, o, pairrank.Monitor{Note: monitor.Note})
	})
	return sums, streamError(err)
}

// streamError gives an error of reading query by query its exit code and its way out.
func streamError(err error) error {
	var syntax *svmlight.SyntaxError
	switch {
	case errors.Is(err, svmlight.ErrNoQueries):
		return cli.WithHint(cli.AsData(err), "without --stream a file of one list is trained in memory; LETOR text names the query as qid:ID after the label")
	case errors.Is(err, svmlight.ErrQueryReturns):
		return cli.WithHint(cli.AsData(err), "LC_ALL=C sort -s -k2,2 brings the rows of a query together; without --stream they may stand anywhere")
	case errors.As(err, &syntax):
		return cli.WithHint(cli.ReadError(err), "pairrank check %s lists everything that is wrong", syntax.File)
	}
	var known *pairrank.Error
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

func newStreamMeter(a *app, paths []string) *streamMeter {
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
	return &streamMeter{Meter: a.Begin(task, total), done: make([]atomic.Int64, len(paths))}
}

// of is what hears of the bytes of file k.
func (m *streamMeter) of(k int) func(done, total int64) {
	return func(done, _ int64) { m.Add(done - m.done[k].Swap(done)) }
}
