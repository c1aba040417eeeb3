package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/report"
)

// streamLearners are the learners that are trained from sums.
var streamLearners = []string{"rankrls", "rls"}

// streamNormals are the normalisations that need no other query.
var streamNormals = []string{data.NormalizeNone, data.NormalizeQueryMinMax}

// summedFlags gives a verb the flags that decide what is summed, and how files are read.
func (a *app) summedFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	cli.EnumFlag(cmd, &f.learner, "learner", streamLearners[0], streamLearners, "what will be learnt")
	cli.EnumFlag(cmd, &f.cost, "cost", "magnitude", costNames, "target of a preferred pair: the difference of the labels; 1; or the difference, weighted by 1/its square")
	cli.EnumFlag(cmd, &f.ties, "ties", "include", tiesNames, "whether tied pairs are compared (default: include for magnitude, else exclude)")
	cli.EnumFlag(cmd, &f.weight, "query-weight", "pairs", weightNames, "weight of a pair: 1; 1/(rows of its query); 1/(pairs of its query)")
	cli.EnumFlag(cmd, &f.normalize, "normalize", data.NormalizeNone, streamNormals, "normalisation of the features, kept in the model")
	flags.StringVar(&f.binarize, "binarize", "", "labels of at least `F` become 1, others 0")
	flags.IntVar(&f.folds, "folds", 10, "`N` folds into which the queries fall, for the error by which λ is chosen; 1 holds nothing out")
	flags.StringVar(&f.names, "names", "", "`FILE` with the feature names, one a line")
	f.rows = a.streamRowsFlags(cmd)
}

// streamRowsFlags gives a verb the flags of reading rows query by query, of SVMlight text.
func (a *app) streamRowsFlags(cmd *cobra.Command) *setFlags {
	f := &setFlags{format: "svmlight"}
	cli.EnumFlag(cmd, &f.missing, "missing", "error", missingNames[:2], "what a missing value (NaN, NULL, empty) becomes")
	cmd.Flags().BoolVar(&f.zeroBased, "zero-based", false, "indices start at 0")
	a.MaxLineFlag(cmd)
	return f
}

// statisticsOptions are what is summed by the flags.
func (a *app) statisticsOptions(f *trainFlags) (o pairrank.StatisticsOptions, err error) {
	if _, err := f.learnerOfRows(); err != nil {
		return o, err
	}
	goal, err := f.goal()
	if err != nil {
		return o, err
	}
	o = pairrank.StatisticsOptions{Learner: pairrank.LeastSquares{Regression: f.learner == "rls", Pairs: goal}, Normalize: f.normalize, Folds: f.folds}
	if o.Threshold, err = f.threshold(); err != nil {
		return o, err
	}
	if f.folds < 1 {
		return o, cli.Usagef("--folds is at least 1, not %d", f.folds)
	}
	if f.names != "" {
		if o.Names, err = cli.AwaitFor(a.Ctx, func() ([]string, error) { return table.ReadNames(f.names) }); err != nil {
			return o, cli.FileError(err)
		}
		if err := checkUTF8(f.names, "feature", o.Names); err != nil {
			return o, err
		}
	}
	o, err = o.Resolved()
	return o, (&advice.Run{}).Error(err)
}

// summedOptions are the options of sums as flags and their values.
func summedOptions(o pairrank.StatisticsOptions) map[string]string {
	pairs := o.Learner.Pairs
	flags := map[string]string{
		"learner": o.Learner.Name(), "cost": string(pairs.Cost), "ties": pairs.Ties, "query-weight": string(pairs.Weight),
		"normalize": o.Normalize, "folds": strconv.Itoa(o.Folds), "binarize": "", "names": "",
	}
	if o.Threshold != nil {
		flags["binarize"] = strconv.FormatFloat(*o.Threshold, 'g', -1, 64)
	}
	if n := len(o.Names); n > 0 {
		const digits = 16
		flags["names"] = fmt.Sprintf("%s with SHA-256 %s…", spell.Plural(n, "name"), sha256Hex([]byte(strings.Join(o.Names, "\n")))[:digits])
	}
	return flags
}

// streamOptions is how the rows of a stream are read.
func (a *app) streamOptions(f *setFlags) (svmlight.Options, error) {
	missing, err := data.ParseMissing(f.missing)
	return svmlight.Options{ZeroBased: f.zeroBased, Missing: missing, MaxLine: a.MaxLine}, cli.AsUsage(err)
}

// checkStreamed refuses files that are not read query by query.
func checkStreamed(names []string) error {
	for _, name := range names {
		if format := formatOf(name); format != "svmlight" {
			return cli.WithHint(cli.Usagef("%s is %s, and only SVMlight text is read query by query", name, format), "pairrank convert %s rows.txt makes SVMlight text of it", name)
		}
	}
	return nil
}

func (a *app) parts(names []string, f *setFlags) (parts []pairrank.Part, err error) {
	if err := checkStreamed(names); err != nil {
		return nil, err
	}
	opts, err := a.streamOptions(f)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		parts = append(parts, pairrank.Part{Name: name, Each: func(ctx context.Context, add func(pairrank.Query) error) error {
			return svmlight.EachQuery(ctx, name, opts, add)
		}})
	}
	return parts, nil
}

func (a *app) sumParts(parts []pairrank.Part, o pairrank.StatisticsOptions) (*pairrank.Statistics, error) {
	return pairrank.SumParts(a.Ctx, parts, o, pairrank.Monitor{})
}

func streamError(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return (&advice.Run{}).Error(err)
	}
	return cli.ReadError(err)
}

func (a *app) trainedFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` for the model (needed)")
	flags.StringVar(&f.lambda, "lambda", "", "one λ, `F` greater than 0")
	flags.StringVar(&f.lambdas, "lambdas", "", "`LIST` of λ to choose from")
	flags.BoolVar(&f.keepMoments, "keep-moments", false, "write the sums beside the model")
	f.pages.add(cmd, "the error over λ, and the choice")
}

func (a *app) trainFromSums(name string, s *pairrank.Statistics, lambdas []float64, f *trainFlags, load time.Duration) error {
	began := time.Now()
	result, err := s.Train(a.Ctx, lambdas, pairrank.Monitor{})
	if err != nil {
		return streamError(err)
	}
	about := report.About{Model: f.output, Load: load, Work: time.Since(began)}
	if f.keepMoments {
		if err := a.writeWithMoments(a.Ctx, f.output, result.Model, s); err != nil {
			return err
		}
		return a.reportTraining(a.Ctx, f.output, report.NewTraining(result, about))
	}
	return a.writeTraining(a.Ctx, name, f, result, about)
}
