package relation

import (
	"cmp"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/internal/kron"
	"pairrank/internal/procedure"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// Solver is the algorithm that solves a problem.
type Solver string

const (
	// Auto is Closed if there is a closed form, else CG; and Primal if kernel matrices do not fit into memory
	// and nothing is held out.
	Auto Solver = "auto"
	// Closed is the closed form of a complete graph: kron.Factor.
	Closed Solver = "closed"
	// CG is conjugate gradients over the edges: kron.Solve.
	CG Solver = "cg"
	// Primal is conjugate gradients over the features of nodes with linear kernels, for
	// one λ: kron.SolveLinear.
	Primal Solver = "primal"
)

// solvers are the names of all solvers.
var solvers = []Solver{Auto, Closed, CG, Primal}

// Options are the options of Train and Estimate. The zero value is the default. Nothing changes Options.
type Options struct {
	Learner  Learner         // "" is RankRLS
	Loss     edge.Loss       // of RankRLS; "" is edge.Ranking
	Relation edge.Relation   // the relation of the labels; "" is edge.Arbitrary
	Kernel   pairwise.Kernel // "" is the kernel of the relation
	Solver   Solver          // "" is Auto

	// Lambdas are the values of λ to choose from, above 0 and ascending; none is a grid on the scale of the
	// problem. Train with a single value and no Method holds nothing out.
	Lambdas []float64
	// LambdaCols is the λ of the columns of TwoStep; 0 is 1.
	LambdaCols float64

	// Setting says what is new in a predicted edge, and is therefore held out; "" is edge.Pairs.
	Setting edge.Setting
	// Method is the method of holding out: leave-pair-out leaves out what is new in both edges of a pair,
	// leave-one-out each edge, row, column or row with column, kfold folds of them. nil is leave-one-out for
	// rows, and leave-pair-out for the other settings, if they are exact; else kfold:5. Leave-one-out in other
	// settings than rows compares scores of different trainings.
	Method *cv.Method
	Seed   uint64 // seed of folds, halves, samples and permutations
	// PairsSample bounds the pairs of edges that leave-pair-out leaves out: a number, or cv.PairsAll. The
	// default, cv.PairsAuto, takes all pairs if that takes at most some ten seconds of one core and the time of
	// the factorisation, else as many as take that long, at most a million. Pairs are sampled evenly from all
	// rows; with edge.Cols two columns at a time. Drawn and DrawErr of a point are the number sampled and the
	// standard error that sampling adds.
	PairsSample int64
	// Metric chooses λ; nil is the error. Also are further metrics to report. They need rows that are ranked,
	// which leave-pair-out has not.
	Metric *metric.Metric
	Also   []metric.Metric

	// Tolerance is the relative residual at which conjugate gradients stop, below 1; 0 is 1e-9. With 0 and no EarlyStop
	// those of more than 16,384 edges, of a model as of folds, stop where the scores are off by a quarter of a percent
	// of their length.
	Tolerance     float64
	MaxIterations int        // limit for conjugate gradients; 0 is 10,000
	EarlyStop     *EarlyStop // stops conjugate gradients by the error on other edges, for one λ; nil does not

	// Normalize divides kernel values k(u,v) by √(k(u,u) k(v,v)).
	Normalize bool
	// Symmetrize replaces a similarity matrix by the mean of it and its transpose. Without it an asymmetric
	// matrix is an error.
	Symmetrize bool
	// PSD is the correction of negative eigenvalues of a similarity matrix; with edge.None they are an
	// error.
	PSD edge.Repair

	Monitor event.Monitor // receives progress and notes
}

// tolerance is the relative residual at which conjugate gradients stop.
func (o *Options) tolerance() float64 { return cmp.Or(o.Tolerance, kron.DefaultTolerance) }

// EstimateOptions are the options of Estimate.
type EstimateOptions struct {
	Options

	// Nested, unless nil, is the method of the outer test sets of the setting, loo or kfold. The error of the
	// whole procedure is estimated over them, with every choice made again in each. KFold with Folds 0 is ten
	// folds, or for Both of two domains five, or as many as there are edges or nodes.
	Nested *cv.Method
	// Permutations is the number of permutations of the labels, within the rows, in the test of the error; 0 is
	// none.
	Permutations int
	// Intervals decides whether the best estimate gets a 95 % interval, by splits of the nodes into halves. It
	// costs 120 estimates on half of the nodes.
	Intervals cv.Intervals
	HeldOut   bool // keep the held-out scores at the best λ
}

// EarlyStop stops conjugate gradients when the error on other edges no longer falls, and keeps the best
// iterate.
type EarlyStop struct {
	Edges    edge.Edges
	Y        []float64
	Patience int // iterations without a lower error; 0 is 1
}

// Model scores pairs of nodes and can be saved.
type Model = pairmodel.Model

// Resolved is o with defaults in place of zero values, as Train and Estimate use it. Method, Lambdas, Metric
// and PairsSample stay zero, since their defaults depend on the problem.
func (o Options) Resolved() Options {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set((*string)(&o.Learner), string(RankRLS))
	set((*string)(&o.Loss), string(edge.Ranking))
	set((*string)(&o.Relation), string(edge.Arbitrary))
	set((*string)(&o.Kernel), string(o.Relation.Pairwise()))
	set((*string)(&o.Solver), string(Auto))
	set((*string)(&o.Setting), string(edge.Pairs))
	if len(o.Lambdas) == 0 {
		o.Lambdas = nil
	}
	o.MaxIterations = cmp.Or(o.MaxIterations, kron.DefaultIterations)
	if o.Learner.inTwoSteps() && o.LambdaCols == 0 {
		o.LambdaCols = 1
	}
	if s := o.EarlyStop; s != nil && s.Patience == 0 {
		patient := *s
		patient.Patience = 1
		o.EarlyStop = &patient
	}
	return o
}

// one is the only λ to train with, else 0.
func (o *Options) one() float64 {
	switch {
	case !o.Learner.learns():
		return 1 // nothing depends on it
	case len(o.Lambdas) == 1:
		return o.Lambdas[0]
	}
	return 0
}

// chooses reports whether Train estimates before it trains.
func (o *Options) chooses() bool {
	return o.Learner.learns() && (o.Method != nil || len(o.Lambdas) != 1)
}

// choosing names the task in which something is held out, "" for none.
func (o *Options) choosing() string {
	switch {
	case !o.chooses():
		return ""
	case len(o.Lambdas) == 1:
		return procedure.HoldingOut
	}
	return procedure.ChoosingLambda
}

// method is the given method, or zero.
func (o *Options) method() (m cv.Method) {
	if o.Method != nil {
		m = *o.Method
	}
	return m
}

// onFeatures reports whether Primal can train: on linear kernels of the original nodes, with the pairwise
// kernel of the relation.
func (o *Options) onFeatures(p *Problem) bool {
	linear := kernel.Kernel(kernel.Linear{})
	return o.Kernel == o.Relation.Pairwise() && p.Rows.NodeKernel() == linear &&
		p.cols().NodeKernel() == linear && !o.Normalize
}
