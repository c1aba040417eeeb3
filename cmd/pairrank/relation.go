package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/pairwise"
	repair "pairrank/relation/similarity"
	"pairrank/report"
)

// relationFlags are the flags of learning from edges between nodes.
type relationFlags struct {
	edges, edgeFormat    string
	rows, cols           string
	rowKernel, colKernel string
	relation, pairKernel string
	setting              string
	lambdaCols           string
	sample               int
	symmetrize, unit     bool
	transpose            bool
	psdFix               string
	earlyStop, curve     string
	patience             int
}

var (
	relationNames   = []string{string(relation.Arbitrary), string(relation.Symmetric), string(relation.Reciprocal)}
	edgeFormatNames = []string{"auto", "triplets", "matrix"}
	psdFixNames     = []string{"none", "clip", "shift"}
)

// register adds the flags that train and cv share.
func (f *relationFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.edges, "edges", "", "`FILE` of labelled edges between nodes, instead of DATA: row_id col_id value, or a matrix")
	cli.EnumFlag(cmd, &f.edgeFormat, "edge-format", "auto", edgeFormatNames, "how --edges is written")
	transposeFlag(cmd, &f.transpose)
	flags.StringVar(&f.rows, "rows", "", "`FILE` of the row nodes: id and features, or a similarity matrix for --row-kernel precomputed")
	flags.StringVar(&f.cols, "cols", "", "`FILE` of the column nodes (default: the row nodes, one domain)")
	flags.StringVar(&f.rowKernel, "row-kernel", "linear", "`KERNEL` of the row nodes: one of those of --kernel")
	flags.StringVar(&f.colKernel, "col-kernel", "", "`KERNEL` of the column nodes (default: that of the rows)")
	cli.EnumFlag(cmd, &f.relation, "relation", string(relation.Arbitrary), relationNames, "what is known of the values of (u,v) and (v,u)")
	cli.EnumFlag(cmd, &f.pairKernel, "pair-kernel", "", named(pairwise.Kernels), "pairwise kernel (default: that of the relation)")
	cli.EnumFlag(cmd, &f.setting, "setting", string(relation.Pairs), named(relation.Settings), "what is new when an edge is predicted, and so held out: the edge, its row, its column, or both")
	flags.StringVar(&f.lambdaCols, "lambda-cols", "", "λ of the columns of --learner two-step, `F` greater than 0 (default: 1)")
	flags.IntVar(&f.sample, "pairs-sample", 0, "leave out `N` edges of --setting both, drawn by --seed, instead of all; of two labels half are the rarer one")
	flags.BoolVar(&f.symmetrize, "symmetrize", false, "take the mean of a similarity matrix and its transpose")
	flags.BoolVar(&f.unit, "normalize-kernel", false, "divide kernel values k(u,v) by the root of k(u,u) k(v,v)")
	cli.EnumFlag(cmd, &f.psdFix, "psd-fix", "none", psdFixNames, "negative eigenvalues of a similarity matrix: an error, set to 0, or shifted up")
}

// relationPlan is what the flags ask for, checked.
type relationPlan struct {
	*trainFlags
	*relationFlags
	options              relation.Options
	rowKernel, colKernel kernel.Kernel
	threshold            *float64 // of --binarize
	estimates            bool     // not only to choose λ
}

// relationOnly are the flags that need --edges, and relationToo those of others
// that may stand beside it.
var (
	relationOnly = []string{"edge-format", "transpose", "rows", "cols", "row-kernel", "col-kernel", "relation", "pair-kernel", "setting",
		"lambda-cols", "pairs-sample", "symmetrize", "normalize-kernel", "psd-fix", "early-stop", "patience", "curve"}
	relationToo = []string{"edges", "output", "learner", "lambda", "lambdas", "select", "method", "metric", "solver", "loss", "seed",
		"tolerance", "max-iterations", "binarize", "held-out", "interval", "nested", "permutations", "max-line", "json", "progress", "threads", "help"}
)

// dataOr is DATA, or "" where there are edges instead; flags of the other kind of
// data are refused.
func (f *relationFlags) dataOr(cmd *cobra.Command, args []string) (path string, err error) {
	switch {
	case f.edges != "" && len(args) > 0:
		return "", cli.Usagef("--edges takes the place of DATA, and both were given")
	case f.edges == "" && len(args) == 0:
		return "", cli.WithHint(cli.Usagef("DATA is missing"), "the form is pairrank %s", cmd.Use)
	case len(args) > 0:
		path = args[0]
	}
	return path, f.checkRelational(cmd.Flags())
}

