package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/kernel"
	"pairrank/relation/kron"
	"pairrank/relation/pairwise"
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
	relationNames   = []string{string(kron.Arbitrary), string(kron.Symmetric), string(kron.Reciprocal)}
	edgeFormatNames = []string{"auto", "triplets", "matrix"}
	psdFixNames     = []string{"none", "clip", "shift"}
)

// register adds the flags that train and cv share.
func (f *relationFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.edges, "edges", "", "file of labelled edges between nodes, instead of DATA: row_id col_id value, or a matrix")
	enumFlag(cmd, &f.edgeFormat, "edge-format", "auto", edgeFormatNames, "how --edges is written")
	transposeFlag(cmd, &f.transpose)
	flags.StringVar(&f.rows, "rows", "", "file of the row nodes: id and features, or a similarity matrix for --row-kernel precomputed")
	flags.StringVar(&f.cols, "cols", "", "file of the column nodes (default: the row nodes, one domain)")
	flags.StringVar(&f.rowKernel, "row-kernel", "linear", "kernel of the row nodes: one of those of --kernel")
	flags.StringVar(&f.colKernel, "col-kernel", "", "kernel of the column nodes (default: that of the rows)")
	enumFlag(cmd, &f.relation, "relation", string(kron.Arbitrary), relationNames, "what is known of the values of (u,v) and (v,u)")
	enumFlag(cmd, &f.pairKernel, "pair-kernel", "", named(pairwise.Kernels), "pairwise kernel (default: that of the relation)")
	enumFlag(cmd, &f.setting, "setting", string(kron.Pairs), named(kron.Settings), "what is new when an edge is predicted, and so held out: the edge, its row, its column, or both")
	flags.StringVar(&f.lambdaCols, "lambda-cols", "", "λ of the columns of --learner two-step (default: 1)")
	flags.IntVar(&f.sample, "pairs-sample", 0, "leave out this many edges of --setting both, drawn by --seed, instead of all; of two labels half are the rarer one")
	flags.BoolVar(&f.symmetrize, "symmetrize", false, "take the mean of a similarity matrix and its transpose")
	flags.BoolVar(&f.unit, "normalize-kernel", false, "divide kernel values k(u,v) by the root of k(u,u) k(v,v)")
	enumFlag(cmd, &f.psdFix, "psd-fix", "none", psdFixNames, "negative eigenvalues of a similarity matrix: an error, set to 0, or shifted up")
}

// relationPlan is what the flags ask for, checked.
type relationPlan struct {
	*trainFlags
	*relationFlags
	rowKernel, colKernel kernel.Kernel
	learn                kron.Options
	pairs                pairwise.Kernel
	lambdas              []float64 // nil: the default of the problem
	single               bool
	lambdaCols           float64
	method               *cv.Method // nil: the default
	none                 bool       // nothing is chosen
	metric               *metric.Metric
	threshold            *float64
}

// relationOnly are the flags that need --edges, and relationToo those of others
// that may stand beside it.
var (
	relationOnly = []string{"edge-format", "transpose", "rows", "cols", "row-kernel", "col-kernel", "relation", "pair-kernel", "setting",
		"lambda-cols", "pairs-sample", "symmetrize", "normalize-kernel", "psd-fix", "early-stop", "patience", "curve"}
	relationToo = []string{"edges", "output", "learner", "lambda", "lambdas", "select", "method", "metric", "solver", "loss", "seed",
		"tolerance", "max-iterations", "binarize", "held-out", "interval", "max-line", "json", "progress", "threads", "help"}
)

// dataOr is DATA, or "" where there are edges instead; flags of the other kind of
// data are refused.
func (f *relationFlags) dataOr(cmd *cobra.Command, args []string) (path string, err error) {
	switch {
	case f.edges != "" && len(args) > 0:
		return "", usagef("--edges takes the place of DATA, and both were given")
	case f.edges == "" && len(args) == 0:
		return "", withHint(usagef("DATA is missing"), "the form is pairrank %s", cmd.Use)
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
			wrong = usagef("--%s is about edges between nodes, and there is no --edges FILE", flag.Name)
		case f.edges != "" && !only && !too:
			wrong = usagef("--%s is not for edges between nodes", flag.Name)
		}
	})
	return wrong
}

// relationLearners are the learners of --edges.
var relationLearners = []string{rankRLS, similarity, twoStep}

