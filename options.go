package pairrank

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/kernel"
)

// Options are the options of Train and Estimate. The zero value is linear RankRLS with 31 values of λ that span
// the eigenvalues of the problem, chosen by leave-query-out, or by leave-pair-out for a single list. Nothing
// changes Options.
type Options struct {
	// Learner is a LeastSquares, a Greedy, a RankSVM or a RankBoost; nil is LeastSquares{}.
	Learner Learner
	// Kernels are the kernels to choose from, by value, as kernel.Gaussian{Gamma: 1}; none is the linear
	// kernel. kernel.Clinical divides numbers by their range itself, and Train and Estimate tell it the factors of the
	// table: take it without Normalize, and without other kernels. kernel.Fourier kernels are solved with the linear
	// solvers. Use only Fourier kernels, all with the same number of features, or none. With Problem.Kernel, Kernels
	// must be empty.
	Kernels []kernel.Kernel
	// Lambdas are the values of λ to choose from, greater than 0 and ascending. None is the default path of the
	// problem: it spans the eigenvalues of what is compared, or what an iteration solves (docs/cross-validation.md).
	Lambdas []float64
	// Method is the method of holding out. nil is leave-query-out, or leave-pair-out for a single list, if they
	// are exact, else ten folds. Train with a single candidate and no Method holds nothing out.
	Method *cv.Method
	// PairsSample is how many pairs leave-pair-out of a single list draws for each value of λ. cv.PairsAll
	// takes all pairs. cv.PairsAuto, the default, takes all if that takes some seconds, else fewer, with their
	// standard error.
	PairsSample int64
	// Metric replaces the error in the choice; nil is the error.
	Metric *metric.Metric
	// AllPairs compares all rows in training, not only rows of the same query. Pairs of different queries can
	// reverse the order within the queries: see the example.
	AllPairs bool
	// Threshold, unless nil, makes the labels binary: 1 for labels of at least the threshold, else 0.
	Threshold *float64
	// Normalize is the normalisation of the features, one of the kinds of data.Normalizer; "" is none. The
	// model keeps it.
	Normalize string
	// Seed is the seed of everything random: folds, halves, the rows of a basis. The command's default is 1.
	Seed uint64
	// InPlace saves the memory of a copy: it allows Train to change the features of Problem.Set and
	// Problem.Valid (normalise, centre and round them) and to make a kernel matrix symmetric. Do not use them
	// afterwards.
	InPlace bool
	// IndependentRows insists that rows of one name, or with the same number of a subject, are independent: Train and
	// Estimate hold them out one without the other. Otherwise that is an error, and Problem.Set.Groups says which
	// rows leave together.
	IndependentRows bool
	// Monitor receives progress, and notes as soon as they are made.
	Monitor event.Monitor
}

// EstimateOptions are the options of Estimate.
type EstimateOptions struct {
	Options

	// HeldOut must be set to call Estimated.HeldOut later. Held-out scores then keep the constants that a
	// training does not determine, so that scores of different trainings can be compared.
	HeldOut bool
	// ROC must be set to call Estimated.ROC later. If there is no curve, Estimate returns an error before the
	// work.
	ROC bool
	// Importance must be set to call Estimated.Importance later. If there is none, Estimate returns an error
	// before the work.
	Importance bool
	// LearningCurve must be set to call Estimated.LearningCurve later. If there is no curve, Estimate returns
	// an error before the work.
	LearningCurve bool
	// Intervals decides whether the best estimate gets a 95 % interval.
	Intervals cv.Intervals
	// Nested, unless nil, sets the outer folds for the error of the whole procedure. KFold with Folds 0 is ten
	// folds, or as many as there are queries, or a third as many as there are rows of a single list. For short lists
	// with a closed form it is leave-pair-out.
	Nested *cv.Method
	// Permutations is the number of permutations of the labels in the test of the error; 0 is no test.
	Permutations int
}

// Check returns an *Error for options that contradict each other or the kind of problem that p is. Train calls
// it. Check looks only at which fields of p are set, so a program may call it before it reads data. It costs
// O(1).
func (o Options) Check(p Problem) error {
	_, _, err := EstimateOptions{Options: o}.bound(&p)
	return err
}

// Check works as Options.Check, and checks the other fields of EstimateOptions, too.
func (o EstimateOptions) Check(p Problem) error {
	resolved, l, err := o.bound(&p)
	if err != nil {
		return err
	}
	return checkEstimate(&p, resolved, l)
}

// Candidates returns the number of values of λ, or of numbers of rounds, to choose from in an ordinary problem;
// 0 if the options contradict each other.
func (o Options) Candidates() int {
	resolved, l, err := EstimateOptions{Options: o}.bound(&Problem{})
	if err != nil {
		return 0
	}
	return l.count(newTrainer(&Problem{}, resolved, &sample{}))
}
