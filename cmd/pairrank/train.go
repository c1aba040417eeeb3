package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/numeral"
	"pairrank/kernel"
	"pairrank/pref"
)

// trainFlags are the flags of train as they are given.
type trainFlags struct {
	rows                                   *setFlags
	output, learner, kernel, matrix        string
	lambda, lambdas, selectBy, metric      string
	solver, basisRows                      string
	basis                                  int
	cost, ties, weight, pairs, preferences string
	normalize, names, binarize, labels     string
	valid                                  string
	seed                                   uint64
	tolerance                              float64
	iterations                             int
	svmFlags
	rounds   string
	relation relationFlags
	interval string // of cv; "" for train
	changed  func(name string) bool
}

var (
	solverNames = []string{"auto", "primal", "dual", "sparse", "cg", "closed"}
	costNames   = []string{"magnitude", "unit", "relative"}
	tiesNames   = []string{"include", "exclude"}
	weightNames = []string{"pairs", "size", "edges"}
	pairsNames  = []string{"query", "all"}
	normalNames = []string{data.NormalizeNone, "zscore", "minmax", "query-minmax"}
)

func newTrain(a *app) *cobra.Command {
	f := trainFlags{}
	cmd := &cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "train a ranker and choose its λ exactly",
		Long: `train learns to rank the rows of DATA within each query, or as one list where
there is no qid, and writes the model.

Without further flags it is linear RankRLS: 31 values of λ that span the
eigenvalues of the problem, the exact leave-query-out error of each
(leave-pair-out for a single list), and the best one trained on everything. The
error is the mean disagreement over the held-out pairs with different labels,
tied scores counting one half.

The objective, with each unordered pair once, is
  rankrls    sum over compared pairs of w_ij ((y_i-y_j) - (f_i-f_j))^2 + lambda |f|^2
  rls        sum over rows of (y_i - f_i)^2 + lambda |f|^2
  ranksvm    mean over pairs y_i > y_j of max(0, 1 - (f_i-f_j)) + lambda |f|^2,
             or of the squares with --loss squared-hinge
  rankboost  mean over pairs y_i > y_j of exp(f_j - f_i), over sums of stumps

--solver auto takes the cheapest exact one: primal where there are no more
features than rows, else dual; cg for a single λ where neither fits in memory.
The sparse solver (--basis N) makes kernels feasible for many rows.

--valid FILE chooses λ by rows of their own, as data sets with a validation part
have them: trained on DATA, judged on FILE, which is normalised as DATA is.

--edges FILE --rows FILE learns from values of edges between nodes instead: it
ranks the columns for a row, new ones too (docs/relational.md).

ranksvm takes O(rows log rows) an iteration, whatever the labels are, and stops
when what is left is below --epsilon. λ is chosen by folds of queries, trained
again for every fold; until then there is no model. After that Ctrl-C,
--time-limit and --max-iterations save the best model so far, say how far it may
be from the optimum, and end with exit code 130 (Ctrl-C) or 5.

Numbers may be written as powers: 2^-3. --lambdas is a list a,b,c or a geometric
grid LO:HI:N. Where it is not given the values go down from where the ranking is
flat, 8 times the largest eigenvalue of the problem, or for ranksvm the mean
squared distance of two compared rows; 2^-15:2^15:31 is the grid of the papers.`,
		Example: `  pairrank train train.txt -o model.txt
  pairrank train train.txt -o model.txt --normalize query-minmax --metric ndcg@10
  pairrank train train.txt -o model.txt --valid vali.txt --metric ndcg@10
  pairrank train train.txt -o model.txt --kernel gaussian:gamma=0.25 --lambdas 2^-5:2^5:11
  pairrank train train.txt -o model.txt --kernel gaussian:gamma=2^-10:2^4:15
  pairrank train big.txt -o model.txt --kernel gaussian:gamma=0.25 --basis 500 --seed 1
  pairrank train words.txt.gz -o model.txt --solver cg --lambda 1
  pairrank train big.txt.gz -o model.txt --learner ranksvm --lambda 1e-5
  pairrank train train.txt -o model.txt --learner ranksvm --loss squared-hinge --lambdas 1e-5:1:6
  pairrank train train.txt -o model.txt --learner rankboost --rounds 50,100,200,400
  pairrank train rows.txt --preferences pairs.tsv -o model.txt --lambda 1
  pairrank train rows.txt --labels outputs.npy -o model.txt
  pairrank train labels.txt --kernel-matrix kernel.npy -o model.txt
  pairrank train --edges edges.tsv --rows drugs.tsv --cols targets.tsv --row-kernel gaussian:gamma=0.1 -o model.txt`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			path, err := f.relation.dataOr(cmd, args)
			if err != nil {
				return err
			}
			if path == "" {
				return a.trainRelation(&f, &f.relation)
			}
			return a.train(path, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.relation.earlyStop, "early-stop", "", "file of edges whose error ends the cg solver when it falls no more")
	flags.IntVar(&f.relation.patience, "patience", 10, "iterations that --early-stop waits for a lower error")
	flags.StringVar(&f.relation.curve, "curve", "", "file for the error of --early-stop after each iteration")
	flags.StringVarP(&f.output, "output", "o", "", "file for the model (needed); - is standard output; .gz and .zst compress")
	flags.StringVar(&f.selectBy, "select", "", "how λ is judged: lqo, lpo, loo, kfold:K or none (default: lqo, for a single list lpo, for one λ none; for ranksvm and rankboost kfold:10; for --edges loo where that is exact, else kfold:5)")
	flags.StringVar(&f.valid, "valid", "", "file of labelled rows that choose λ, or the rounds, instead of --select: by their error, or --metric")
	f.registerStops(cmd)
	flags.StringVar(&f.names, "names", "", "file with the feature names, one a line")
	a.learnerFlags(cmd, &f)
	a.jsonFlag(cmd)
	a.progressFlag(cmd)
	return cmd
}

