package pairrank

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/event"
	"pairrank/internal/rows"
	"pairrank/kernel"
)

// Options of Train, and of Estimate. The zero value is linear RankRLS, for 31 values of λ
// that span the eigenvalues of the problem, by leave-query-out, or for a single list
// by leave-pair-out. Options are never changed.
type Options struct {
	// Learner is what learns: a LeastSquares, a RankSVM or a RankBoost. nil is
	// LeastSquares{}.
	Learner Learner
	// Kernels are the kernels to choose from, by value, as kernel.Gaussian{Gamma: 1}; none
	// is the linear one. Of kernel.Fourier the random features are learnt from as the linear
	// kernel learns from features: all of them are of that kind, in one number, or none is.
	// With Problem.Kernel there are none.
	Kernels []kernel.Kernel
	// Lambdas are the values of λ to choose from, greater than 0 and ascending. None
	// are the default path of the problem, cv.Lambdas, or where every value is trained
	// by an iteration cv.IterativeLambdas or cv.HingeLambdas.
	Lambdas []float64
	// Method is how rows are held out; nil is leave-query-out, for a single list
	// leave-pair-out, where they are exact, else ten folds. Train with a single
	// candidate and no Method holds nothing out.
	Method *cv.Method
	// PairsSample is how many pairs leave-pair-out of a single list draws for each value of
	// λ: cv.PairsAll are all, and cv.PairsAuto, the default, all where they take some
	// seconds, else fewer, with their own standard error; see cv.Options.Pairs.
	PairsSample int64
	// Metric chooses instead of the error; nil is the error.
	Metric *metric.Metric
	// AllPairs compares all rows in training, not those of a query alone. Pairs that are
	// never asked for can turn the others round: see the example.
	AllPairs bool
	// Threshold, where it is not nil, makes two labels of more: those of at least it
	// become 1, others 0.
	Threshold *float64
	// Normalize is the normalisation of the features, kept in the model: one of the
	// kinds of data.Normalizer; "" is none.
	Normalize string
	// Seed decides what is drawn: folds, halves, the rows of a basis. The command's is
	// 1 where it is not given.
	Seed uint64
	// InPlace allows the features of Problem.Set and Problem.Valid to be changed, by
	// normalising, centring and rounding them, and a kernel matrix to be made symmetric,
	// which saves the memory of a copy. They are not to be used afterwards.
	InPlace bool
	// Monitor hears how far the work is, and notes as soon as they are made.
	Monitor Monitor
}

// EstimateOptions are those of Estimate: what is estimated, and how.
type EstimateOptions struct {
	Options

	// HeldOut says that held-out scores will be asked for, of Estimated.HeldOut: they
	// keep the constants that trainings do not see, by which those of different
	// trainings can be compared.
	HeldOut bool
	// ROC says that the curve of Estimated.ROC will be asked for: an error before the
	// work where there is none.
	ROC bool
	// Importance says that Estimated.Importance will be asked for: an error before the
	// work where there is none.
	Importance bool
	// LearningCurve says that the curve of Estimated.LearningCurve will be asked for: an
	// error before the work where there is none.
	LearningCurve bool
	// Intervals says whether the best estimate gets a 95 % interval.
	Intervals cv.Intervals
	// Nested, where it is not nil, are outer folds, over which the error of the whole
	// procedure is estimated. KFold with Folds 0 are ten folds, or as many as there are
	// queries or rows.
	Nested *cv.Method
	// Permutations is how many permutations of the labels the error is tested against;
	// 0 is no test.
	Permutations int
}

// Check returns an *Error for options that do not go together, or not with the kind of
// problem that p is. Train calls it. It looks only at which parts of p there
// are, so that a program may ask before it reads them. Cost O(1).
func (o Options) Check(p Problem) error { return o.plan().Check(rows.Problem(p), false) }

// Check is that of Options, and of what Estimate reads beside them.
func (o EstimateOptions) Check(p Problem) error { return o.plan().Check(rows.Problem(p), true) }

// Candidates is how many values of λ, or numbers of rounds, there are to choose from for
// an ordinary problem; 0 where the options do not go together.
func (o Options) Candidates() int { return o.plan().Candidates() }

// plan is the options as the rows take them.
func (o Options) plan() rows.Plan {
	p := rows.Plan{
		Kernels: o.Kernels, Lambdas: o.Lambdas, Method: o.Method, PairsSample: o.PairsSample, Metric: o.Metric,
		AllPairs: o.AllPairs, Threshold: o.Threshold, Normalize: o.Normalize, Seed: o.Seed, InPlace: o.InPlace,
		Monitor: event.MonitorOf(o.Monitor.Progress, o.Monitor.Note),
	}
	if o.Learner != nil {
		p.Learner = o.Learner.rows()
	}
	return p
}

func (o EstimateOptions) plan() rows.Plan {
	p := o.Options.plan()
	p.HeldOut, p.ROC, p.Importance, p.LearningCurve = o.HeldOut, o.ROC, o.Importance, o.LearningCurve
	p.Intervals, p.Nested, p.Permutations = o.Intervals, o.Nested, o.Permutations
	return p
}
