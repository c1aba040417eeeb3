package relation

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/kernel"
	"pairrank/relation/kron"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
	"pairrank/relation/similarity"
)

// Solver is how a problem is solved.
type Solver string

const (
	// Auto is Closed where there is a closed form, else CG, and Primal where kernel
	// matrices do not fit into memory and nothing is to be held out.
	Auto Solver = "auto"
	// Closed is the closed form of a complete graph: kron.Factor.
	Closed Solver = "closed"
	// CG is conjugate gradients over the edges: kron.Solve.
	CG Solver = "cg"
	// Primal is conjugate gradients over the features of nodes with linear kernels, for
	// one λ: kron.SolveLinear.
	Primal Solver = "primal"
)

// Solvers are the names of all solvers.
var Solvers = []Solver{Auto, Closed, CG, Primal}

// Options of Train, and of Estimate. The zero value is the default; an Options is only read.
type Options struct {
	Learner  Learner         // "" is RankRLS
	Loss     kron.Loss       // of RankRLS; "" is kron.Ranking
	Relation kron.Relation   // what is known of the labels; "" is kron.Arbitrary
	Kernel   pairwise.Kernel // "" is that of the relation
	Solver   Solver          // "" is Auto

	// Lambdas are the values of λ to choose from, above 0 and ascending; none are those of the scale of the
	// problem. Train with a single one and no Method holds nothing out.
	Lambdas []float64
	// LambdaCols is the λ of the columns of TwoStep; 0 is 1.
	LambdaCols float64

	// Setting is what is new when an edge is predicted, and so held out; "" is
	// kron.Pairs.
	Setting kron.Setting
	// Method is how: leave-pair-out, of what is new of both edges of a pair; leave-one-out, of
	// each edge, row, column or pair of them; or kfold. nil is, where that is exact,
	// leave-one-out of rows, and of the other settings leave-pair-out, else kfold:5. Leave-one-out of
	// other settings compares scores of different trainings.
	Method *cv.Method
	Seed   uint64 // deals folds and halves, and draws samples and permutations
	// PairsSample bounds the pairs of edges that leave-pair-out leaves out: a number of them, cv.PairsAll,
	// or cv.PairsAuto, the default, which is all where that takes no longer than some ten seconds of
	// one core and the factorisation, else as many as take that long, at most a million. They are
	// drawn evenly from all rows, or of kron.Cols two columns at a time. Drawn and DrawErr of a
	// point say how many were drawn, and how far the error may be off by that.
	PairsSample int64
	// Metric chooses λ; nil is the error. Also are reported beside it, where rows are ranked, which
	// leave-pair-out does not do.
	Metric *metric.Metric
	Also   []metric.Metric

	Tolerance     float64    // of conjugate gradients, on the relative residual, below 1; 0 is 1e-9
	MaxIterations int        // of conjugate gradients; 0 is 10,000
	EarlyStop     *EarlyStop // stops conjugate gradients by other edges, for one λ; nil does not

	// Normalize divides kernel values k(u,v) by √(k(u,u) k(v,v)).
	Normalize bool
	// Symmetrize takes the mean of a similarity matrix and its transpose, instead of
	// refusing one that is not symmetric.
	Symmetrize bool
	// PSD is how negative eigenvalues of a similarity matrix are corrected; with
	// similarity.None they are an error.
	PSD similarity.Repair

	Monitor Monitor // receives progress and notes
}

// EstimateOptions are those of Estimate: what is estimated, and how.
type EstimateOptions struct {
	Options

	// Nested, where it is not nil, is how outer test sets of the setting are held out, by loo or kfold, over which
	// the error of the whole procedure is estimated, with every choice made in each. KFold
	// with Folds 0 are ten folds, or as many as there are edges or nodes.
	Nested *cv.Method
	// Permutations is how many permutations of the labels, within the rows, the error is
	// tested against; 0 is none.
	Permutations int
	// Intervals says whether the best estimate gets a 95 % interval, by splits of the nodes into
	// halves, which cost 120 estimates on half of the nodes.
	Intervals cv.Intervals
	HeldOut   bool // the held-out scores at the best λ are kept
}

// EarlyStop ends conjugate gradients when the error on other edges stops falling, and
// keeps the best iterate.
type EarlyStop struct {
	Edges    kron.Edges
	Y        []float64
	Patience int // iterations without a lower error; 0 is 1
}

// Model is what is learnt; it scores pairs of nodes and is saved.
type Model = pairmodel.Model

// Resolved is o with its defaults in the place of zero values, as Train and Estimate
// take it; Method, Lambdas, Metric and PairsSample stay zero where the problem decides.
func (o Options) Resolved() Options {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set((*string)(&o.Learner), string(RankRLS))
	set((*string)(&o.Loss), string(kron.Ranking))
	set((*string)(&o.Relation), string(kron.Arbitrary))
	set((*string)(&o.Kernel), string(o.Relation.Pairwise()))
	set((*string)(&o.Solver), string(Auto))
	set((*string)(&o.Setting), string(kron.Pairs))
	if len(o.Lambdas) == 0 {
		o.Lambdas = nil
	}
	if o.Tolerance == 0 {
		o.Tolerance = kron.DefaultTolerance
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = kron.DefaultIterations
	}
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

// one is the λ to train with where there is one only, else 0.
func (o *Options) one() float64 {
	switch {
	case !o.Learner.learns():
		return 1 // of which nothing depends
	case len(o.Lambdas) == 1:
		return o.Lambdas[0]
	}
	return 0
}

// chooses reports whether Train estimates before it learns.
func (o *Options) chooses() bool {
	return o.Learner.learns() && (o.Method != nil || len(o.Lambdas) != 1)
}

// method is the one asked for, or zero.
func (o *Options) method() (m cv.Method) {
	if o.Method != nil {
		m = *o.Method
	}
	return m
}

// onFeatures tells what Primal trains: linear kernels of the nodes, as
// they are, and the pairwise kernel of the relation.
func (o *Options) onFeatures(p *Problem) bool {
	linear := kernel.Kernel(kernel.Linear{})
	return o.Kernel == o.Relation.Pairwise() && p.Rows.NodeKernel() == linear && p.cols().NodeKernel() == linear && !o.Normalize
}
