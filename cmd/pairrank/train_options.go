package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/pref"
	"pairrank/relation/edge"
)

// trainFlags are the flags of train as they are given.
type trainFlags struct {
	rows            setFlags
	output, learner string
	lambdas         []float64 // of --lambda too; nil where neither is given
	selectBy        string
	metric          *metric.Metric
	seed            uint64
	solveFlags
	comparedFlags
	labelFlags
	svmFlags
	selectFlags
	rounds      []int
	pages       pageFlags
	relation    relationFlags
	interval    string // of cv; "" for train
	withIDs     bool   // of cv
	keepMoments bool   // of train and merge
	keepQueries bool   // of train and stats
	changed     func(name string) bool
}

// solveFlags say in which basis, and how, the problem is solved.
type solveFlags struct {
	kernels                              []kernel.Kernel
	matrix, solver, basisRows, basisData string
	knotsOf, splineIn                    string
	knots                                *model.Model // of knotsOf
	basis, randomFeatures                int
	tolerance                            float64
	iterations                           int
}

// comparedFlags say what is compared, and at what cost.
type comparedFlags struct {
	cost, ties, weight, pairs, preferences string
	censoringWeights                       bool
	comparisons                            string // FILE, between the rows of items
	items                                  string
	compared                               table.ComparisonsOptions
}

// labelFlags say how features and labels become those that are learnt from.
type labelFlags struct {
	normalize, names, labels, valid string
	beside                          string   // scores of another tool
	threshold                       *float64 // of --binarize
	independent                     bool     // of rows of one id
}

// allPairs is the value of --pairs that compares rows of all queries.
const allPairs = "all"

// compares reports whether preferences or comparisons take the place of labels.
func (f *comparedFlags) compares() bool { return f.preferences != "" || f.comparisons != "" }

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
	return cli.Join(f.pages.targets(), f.rows.targets(verb),
		r.edgeFlags.targets(), comparisonTargets(&f.compared), cli.Targets{
			"comparisons": &f.comparisons, "items": &f.items, "weight-column": &f.rows.columns.Weight,
			"beside": &f.beside,
			"output": &f.output, "learner": &f.learner, "kernel": option.Into(&f.kernels, kernel.ParseGrid),
			"kernel-matrix": &f.matrix,
			"lambda":        option.Into(&f.lambdas, oneLambda), "lambdas": option.Into(&f.lambdas, numeral.ParseLambdas),
			"select": &f.selectBy, "metric": option.Into(&f.metric, pointer(metric.Parse)), "solver": &f.solver,
			"basis": &f.basis, "basis-rows": &f.basisRows, "basis-data": &f.basisData, "knots-of": &f.knotsOf,
			"random-features": &f.randomFeatures, "spline": option.Into(&f.kernels, splineKernels),
			"spline-in": option.Into(&f.splineIn, splineIn), "cost": &f.cost,
			"ties": &f.ties, "query-weight": &f.weight,
			"censoring-weights": &f.censoringWeights,
			"pairs":             &f.pairs, "preferences": &f.preferences, "normalize": &f.normalize, "names": &f.names,
			"independent-rows": &f.independent,
			"binarize":         &f.threshold, "labels": &f.labels, "valid": &f.valid, "seed": &f.seed, "tolerance": &f.tolerance,
			"max-iterations": &f.iterations, "rounds": option.Into(&f.rounds, parseRounds),
			"keep-moments":  &f.keepMoments,
			keepQueriesName: &f.keepQueries, "loss": &f.loss, "counter": &f.counter, "epsilon": &f.epsilon,
			"time-limit": &f.timeLimit, "warm-start": &f.warmStart, "relation": &r.relation,
			"pair-kernel": &r.pairKernel,
			"setting":     &r.setting, "lambda-cols": option.Into(&r.lambdaCols, lambdaOfColumns),
			"pairs-sample": cli.WholeOr(&r.sample, map[string]int64{"auto": cv.PairsAuto, "all": cv.PairsAll}),
			"symmetrize":   &r.symmetrize, "normalize-kernel": &r.unit,
			"psd-fix": option.Into(&r.psd, edge.ParseRepair), "early-stop": &r.earlyStop, "patience": &r.patience,
			"curve": &r.curve, "features": cli.WholeOr(&f.features, map[string]int64{"auto": 0}),
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

// learning is what the flags of train and cv ask for, checked: one that does not apply
// is an error, never ignored.
type learning struct {
	flags   *trainFlags
	chosen  *learner
	options pairrank.EstimateOptions // train reads the Options alone
	// problem has a stand-in for each part that will be read, and later the parts.
	problem pairrank.Problem
	path    string // of DATA, once it is read
	// other is the procedure of --against, nil without.
	other *learning
	// compared are the comparisons of --comparisons, nil without.
	compared *table.Comparisons
	// company are the scores of --beside, nil without.
	company []float64
	// kernelMatrix says that --kernel-matrix takes the place of features.
	kernelMatrix bool
}

// plan checks the flags against each other.
func (f *trainFlags) plan() (*learning, error) {
	p := &learning{flags: f, chosen: learnerNamed(f.learner)}
	if of := &f.rows.columns.Weight; f.comparisons != "" {
		f.compared.Weight, *of = *of, ""
	}
	o := &p.options
	o.Seed, o.InPlace, o.Lambdas, o.Metric, o.Threshold = f.seed, f.beside == "", f.lambdas, f.metric, f.threshold
	o.PairsSample, o.IndependentRows = f.relation.sample, f.independent
	if err := p.kernels(); err != nil {
		return nil, err
	}
	return p, p.learner()
}

func (p *learning) kernels() error {
	f, kernels := p.flags, p.flags.kernels
	if f.matrix != "" && !f.changed("kernel") {
		kernels = []kernel.Kernel{kernel.Precomputed{}}
	}
	_, p.kernelMatrix = kernels[0].(kernel.Precomputed)
	switch {
	case p.kernelMatrix && f.matrix == "":
		return cli.Usagef("--kernel precomputed needs --kernel-matrix FILE")
	case !p.kernelMatrix && f.matrix != "":
		return cli.Usagef("--kernel-matrix is for --kernel precomputed, not %s", kernels[0])
	}
	kernels, err := f.asked(kernels)
	if !p.kernelMatrix {
		p.options.Kernels, p.options.Normalize = kernels, f.normalize
	}
	return err
}

// asked are the kernels that are asked for: with the knots of --spline-in, or random features in the place of gaussian
// kernels.
func (f *trainFlags) asked(kernels []kernel.Kernel) ([]kernel.Kernel, error) {
	if f.splineIn != "" {
		kernels = f.bent(kernels)
	}
	if err := f.checkNumbers(kernels); err != nil {
		return nil, err
	}
	if !f.changed("random-features") {
		return kernels, nil
	}
	kernels = slices.Clone(kernels)
	for k, of := range kernels {
		gaussian, is := of.(kernel.Gaussian)
		if !is {
			return nil, cli.Usagef("--random-features approximate a gaussian kernel, --kernel gaussian:gamma=G, and not %s",
				of)
		}
		random := kernel.Fourier{Gamma: gaussian.Gamma, Features: f.randomFeatures, Seed: f.seed}
		if err := random.Check(); err != nil {
			return nil, cli.Usagef("--random-features: %v", err)
		}
		kernels[k] = random
	}
	return kernels, nil
}

// draws reports whether flags of the kernel draw something by the seed.
func (f *trainFlags) draws() bool { return f.changed("basis") || f.changed("random-features") }

// oneLambda reads --lambda.
func oneLambda(text string) ([]float64, error) {
	values, err := numeral.ParseLambdas(text)
	if err == nil && len(values) != 1 {
		err = errors.New("more than one value; --lambdas takes a list")
	}
	return values, err
}

// lambdaOfColumns reads --lambda-cols.
func lambdaOfColumns(text string) (float64, error) {
	values, err := numeral.ParseLambdas(text)
	if err != nil || len(values) != 1 {
		return 0, fmt.Errorf("%q is no number greater than 0", text)
	}
	return values[0], nil
}

// pointer makes a reader of an option that may be left out.
func pointer[T any](read func(text string) (T, error)) func(text string) (*T, error) {
	return func(text string) (*T, error) {
		v, err := read(text)
		return &v, err
	}
}

// parseRounds reads a list of whole numbers from 1 up, and sorts it.
func parseRounds(text string) (rounds []int, err error) {
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("%q is no whole number from 1 up", field)
		}
		rounds = append(rounds, n)
	}
	slices.Sort(rounds)
	if len(slices.Compact(slices.Clone(rounds))) < len(rounds) {
		return nil, fmt.Errorf("%s has a number twice", text)
	}
	return rounds, nil
}

