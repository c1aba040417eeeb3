package main

import (
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/learn/ranksvm"
	"pairrank/report/page"
)

// trainFlags are the flags of train as they are given.
type trainFlags struct {
	rows                                   *setFlags
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
	rounds      string
	pages       pageFlags
	relation    relationFlags
	interval    string // of cv; "" for train
	stream      bool   // of train
	keepMoments bool   // of train and merge
	keepQueries bool   // of train and stats
	changed     func(name string) bool
}

// The values of flags that the command looks at.
const allPairs = "all"

var (
	costNames   = []string{"magnitude", "unit", "relative"}
	tiesNames   = []string{"include", "exclude"}
	weightNames = []string{"pairs", "size", "edges"}
	pairsNames  = []string{"query", allPairs}
	normalNames = []string{data.NormalizeNone, "zscore", "minmax", "query-minmax"}
)

// learnerFlags are the flags of every verb that trains.
func (a *app) learnerFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	cli.EnumFlag(cmd, &f.learner, "learner", learners[0].name, learnerNames(), "what is learnt")
	flags.StringVar(&f.kernel, "kernel", "linear", "`KERNEL`: linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D or precomputed; gamma=LO:HI:N is a grid to choose from")
	flags.StringVar(&f.matrix, "kernel-matrix", "", "`FILE` of the kernel matrix of the rows, .npy or TSV; DATA then gives the labels and queries")
	flags.StringVar(&f.lambda, "lambda", "", "one λ, `F` greater than 0")
	flags.StringVar(&f.lambdas, "lambdas", "", "`LIST` of λ to choose from: a,b,c, or a geometric grid LO:HI:N (default: 31 values that span the eigenvalues of the problem; 16 for cg, 12 for ranksvm)")
	flags.StringVar(&f.metric, "metric", "", "`METRIC` that chooses λ instead of the error, as in ndcg@10")
	cli.EnumFlag(cmd, &f.solver, "solver", solvers[0].name, solverNames(), "how the system is solved")
	flags.IntVar(&f.basis, "basis", 0, "`N` basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by --seed")
	flags.IntVar(&f.randomFeatures, "random-features", 0, "`N` random features, an even number, in the place of each gaussian kernel, which they approximate; drawn by --seed")
	flags.StringVar(&f.basisRows, "basis-rows", "", "`FILE` with the row numbers of the basis, one a line, from 1")
	cli.EnumFlag(cmd, &f.cost, "cost", "magnitude", costNames, "target of a preferred pair: the difference of the labels; 1; or the difference, weighted by 1/its square")
	cli.EnumFlag(cmd, &f.ties, "ties", "include", tiesNames, "whether tied pairs are compared (default: include for magnitude, else exclude)")
	cli.EnumFlag(cmd, &f.weight, "query-weight", "pairs", weightNames, "weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query)")
	cli.EnumFlag(cmd, &f.pairs, "pairs", "query", pairsNames, "compare rows of a query, or all rows")
	flags.StringVar(&f.preferences, "preferences", "", "TSV `FILE` of preferences i j [magnitude [weight]] instead of the labels")
	cli.EnumFlag(cmd, &f.normalize, "normalize", data.NormalizeNone, normalNames, "normalisation of the features, kept in the model")
	flags.StringVar(&f.labels, "labels", "", "`FILE` of the labels of several outputs, m × v, .npy or TSV, instead of those of DATA; each output has its own λ")
	flags.StringVar(&f.binarize, "binarize", "", "labels of at least `F` become 1, others 0")
	flags.Uint64Var(&f.seed, "seed", 1, "seed `N` of random choices: folds of kfold, rows of --basis, --random-features, pairs of --pairs-sample")
	cli.NumberFlag(cmd, &f.tolerance, "tolerance", 0, "relative residual `F` at which the cg solver "+
		"stops (default: of edges 1e-9; of rows 1e-6, and of folds when differences of scores are within 1/400)")
	flags.IntVar(&f.iterations, "max-iterations", 10000, "`N` iterations at most of the cg solver, or of ranksvm, for one λ")
	f.svmFlags.register(cmd)
	f.relation.register(cmd)
	flags.StringVar(&f.rounds, "rounds", "300", "`LIST` of rounds of rankboost to choose from, or one number")
	f.rows = a.rowsFlags(cmd)
}

// flagsOfTrain are the flags of train, those of every verb that trains among them.
func (a *app) flagsOfTrain(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	streamFlags(cmd, f)
	flags.StringVar(&f.basisData, "basis-data", "", "`FILE` of rows, of the form of DATA, that are the basis of a kernel with --stream")
	flags.StringVar(&f.relation.earlyStop, "early-stop", "", "`FILE` of edges whose error ends the cg solver when it falls no more")
	flags.IntVar(&f.relation.patience, "patience", 10, "`N` iterations that --early-stop waits for a lower error")
	flags.StringVar(&f.relation.curve, "curve", "", "`FILE` for the error of --early-stop after each iteration")
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` for the model (needed); - is standard output; .gz and .zst compress")
	flags.StringVar(&f.selectBy, "select", "", "`METHOD` that judges λ: lqo, lpo, loo, kfold:K or none (default: lqo, for a single list lpo, for one λ none; for ranksvm and rankboost kfold:10; for --edges loo where that is exact, else kfold:5)")
	flags.StringVar(&f.valid, "valid", "", "`FILE` of labelled rows that choose λ, or the rounds, instead of --select: by their error, or --metric")
	f.registerStops(cmd)
	f.pages.add(cmd, "the error over λ, and the choice", page.ErrorFigure, page.MetricFigure)
	flags.StringVar(&f.names, "names", "", "`FILE` with the feature names, one a line")
	a.learnerFlags(cmd, f)
	a.JSONFlag(cmd)
	a.ProgressFlag(cmd)
}

// svmFlags are the flags of ranksvm alone.
type svmFlags struct {
	loss, counter string
	epsilon       float64
	timeLimit     time.Duration
	warmStart     string
}

// named turns names of a type of their own into text.
func named[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

func (f *svmFlags) register(cmd *cobra.Command) {
	cli.EnumFlag(cmd, &f.loss, "loss", string(ranksvm.Hinge), append(named(ranksvm.Losses), named(edgeLosses)...), "what a pair costs in ranksvm; of edges between nodes, pairs of a row (the default there) or each edge")
	cli.EnumFlag(cmd, &f.counter, "counter", string(ranksvm.Counters[0]), named(ranksvm.Counters), "how ranksvm counts pairs; only the time differs, and last digits of the squared hinge; pairs takes as long as there are pairs")
	cli.NumberFlag(cmd, &f.epsilon, "epsilon", 1e-3, "where ranksvm stops: gap to the optimum, or relative gradient of the squared hinge")
}

// registerStops adds the flags of train alone.
func (f *svmFlags) registerStops(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0, "`TIME` after which ranksvm stops with the best so far, as in 90s or 10m (default: none)")
	cmd.Flags().StringVar(&f.warmStart, "warm-start", "", "`FILE` of a linear model whose weights ranksvm starts from")
}