// learnerFlags are the flags of every verb that trains.
func (a *app) learnerFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	enumFlag(cmd, &f.learner, "learner", rankRLS, learnerNames, "what is learnt")
	flags.StringVar(&f.kernel, "kernel", "linear", "linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D or precomputed; gamma=LO:HI:N is a grid to choose from")
	flags.StringVar(&f.matrix, "kernel-matrix", "", "kernel matrix of the rows, .npy or TSV; DATA then gives the labels and queries")
	flags.StringVar(&f.lambda, "lambda", "", "one λ, greater than 0")
	flags.StringVar(&f.lambdas, "lambdas", "", "values of λ to choose from: a list, or a geometric grid LO:HI:N (default: 31 values that span the eigenvalues of the problem; 16 for cg, 12 for ranksvm)")
	flags.StringVar(&f.metric, "metric", "", "what chooses λ instead of the error, as in ndcg@10")
	enumFlag(cmd, &f.solver, "solver", "auto", solverNames, "how the system is solved")
	flags.IntVar(&f.basis, "basis", 0, "number of basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by --seed")
	flags.StringVar(&f.basisRows, "basis-rows", "", "file with the row numbers of the basis, one a line, from 1")
	enumFlag(cmd, &f.cost, "cost", "magnitude", costNames, "target of a preferred pair: the difference of the labels; 1; or the difference, weighted by 1/its square")
	enumFlag(cmd, &f.ties, "ties", "include", tiesNames, "whether tied pairs are compared (default: include for magnitude, else exclude)")
	enumFlag(cmd, &f.weight, "query-weight", "pairs", weightNames, "weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query)")
	enumFlag(cmd, &f.pairs, "pairs", "query", pairsNames, "compare rows of a query, or all rows")
	flags.StringVar(&f.preferences, "preferences", "", "TSV of preferences i j [magnitude [weight]] instead of the labels")
	enumFlag(cmd, &f.normalize, "normalize", data.NormalizeNone, normalNames, "normalisation of the features, kept in the model")
	flags.StringVar(&f.labels, "labels", "", "labels of several outputs, m × v, .npy or TSV, instead of those of DATA; each output has its own λ")
	flags.StringVar(&f.binarize, "binarize", "", "labels of at least this become 1, others 0")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of random choices: folds of kfold, rows of --basis")
	numberFlag(cmd, &f.tolerance, "tolerance", 1e-9, "relative residual at which the cg solver stops")
	flags.IntVar(&f.iterations, "max-iterations", 10000, "most iterations of the cg solver, or of ranksvm, for one λ")
	f.svmFlags.register(cmd)
	f.relation.register(cmd)
	flags.StringVar(&f.rounds, "rounds", "300", "rounds of rankboost, or a list to choose from")
	f.rows = a.rowsFlags(cmd)
}