// checkRelational refuses flags that are for the other kind of data.
func (f *relationFlags) checkRelational(flags *pflag.FlagSet) error {
	var wrong error
	flags.Visit(func(flag *pflag.Flag) {
		only, too := slices.Contains(relationOnly, flag.Name), slices.Contains(relationToo, flag.Name)
		switch {
		case wrong != nil:
		case f.edges == "" && only:
			wrong = cli.Usagef("--%s is about edges between nodes, and there is no --edges FILE", flag.Name)
		case f.edges != "" && !only && !too:
			wrong = cli.Usagef("--%s is not for edges between nodes", flag.Name)
		}
	})
	return wrong
}

// planRelation checks the flags. method is how edges are held out, which estimates
// says is the purpose: that of cv, not only to choose λ.
func planRelation(f *trainFlags, r *relationFlags, method string, estimates bool) (*relationPlan, error) {
	p := &relationPlan{trainFlags: f, relationFlags: r, estimates: estimates}
	p.options = relation.Options{
		Relation: relation.Kind(r.relation), Kernel: pairwise.Kernel(r.pairKernel), Setting: relation.Setting(r.setting), Solver: relation.Solver(f.solver),
		Seed: f.seed, Sample: r.sample, Also: report.RelationMetrics, Tolerance: f.tolerance, MaxIterations: f.iterations,
		Normalize: r.unit, Symmetrize: r.symmetrize,
	}
	for _, check := range []func() error{
		p.planFiles, p.planLearner, p.planKernels, p.planLambdas, func() error { return p.planMethod(method, estimates) }, p.planRest, p.planSolver,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return p, p.asked().explain(relation.Check(p.kinds(), p.options))
}

// kinds is the problem without its data.
func (p *relationPlan) kinds() relation.Problem {
	kinds := relation.Problem{Rows: &relation.Nodes{Kernel: p.rowKernel}}
	if p.relationFlags.cols != "" {
		kinds.Cols = &relation.Nodes{Kernel: p.colKernel}
	}
	return kinds
}

// fromFiles refuses standard input for what is read from named files.
func fromFiles(paths ...string) error {
	if slices.Contains(paths, "-") {
		return cli.Usagef("edges and nodes are read from files, not from standard input")
	}
	return nil
}

func (p *relationPlan) planFiles() error {
	return fromFiles(p.edges, p.relationFlags.rows, p.relationFlags.cols, p.earlyStop)
}

func (p *relationPlan) planLearner() error {
	if p.relationFlags.rows == "" {
		return cli.WithHint(cli.Usagef("--rows FILE of the nodes is missing"), "its first column is id, the others are features; or a similarity matrix with --row-kernel precomputed")
	}
	if p.options.Learner = relation.Learner(p.learner); !slices.Contains(relation.Learners, p.options.Learner) {
		return cli.Usagef("--learner %s is not for edges between nodes: known are rankrls, similarity, two-step", p.learner)
	}
	p.options.Loss = relation.Ranking
	switch p.loss {
	case string(relation.Regression):
		p.options.Loss = relation.Regression
	case string(relation.Ranking):
	default:
		if p.changed("loss") {
			return cli.Usagef("--loss %s is for ranksvm; edges between nodes have ranking and regression", p.loss)
		}
	}
	if p.options.Learner == relation.RankRLS {
		return nil
	}
	not := []string{"loss", "relation", "pair-kernel", "solver", "tolerance", "max-iterations", "early-stop", "curve", "patience", "pairs-sample"}
	if p.options.Learner == relation.Similarity {
		not = append(not, "select", "method", "metric", "setting", "seed", "symmetrize", "psd-fix", "binarize", "lambda-cols")
	}
	for _, name := range not {
		if p.changed(name) {
			return cli.Usagef("--%s is not for --learner %s", name, p.learner)
		}
	}
	return nil
}

func (p *relationPlan) planKernels() error {
	var err error
	if p.rowKernel, err = kernel.Parse(p.relationFlags.rowKernel); err != nil {
		return cli.AsUsage(err)
	}
	if p.colKernel = p.rowKernel; p.relationFlags.colKernel != "" {
		if p.relationFlags.cols == "" {
			return cli.Usagef("--col-kernel is for the nodes of --cols FILE")
		}
		if p.colKernel, err = kernel.Parse(p.relationFlags.colKernel); err != nil {
			return cli.AsUsage(err)
		}
	}
	p.options.PSD, err = repair.ParseRepair(p.psdFix)
	return cli.AsUsage(err)
}

func (p *relationPlan) planLambdas() error {
	if p.changed("lambda") && p.changed("lambdas") {
		return cli.Usagef("--lambda gives one value and --lambdas several: give one of them")
	}
	text, single := p.trainFlags.lambdas, p.changed("lambda")
	if single {
		text = p.lambda
	}
	var err error
	if single || p.changed("lambdas") {
		if p.options.Lambdas, err = parseLambdas(text); err != nil {
			return cli.AsUsage(err)
		}
	}
	if single && len(p.options.Lambdas) != 1 {
		return cli.Usagef("--lambda takes one value; --lambdas takes several")
	}
	twoStep := p.options.Learner == relation.TwoStep
	switch {
	case p.options.Learner == relation.Similarity && (single || p.changed("lambdas")):
		return cli.Usagef("--learner similarity learns nothing, and has no λ")
	case !twoStep && p.changed("lambda-cols"):
		return cli.Usagef("--lambda-cols is for --learner two-step")
	case twoStep && p.relationFlags.lambdaCols != "":
		values, err := parseLambdas(p.relationFlags.lambdaCols)
		if err != nil || len(values) != 1 {
			return cli.Usagef("--lambda-cols is one number greater than 0, not %q", p.relationFlags.lambdaCols)
		}
		p.options.LambdaCols = values[0]
	}
	return nil
}

// alone trains with the only λ, of which nothing is chosen.
func (p *relationPlan) alone() { p.options.Lambda, p.options.Lambdas = p.options.Lambdas[0], nil }

// chooses reports whether a λ is chosen, or estimated.
func (p *relationPlan) chooses() bool {
	return p.options.Lambda == 0 && p.options.Learner != relation.Similarity
}

// planMethod reads how edges are held out: loo, kfold:K or none.
func (p *relationPlan) planMethod(method string, estimates bool) error {
	switch method {
	case "":
		if p.changed("lambda") && !estimates {
			p.alone()
		}
		return nil
	case "none":
		if p.options.Learner == relation.Similarity {
			return nil
		}
		if len(p.options.Lambdas) != 1 {
			return cli.WithHint(cli.Usagef("--select none chooses nothing among several values of λ"), "give one value: --lambda 1")
		}
		p.alone()
		return nil
	}
	m, err := cv.ParseMethod(method)
	if err != nil || m.Kind != cv.LeaveOneOut && m.Kind != cv.KFold {
		return cli.AsUsage(errors.New("edges are held out by loo or kfold:K, in the --setting"))
	}
	p.options.Method = m
	return nil
}

func (p *relationPlan) planRest() error {
	if p.trainFlags.metric != "" {
		if !p.chooses() {
			return cli.Usagef("--metric chooses λ, and there is only one")
		}
		m, err := metric.Parse(p.trainFlags.metric)
		if err != nil {
			return cli.AsUsage(err)
		}
		p.options.Metric = &m
	}
	var err error
	if p.threshold, err = p.trainFlags.threshold(); err != nil {
		return err
	}
	if !p.chooses() {
		for _, name := range []string{"setting", "pairs-sample", "seed"} {
			if p.changed(name) {
				return cli.Usagef("--%s is for choosing λ, and there is only one", name)
			}
		}
	}
	exact := p.options.Method.Kind != cv.KFold
	switch {
	case p.changed("pairs-sample") && p.sample >= 0 && (p.setting != string(relation.Both) || p.options.Loss != relation.Regression || !exact):
		return cli.Usagef("--pairs-sample is for the exact estimate of --setting both, by loo, with --loss regression")
	case p.changed("seed") && !p.halves() && !p.changed("pairs-sample") && !p.changed("nested") && !p.changed("permutations") && p.options.Method.Kind == cv.LeaveOneOut:
		return cli.Usagef("--seed is for kfold and --pairs-sample, and nothing else is random")
	}
	return nil
}

// halves reports whether an interval may be made, from halves that the seed draws.
func (p *trainFlags) halves() bool { return p.interval != "" && p.interval != "none" }

// planSolver checks what is only for a solver that iterates, where it is given.
func (p *relationPlan) planSolver() error {
	if p.earlyStop != "" {
		p.options.EarlyStop = &relation.EarlyStop{Patience: p.patience}
	}
	switch {
	case !(p.tolerance > 0): // the library takes 0 for its default
		return cli.Usagef("--tolerance is between 0 and 1, not %v", p.tolerance)
	case p.iterations < 1:
		return cli.Usagef("--max-iterations is at least 1, not %d", p.iterations)
	case p.solver == string(relation.Closed) && (p.changed("tolerance") || p.changed("max-iterations")):
		return cli.Usagef("--tolerance and --max-iterations are for a solver that iterates, and the closed form does not")
	case p.earlyStop == "" && (p.changed("patience") || p.changed("curve")):
		return cli.Usagef("--patience and --curve are about --early-stop FILE")
	case p.earlyStop != "" && !p.changed("lambda"):
		return cli.Usagef("--early-stop is for one λ: --lambda F")
	case p.patience < 1:
		return cli.Usagef("--patience is at least 1, not %d", p.patience)
	}
	return nil
}

// asked is what the command line says, for errors and notes.
func (p *relationPlan) asked() *asked {
	method := "select"
	if p.estimates {
		method = "method"
	}
	return &asked{method: method}
}
