package pairrank

import (
	"cmp"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/kernel"
)

// Options of Train and Estimate. The zero value is linear RankRLS, for 31 values of λ
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

	// HeldOut, ROC, Importance, LearningCurve, Interval, Nested and Permutations are of Estimate alone.

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
	Intervals Intervals
	// Nested, where it is not nil, are outer folds, over which the error of the whole
	// procedure is estimated. KFold with Folds 0 are ten folds, or as many as there are
	// queries or rows.
	Nested *cv.Method
	// Permutations is how many permutations of the labels the error is tested against;
	// 0 is no test.
	Permutations int
}

// Monitor, Progress and Note are what is heard of a computation.
type (
	Monitor  = event.Monitor
	Progress = event.Progress
	Note     = event.Note
)

// Intervals says whether the best estimate has a 95 % interval, by splits of the rows or
// queries into halves; see cv.Intervals.
type Intervals = cv.Intervals

// The values of Intervals.
const (
	IntervalsAuto   = cv.IntervalsAuto
	IntervalsHalves = cv.IntervalsHalves
	IntervalsNone   = cv.IntervalsNone
)

// Check returns an *Error for options that do not go together, or not with the kind of
// problem that p is. Train and Estimate call it. It looks only at which parts of p there
// are, so that a program may ask before it reads them. Cost O(1).
func (o Options) Check(p Problem) error {
	resolved, err := o.resolved(&p)
	if err == nil {
		_, err = resolved.Learner.learner(&p, resolved)
	}
	return err
}

// CheckEstimate is Check for Estimate: the options that Train does not read as well.
func (o Options) CheckEstimate(p Problem) error {
	resolved, err := o.resolved(&p)
	if err != nil {
		return err
	}
	l, err := resolved.Learner.learner(&p, resolved)
	if err != nil {
		return err
	}
	return checkEstimate(&p, resolved, l)
}

// Candidates is how many values of λ, or numbers of rounds, there are to choose from for
// an ordinary problem; 0 where the options do not go together.
func (o Options) Candidates() int {
	resolved, err := o.resolved(&Problem{})
	if err != nil {
		return 0
	}
	l, err := resolved.Learner.learner(&Problem{}, resolved)
	if err != nil {
		return 0
	}
	return l.count(&task{o: resolved})
}

// resolved is o with the defaults filled in that do not depend on the data, or an
// error for options that do not go together.
func (o Options) resolved(p *Problem) (*Options, error) {
	if o.Learner == nil {
		o.Learner = LeastSquares{}
	}
	if o.Lambdas = slices.Clone(o.Lambdas); len(o.Lambdas) == 0 {
		o.Lambdas = nil
	}
	if err := checkRandomFeatures(o.Kernels); err != nil {
		return nil, err
	}
	var err error
	if o.Normalize, err = data.ParseNormalize(o.Normalize); err != nil {
		return nil, fault.Optionf("Normalize", "is unknown: %w", err)
	}
	matrix, precomputed := p.Kernel != nil, slices.Contains(o.Kernels, kernel.Kernel(kernel.Precomputed{}))
	err = cmp.Or(
		checkMethod("Method", o.Method, 2),
		checkMethod("Nested", o.Nested, 0),
		fault.Refuse(slices.Contains(o.Kernels, nil), "Kernels", "have one that is nil"),
		fault.Refuse(matrix && len(o.Kernels) > 0, "Kernels", "are of features, and the problem has a kernel matrix"),
		fault.Refuse(!matrix && precomputed, "Kernels", "have a precomputed kernel, and the problem has no kernel matrix"),
		fault.Refuse(matrix && o.Normalize != data.NormalizeNone, "Normalize", "is about features, and a kernel matrix has none"),
		fault.Refuse(!ascend(o.Lambdas), "Lambdas", "are greater than 0 and ascend, not %v", o.Lambdas),
		fault.Refuse(o.PairsSample < cv.PairsAll, "PairsSample", "is at least 1, or all of them, not %d", o.PairsSample),
		fault.Refuse(o.PairsSample != cv.PairsAuto && o.Method != nil && o.Method.Kind != cv.LeavePairOut, "PairsSample", "is for leave-pair-out"),
		fault.Refuse(o.Permutations < 0, "Permutations", "are at least 0, not %d", o.Permutations),
		fault.Refuse(!o.Intervals.Known(),
			"Intervals", "%q is unknown: known are halves and none, and nothing for what is quick", string(o.Intervals)),
		fault.Refuse(o.Metric != nil && p.Preferences != nil && p.Valid == nil,
			"Metric", "is about labels, and preferences replace them: the error over held-out preferences chooses"),
		fault.Refuse(o.Method != nil && p.Valid != nil, "Method", "and rows for validation are two ways to choose λ"),
	)
	switch {
	case matrix:
		o.Kernels = []kernel.Kernel{kernel.Precomputed{}}
	case len(o.Kernels) == 0:
		o.Kernels = []kernel.Kernel{kernel.Linear{}}
	}
	return &o, err
}

// checkMethod refuses what is no way to hold out; least are the folds of kfold that stand
// for a number that is found.
func checkMethod(option string, m *cv.Method, least int) error {
	if m == nil || m.Kind == cv.KFold && m.Folds == 0 && least == 0 {
		return nil
	}
	if err := m.Check(); err != nil {
		return fault.Optionf(option, "%w", err)
	}
	return fault.Refuse(option == "Nested" && m.Kind == cv.LeavePairOut, option, "takes lqo, loo or kfold: every pair would choose anew")
}

// ascend reports whether values of λ are finite, greater than 0 and ascend.
func ascend(lambdas []float64) bool {
	last := 0.0
	for _, v := range lambdas {
		if !(v > last) || math.IsInf(v, 1) {
			return false
		}
		last = v
	}
	return true
}

// Basis says which rows span the functions of a sparse problem, or of a kernel map.
type Basis struct {
	// Size rows are drawn by the seed; 0 draws none.
	Size int
	// Rows names them instead, by their numbers from 0.
	Rows []int
}

// given reports whether there is a basis.
func (b Basis) given() bool { return b.Size > 0 || b.Rows != nil }

// check refuses what is no basis of m rows.
func (b Basis) check(m int) error {
	if b.Size > m {
		return fault.Optionf("Basis", "%d is more than the %d rows", b.Size, m)
	}
	if b.Size < 0 || b.Size > 0 && b.Rows != nil {
		return fault.Optionf("Basis", "draws a number of rows or names them, one of the two")
	}
	seen := make(map[int]bool, len(b.Rows))
	for _, i := range b.Rows {
		if i < 0 || i >= m || seen[i] {
			return fault.Optionf("Basis", "names row %d, of %d rows each at most once", i, m)
		}
		seen[i] = true
	}
	if b.Rows != nil && len(b.Rows) == 0 {
		return fault.Optionf("Basis", "names no row")
	}
	return nil
}