// goal is which pairs are compared, and how.
func (f *trainFlags) goal() (pref.Options, error) {
	goal := pref.Options{Cost: pref.Cost(f.cost), Weight: pref.Weight(f.weight)}
	if f.changed("ties") {
		goal.Ties = f.ties
	}
	goal.CensoringWeights = f.censoringWeights
	if f.rows.timed() {
		return goal, nil // the library knows what times have
	}
	goal, err := goal.Resolved()
	return goal, cli.AsUsage(err)
}

// learner makes the learner, and asks the library whether everything goes together.
func (p *learning) learner() error {
	f := p.flags
	goal, err := f.goal()
	if err != nil {
		return err
	}
	p.options.AllPairs = f.pairs == allPairs
	basis := pairrank.Basis{Size: f.basis}
	if f.changed("basis-rows") { // which are not read yet
		basis = pairrank.Basis{Rows: []int{0}}
	}
	p.options.Learner = p.chosen.make(f, goal, basis)
	p.problem = f.shape(p.kernelMatrix)
	return (&advice.Run{Kernels: f.givesKernels()}).Error(p.options.Options.Check(p.problem))
}

// shape is a problem with a stand-in for everything that there will be.
func (f *trainFlags) shape(kernelMatrix bool) (p pairrank.Problem) {
	if kernelMatrix {
		p.Kernel = &data.Dense{}
	}
	if f.preferences != "" {
		p.Preferences = []pref.Edge{}
	}
	if f.comparisons != "" {
		p.Comparisons = &comparison.Problem{}
	}
	if f.labels != "" {
		p.Labels = &data.Dense{}
	}
	if f.valid != "" {
		p.Valid = &data.Set{}
	}
	return p
}

// single reports whether there is nothing to choose from.
func (p *learning) single() bool {
	if l, boosts := p.options.Learner.(pairrank.RankBoost); boosts {
		return len(l.Rounds) == 1
	}
	if g, selects := p.options.Learner.(pairrank.Greedy); selects && g.Features == 0 {
		return false
	}
	return len(p.options.Lambdas) == 1 && len(p.options.Kernels) <= 1 &&
		!slices.ContainsFunc(p.options.Kernels, kernel.Learns)
}

// setMethod takes the name of a method; "" is the default.
func (p *learning) setMethod(name string) error {
	if name == "" {
		return nil
	}
	m, err := cv.ParseMethod(name)
	if p.flags.compares() && m.Kind != cv.LeaveQueryOut {
		var u comparison.Unit
		u, err = comparison.ParseUnit(name)
		m = cv.Method{Kind: cv.Kind(u.Kind), Folds: u.Folds}
	}
	p.options.Method = &m
	return err
}
