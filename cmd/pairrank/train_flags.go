package main

import (
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/report/page"
)

// trainFlags are the flags of train as they are given.
type trainFlags struct {
	rows                                   setFlags
	output, learner, kernel, matrix        string
	lambda, lambdas, selectBy, metric      string
	solver, basisRows, basisData           string
	basis, randomFeatures                  int
	cost, ties, weight, pairs, preferences string
	normalize, names, binarize, labels     string
	valid                                  string
	seed                                   uint64
	tolerance                              float64
	iterations                             int
	svmFlags
	selectFlags
	rounds      string
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
			"lambda": &f.lambda, "lambdas": &f.lambdas, "select": &f.selectBy, "metric": &f.metric, "solver": &f.solver,
			"basis": &f.basis, "basis-rows": &f.basisRows, "basis-data": &f.basisData,
			"random-features": &f.randomFeatures, "cost": &f.cost, "ties": &f.ties, "query-weight": &f.weight,
			"pairs": &f.pairs, "preferences": &f.preferences, "normalize": &f.normalize, "names": &f.names,
			"binarize": &f.binarize, "labels": &f.labels, "valid": &f.valid, "seed": &f.seed, "tolerance": &f.tolerance,
			"max-iterations": &f.iterations, "rounds": &f.rounds, "stream": &f.stream, "keep-moments": &f.keepMoments,
			keepQueriesName: &f.keepQueries, "loss": &f.loss, "counter": &f.counter, "epsilon": &f.epsilon,
			"time-limit": &f.timeLimit, "warm-start": &f.warmStart, "relation": &r.relation,
			"pair-kernel": &r.pairKernel,
			"setting":     &r.setting, "lambda-cols": &r.lambdaCols, "pairs-sample": &r.sample,
			"symmetrize":       &r.symmetrize,
			"normalize-kernel": &r.unit, "psd-fix": &r.psdFix, "early-stop": &r.earlyStop, "patience": &r.patience,
			"curve": &r.curve, "features": &f.features, "one-se": &f.oneSE, "search": &f.search,
			"criterion": &f.criterion, "baseline": &f.baseline,
		})
}

// svmFlags are the flags of ranksvm alone.
type svmFlags struct {
	loss, counter string
	epsilon       float64
	timeLimit     time.Duration
	warmStart     string
}