// trainPlan is what the flags ask for, checked.
type trainPlan struct {
	*trainFlags
	kernels     []kernel.Kernel // to choose from
	kernel      kernel.Kernel   // the one at work
	precomputed bool
	lambdas     []float64  // nil: the default of the problem
	single      bool       // one λ was given, and nothing is to be chosen
	method      *cv.Method // nil: the default
	noSelection bool
	metric      *metric.Metric
	goal        pref.Options
	threshold   *float64
	exact       bool // an estimate that trains folds again is an error
}

// plan checks the flags against each other: one that does not apply is an
// error, never ignored.
func (a *app) planTraining(f *trainFlags) (*trainPlan, error) {
	if f.output == "" {
		return nil, withHint(usagef("-o MODEL is missing"), "the form is pairrank train DATA -o MODEL")
	}
	if a.JSON && f.output == "-" {
		return nil, usagef("--json and -o - both write to standard output")
	}
	return planAll(f, planLearner, planKernel, planLambdas, planValid, planSelection, planMetric, planGoal, planOutputs, planSolver, planLabels)
}

func planAll(f *trainFlags, checks ...func(*trainPlan) error) (*trainPlan, error) {
	p := &trainPlan{trainFlags: f}
	for _, check := range checks {
		if err := check(p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func planKernel(p *trainPlan) error {
	spec := p.trainFlags.kernel
	if p.matrix != "" && !p.changed("kernel") {
		spec = "precomputed"
	}
	var err error
	if p.kernels, err = kernel.ParseGrid(spec); err != nil {
		return asUsage(err)
	}
	k := p.kernels[0]
	_, p.precomputed = k.(kernel.Precomputed)
	p.kernel = k
	switch {
	case p.precomputed && p.matrix == "":
		return usagef("--kernel precomputed needs --kernel-matrix FILE")
	case !p.precomputed && p.matrix != "":
		return usagef("--kernel-matrix is for --kernel precomputed, not %s", k)
	case p.precomputed && (p.changed("normalize") || p.changed("names")):
		return usagef("--normalize and --names are about features, and a precomputed kernel has none")
	}
	return nil
}

func planLambdas(p *trainPlan) error {
	if p.changed("lambda") && p.changed("lambdas") {
		return usagef("--lambda gives one value and --lambdas several: give one of them")
	}
	text := p.trainFlags.lambdas
	switch {
	case p.learner == rankBoost:
		return planRounds(p)
	case p.changed("lambda"):
		text = p.lambda
		p.single = true
	case !p.changed("lambdas"):
		return nil
	}
	var err error
	if p.lambdas, err = parseLambdas(text); err != nil {
		return asUsage(err)
	}
	if p.single && len(p.lambdas) != 1 {
		return usagef("--lambda takes one value; --lambdas takes several")
	}
	return nil
}

// parseLambdas reads a list a,b,c or a geometric grid LO:HI:N of positive
// numbers, and sorts it.
func parseLambdas(text string) ([]float64, error) {
	if strings.Contains(text, ":") {
		return numeral.ParseGrid(text)
	}
	var out []float64
	for field := range strings.SplitSeq(text, ",") {
		v, err := numeral.Parse(strings.TrimSpace(field))
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("λ is a number greater than 0, not %q", field)
		}
		out = append(out, v)
	}
	slices.Sort(out)
	if len(slices.Compact(slices.Clone(out))) < len(out) {
		return nil, fmt.Errorf("a λ stands twice in %q", text)
	}
	return out, nil
}

// candidates is how many values of λ, or numbers of rounds, there are to choose from.
func (p *trainPlan) candidates() int {
	switch {
	case p.lambdas != nil:
		return len(p.lambdas)
	case p.learner == rankSVM:
		return len(cv.HingeLambdas(1, 1))
	case p.solver == "cg":
		return len(cv.IterativeLambdas(1, 1))
	}
	return len(cv.Lambdas(nil, 1))
}

func planSelection(p *trainPlan) error {
	switch p.selectBy {
	case "":
		p.noSelection = p.candidates()*len(p.kernels) == 1 && p.valid == ""
	case "none":
		if p.candidates() > 1 && p.learner == rankBoost {
			return usagef("--select none chooses nothing among %d numbers of --rounds", len(p.lambdas))
		}
		if p.candidates() > 1 {
			return withHint(usagef("--select none chooses nothing among %d values of λ", p.candidates()), "give one value: --lambda 1")
		}
		if len(p.kernels) > 1 {
			return usagef("--select none chooses nothing among %d kernels", len(p.kernels))
		}
		p.noSelection = true
	default:
		m, err := cv.ParseMethod(p.selectBy)
		if err != nil {
			return asUsage(fmt.Errorf("--select is a method or none: %w", err))
		}
		p.method = &m
	}
	if folds := p.valid == "" && (p.method == nil || p.method.Kind == cv.KFold); p.changed("seed") && !p.changed("basis") && (p.noSelection || !folds) {
		return usagef("--seed is for kfold and --basis, and nothing else is random")
	}
	if p.noSelection && p.trainFlags.metric != "" {
		return usagef("--metric chooses %s, and there is only one", map[bool]string{true: "the rounds", false: "λ"}[p.learner == rankBoost])
	}
	return nil
}

func planMetric(p *trainPlan) error {
	if p.trainFlags.metric == "" {
		return nil
	}
	if p.preferences != "" && p.valid == "" {
		return usagef("--metric is about labels, and --preferences replaces them: the error over held-out preferences chooses")
	}
	m, err := metric.Parse(p.trainFlags.metric)
	if err != nil {
		return asUsage(err)
	}
	p.metric = &m
	return nil
}

func planGoal(p *trainPlan) error {
	for _, name := range []string{"ties", "query-weight", "pairs", "binarize"} {
		if p.preferences != "" && p.changed(name) {
			return usagef("--%s is about labels, and --preferences replaces them", name)
		}
	}
	p.goal = pref.Options{Cost: pref.Cost(p.cost), Weight: pref.Weight(p.weight)}
	if p.changed("ties") {
		p.goal.Ties = p.ties
	}
	var err error
	if p.goal, err = p.goal.Resolved(); err != nil {
		return asUsage(err)
	}
	return nil
}

func planSolver(p *trainPlan) error {
	if p.learner == rankSVM || p.learner == rankBoost {
		return planIterative(p)
	}
	sparse := p.changed("basis") || p.changed("basis-rows")
	linear := p.kernel == kernel.Linear{}
	if err := planBasis(p); err != nil {
		return err
	}
	switch {
	case sparse && p.solver != "auto" && p.solver != "sparse":
		return usagef("--basis and --basis-rows are for --solver sparse, not %s", p.solver)
	case p.solver == "closed":
		return usagef("--solver closed is for edges between nodes: --edges FILE --rows FILE")
	case p.solver == "sparse" && !sparse:
		return usagef("--solver sparse needs --basis N or --basis-rows FILE")
	case !linear && (p.solver == "primal" || p.solver == "cg"):
		return usagef("--solver %s is for the linear kernel, not %s", p.solver, p.kernel)
	case p.solver != "cg" && p.solver != "auto" && (p.changed("tolerance") || p.changed("max-iterations")):
		return usagef("--tolerance and --max-iterations are for --solver cg, not %s", p.solver)
	case !(p.tolerance > 0) || p.tolerance >= 1:
		return usagef("--tolerance is between 0 and 1, not %v", p.tolerance)
	}
	if p.solver == "auto" {
		switch {
		case p.changed("tolerance") || p.changed("max-iterations"):
			return usagef("--tolerance and --max-iterations are for --solver cg: name it")
		case sparse:
			p.solver = "sparse"
		case !linear:
			p.solver = "dual"
		}
	}
	return nil
}

// planBasis checks what concerns a basis and iterations, whatever the learner.
func planBasis(p *trainPlan) error {
	switch {
	case p.changed("basis") && p.changed("basis-rows"):
		return usagef("--basis draws rows and --basis-rows names them: give one of them")
	case p.changed("basis") && p.basis < 1:
		return usagef("--basis is at least 1, not %d", p.basis)
	case p.iterations < 1:
		return usagef("--max-iterations is at least 1, not %d", p.iterations)
	}
	return nil
}

func planLabels(p *trainPlan) error {
	if !p.changed("binarize") {
		return nil
	}
	t, err := numeral.Parse(p.binarize)
	if err != nil {
		return asUsage(fmt.Errorf("--binarize: %w", err))
	}
	p.threshold = &t
	return nil
}
