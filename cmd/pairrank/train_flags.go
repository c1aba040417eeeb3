package main

import (
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/relation/similarity"
	"pairrank/report/page"
)

// trainFlags are the flags of train as they are given.
type trainFlags struct {
	rows                                   setFlags
	output, learner, kernel, matrix        string
	lambdas                                []float64 // of --lambda too; nil where neither is given
	selectBy                               string
	metric                                 *metric.Metric
	solver, basisRows, basisData           string
	basis, randomFeatures                  int
	cost, ties, weight, pairs, preferences string
	normalize, names, labels, valid        string
	threshold                              *float64 // of --binarize
	seed                                   uint64
	tolerance                              float64
	iterations                             int
	svmFlags
	selectFlags
	rounds      []int
	pages       pageFlags
	relation    relationFlags
	interval    string // of cv; "" for train
	withIDs     bool   // of cv
	stream      bool   // of train
	keepMoments bool   // of train and merge
	keepQueries bool   // of train and stats
	comparisons string // FILE, between the rows of items
	items       string
	compared    table.ComparisonsOptions
	changed     func(name string) bool
}

// allPairs is the value of --pairs that compares rows of all queries.
const allPairs = "all"

// compares reports whether preferences or comparisons take the place of labels.
func (f *trainFlags) compares() bool { return f.preferences != "" || f.comparisons != "" }

// dataPath is DATA, or the items of comparisons.
func (f *trainFlags) dataPath(args []string) string {
	if f.comparisons != "" {
		return f.items
	}
	return args[0]
}

// targets are where the values of the options of training go.
func (f *trainFlags) targets(verb string) cli.Targets {
	r := &f.relation
	f.rows.transpose = &r.transpose
	return cli.Join(f.pages.targets(page.ErrorFigure, page.MetricFigure, page.FeaturesFigure), f.rows.targets(verb),
		r.edgeFlags.targets(), comparisonTargets(&f.compared), cli.Targets{
			"comparisons": &f.comparisons, "items": &f.items,
			"output": &f.output, "learner": &f.learner, "kernel": &f.kernel, "kernel-matrix": &f.matrix,
			"lambda": option.Into(&f.lambdas, oneLambda), "lambdas": option.Into(&f.lambdas, numeral.ParseLambdas),
			"select": &f.selectBy, "metric": option.Into(&f.metric, pointer(metric.Parse)), "solver": &f.solver,
			"basis": &f.basis, "basis-rows": &f.basisRows, "basis-data": &f.basisData,
			"random-features": &f.randomFeatures, "cost": &f.cost, "ties": &f.ties, "query-weight": &f.weight,
			"pairs": &f.pairs, "preferences": &f.preferences, "normalize": &f.normalize, "names": &f.names,
			"binarize": &f.threshold, "labels": &f.labels, "valid": &f.valid, "seed": &f.seed, "tolerance": &f.tolerance,
			"max-iterations": &f.iterations, "rounds": option.Into(&f.rounds, parseRounds), "stream": &f.stream,
			"keep-moments":  &f.keepMoments,
			keepQueriesName: &f.keepQueries, "loss": &f.loss, "counter": &f.counter, "epsilon": &f.epsilon,
			"time-limit": &f.timeLimit, "warm-start": &f.warmStart, "relation": &r.relation,
			"pair-kernel": &r.pairKernel,
			"setting":     &r.setting, "lambda-cols": option.Into(&r.lambdaCols, lambdaOfColumns),
			"pairs-sample": cli.WholeOr(&r.sample, "pairs-sample", map[string]int64{"auto": cv.PairsAuto, "all": cv.PairsAll}),
			"symmetrize":   &r.symmetrize, "normalize-kernel": &r.unit,
			"psd-fix": option.Into(&r.psd, similarity.ParseRepair), "early-stop": &r.earlyStop, "patience": &r.patience,
			"curve": &r.curve, "features": cli.WholeOr(&f.features, "features", map[string]int64{"auto": 0}),
			"one-se": &f.oneSE, "search": &f.search, "criterion": &f.criterion, "baseline": &f.baseline,
		})
}

// svmFlags are the flags of ranksvm alone.
type svmFlags struct {
	loss, counter string
	epsilon       float64
	timeLimit     time.Duration
	warmStart     string
}