// planRelation checks the flags. method is how edges are held out, which estimates
// says is the purpose: that of cv, not only to choose λ.
func planRelation(f *trainFlags, r *relationFlags, method string, estimates bool) (*relationPlan, error) {
	p := &relationPlan{trainFlags: f, relationFlags: r}
	for _, check := range []func() error{
		p.planFiles, p.planLearner, p.planKernels, p.planLambdas, func() error { return p.planMethod(method, estimates) }, p.planRest, p.planSolver,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// fromFiles refuses standard input for what is read from named files.
func fromFiles(paths ...string) error {
	if slices.Contains(paths, "-") {
		return usagef("edges and nodes are read from files, not from standard input")
	}
	return nil
}

func (p *relationPlan) planFiles() error {
	return fromFiles(p.edges, p.relationFlags.rows, p.relationFlags.cols, p.earlyStop)
}

func (p *relationPlan) planLearner() error {
	if p.relationFlags.rows == "" {
		return withHint(usagef("--rows FILE of the nodes is missing"), "its first column is id, the others are features; or a similarity matrix with --row-kernel precomputed")
	}
	if !slices.Contains(relationLearners, p.learner) {
		return usagef("--learner %s is not for edges between nodes: known are rankrls, similarity, two-step", p.learner)
	}
	p.learn = kron.Options{Loss: kron.Ranking, Relation: kron.Relation(p.relationFlags.relation)}
	switch p.loss {
	case string(kron.Regression):
		p.learn.Loss = kron.Regression
	case string(kron.Ranking):
	default:
		if p.changed("loss") {
			return usagef("--loss %s is for ranksvm; edges between nodes have ranking and regression", p.loss)
		}
	}
	if p.learner == rankRLS {
		return nil
	}
	not := []string{"loss", "relation", "pair-kernel", "solver", "tolerance", "max-iterations", "early-stop", "curve", "patience", "pairs-sample"}
	if p.learner == similarity {
		not = append(not, "select", "method", "metric", "setting", "seed", "symmetrize", "psd-fix", "binarize", "lambda-cols")
	}
	for _, name := range not {
		if p.changed(name) {
			return usagef("--%s is not for --learner %s", name, p.learner)
		}
	}
	return nil
}

func (p *relationPlan) planKernels() error {
	var err error
	if p.rowKernel, err = kernel.Parse(p.relationFlags.rowKernel); err != nil {
		return asUsage(err)
	}
	if p.colKernel = p.rowKernel; p.relationFlags.colKernel != "" {
		if p.relationFlags.cols == "" {
			return usagef("--col-kernel is for the nodes of --cols FILE")
		}
		if p.colKernel, err = kernel.Parse(p.relationFlags.colKernel); err != nil {
			return asUsage(err)
		}
	}
	if p.pairs = p.learn.Relation.Pairwise(); p.pairKernel != "" {
		p.pairs = pairwise.Kernel(p.pairKernel)
	}
	one := p.relationFlags.cols == ""
	given := kernel.Kernel(kernel.Precomputed{})
	switch {
	case (p.psdFix != "none" || p.symmetrize) && p.rowKernel != given && p.colKernel != given:
		return usagef("--psd-fix and --symmetrize are for similarity matrices: --row-kernel precomputed")
	case !one && p.learn.Relation != kron.Arbitrary:
		return usagef("--relation %s is of one domain, and --cols names another", p.relationFlags.relation)
	case !one && p.pairs.OneDomain():
		return usagef("--pair-kernel %s is of one domain, and --cols names another", p.pairs)
	case p.pairKernel != "" && p.learn.Relation != kron.Arbitrary && p.pairs != p.learn.Relation.Pairwise():
		return usagef("--relation %s has the pairwise kernel %s, not %s", p.relationFlags.relation, p.learn.Relation.Pairwise(), p.pairs)
	case p.psdFix == "clip" && !slices.Contains([]pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric, pairwise.Reciprocal}, p.pairs):
		return usagef("--psd-fix clip is for the pairwise kernels kronecker, symmetric and reciprocal, through which new nodes are mended alike; --psd-fix shift takes any")
	case p.learner == similarity && !one:
		return usagef("--learner similarity ranks the nodes of one domain, and --cols names another")
	case p.pairs == pairwise.Cartesian && p.setting != string(kron.Pairs):
		return usagef("the cartesian kernel says nothing of new nodes: --setting pairs")
	}
	return nil
}

func (p *relationPlan) planLambdas() error {
	if p.changed("lambda") && p.changed("lambdas") {
		return usagef("--lambda gives one value and --lambdas several: give one of them")
	}
	text := p.trainFlags.lambdas
	if p.single = p.changed("lambda"); p.single {
		text = p.lambda
	}
	var err error
	if p.single || p.changed("lambdas") {
		if p.lambdas, err = parseLambdas(text); err != nil {
			return asUsage(err)
		}
	}
	if p.single && len(p.lambdas) != 1 {
		return usagef("--lambda takes one value; --lambdas takes several")
	}
	switch {
	case p.learner == similarity && (p.changed("lambda") || p.changed("lambdas")):
		return usagef("--learner similarity learns nothing, and has no λ")
	case p.learner == similarity:
		p.lambdas, p.single = []float64{1}, true
	case p.learner != twoStep && p.changed("lambda-cols"):
		return usagef("--lambda-cols is for --learner two-step")
	case p.learner == twoStep:
		p.lambdaCols = 1
		if p.relationFlags.lambdaCols != "" {
			values, err := parseLambdas(p.relationFlags.lambdaCols)
			if err != nil || len(values) != 1 {
				return usagef("--lambda-cols is one number greater than 0, not %q", p.relationFlags.lambdaCols)
			}
			p.lambdaCols = values[0]
		}
	}
	return nil
}

// planMethod reads how edges are held out: loo, kfold:K or none.
func (p *relationPlan) planMethod(method string, estimates bool) error {
	switch method {
	case "":
		p.none = p.single && !estimates
		return nil
	case "none":
		if len(p.lambdas) != 1 {
			return withHint(usagef("--select none chooses nothing among several values of λ"), "give one value: --lambda 1")
		}
		p.none = true
		return nil
	}
	m, err := cv.ParseMethod(method)
	if err != nil || m.Kind != cv.LeaveOneOut && m.Kind != cv.KFold {
		return asUsage(errors.New("edges are held out by loo or kfold:K, in the --setting"))
	}
	p.method = &m
	return nil
}

func (p *relationPlan) planRest() error {
	if p.trainFlags.metric != "" {
		if p.none {
			return usagef("--metric chooses λ, and there is only one")
		}
		m, err := metric.Parse(p.trainFlags.metric)
		if err != nil {
			return asUsage(err)
		}
		p.metric = &m
	}
	var err error
	if p.threshold, err = p.trainFlags.threshold(); err != nil {
		return err
	}
	if p.none {
		for _, name := range []string{"setting", "pairs-sample", "seed"} {
			if p.changed(name) {
				return usagef("--%s is for choosing λ, and there is only one", name)
			}
		}
	}
	switch {
	case p.sample < 0:
		return usagef("--pairs-sample is at least 0, not %d", p.sample)
	case p.changed("pairs-sample") && (p.setting != string(kron.Both) || p.learn.Loss != kron.Regression || p.method != nil && p.method.Kind != cv.LeaveOneOut):
		return usagef("--pairs-sample is for the exact estimate of --setting both, by loo, with --loss regression")
	case p.changed("seed") && !p.halves() && !p.changed("pairs-sample") && p.method != nil && p.method.Kind == cv.LeaveOneOut:
		return usagef("--seed is for kfold and --pairs-sample, and nothing else is random")
	}
	return nil
}

// onFeatures tells what the primal solver trains: linear kernels of the nodes, as
// they are, and the pairwise kernel of the relation.
func (p *relationPlan) onFeatures() bool {
	return p.pairs == p.learn.Relation.Pairwise() && p.rowKernel == (kernel.Linear{}) && p.colKernel == (kernel.Linear{}) && !p.unit
}

// autoPrimal tells that --solver auto may train on the features where kernel
// matrices do not fit into memory: one λ, with nothing to be held out.
func (p *relationPlan) autoPrimal() bool {
	return p.solver == "auto" && p.learner == rankRLS && p.none && p.earlyStop == "" && p.onFeatures()
}

// halves reports whether an interval may be made, from halves that the seed draws.
func (p *trainFlags) halves() bool { return p.interval != "" && p.interval != "none" }

// planSolver checks the solver and what is only for one that iterates.
func (p *relationPlan) planSolver() error {
	iterates := p.solver == "auto" || p.solver == "cg"
	switch {
	case p.solver == "dual" || p.solver == "sparse":
		return usagef("--solver %s is not for edges between nodes: known are auto, closed, cg, primal", p.solver)
	case p.solver == "primal" && !p.onFeatures():
		return usagef("--solver primal is for linear kernels of the nodes, as they are, and the pairwise kernel of the relation")
	case !(p.tolerance > 0) || p.tolerance >= 1:
		return usagef("--tolerance is between 0 and 1, not %v", p.tolerance)
	case p.iterations < 1:
		return usagef("--max-iterations is at least 1, not %d", p.iterations)
	case p.solver == "closed" && (p.changed("tolerance") || p.changed("max-iterations")):
		return usagef("--tolerance and --max-iterations are for a solver that iterates, and the closed form does not")
	case p.earlyStop != "" && !iterates:
		return usagef("--early-stop is for --solver cg, not %s", p.solver)
	case p.earlyStop == "" && (p.changed("patience") || p.changed("curve")):
		return usagef("--patience and --curve are about --early-stop FILE")
	case p.earlyStop != "" && !p.single:
		return usagef("--early-stop is for one λ: --lambda F")
	case p.patience < 1:
		return usagef("--patience is at least 1, not %d", p.patience)
	}
	return nil
}
