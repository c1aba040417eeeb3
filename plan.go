package pairrank

import (
	"cmp"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/compared"
	"pairrank/kernel"
)

// begin resolves the options, and what they decide for all rows, and takes the rows as they are.
func begin(p *Problem, o EstimateOptions, estimating bool) (*trainer, error) {
	resolved, l, err := o.bound(p)
	if err != nil {
		return nil, err
	}
	t := newTrainer(p, resolved, &sample{y: p.Set.Y, weights: p.Set.Weights, outputs: 1, queries: p.Set.Queries,
		valid: p.Valid})
	if !p.replacesLabels() {
		t.censored = p.Set.Censored
	}
	t.learner, t.pairs = l, p.pairs()
	t.chooses = estimating || t.o.learnsWeights() || // by held-out errors
		t.wanted != nil || t.valid != nil || l.count(t)*len(t.o.Kernels) > 1
	if err := cmp.Or(t.checkWeighs(), t.prepareGroups(), t.preparePairs()); err != nil {
		return nil, err
	}
	return t, t.prepareFeatures()
}

// bound is o with the defaults that do not depend on the data, and its learner, or an error for options that contradict
// each other.
func (o EstimateOptions) bound(p *Problem) (*EstimateOptions, learner, error) {
	if o.Learner == nil {
		o.Learner = LeastSquares{}
	}
	if o.Lambdas = slices.Clone(o.Lambdas); len(o.Lambdas) == 0 {
		o.Lambdas = nil
	}
	if err := checkMapped(o.Kernels); err != nil {
		return nil, nil, err
	}
	var err error
	if o.Normalize, err = data.ParseNormalize(o.Normalize); err != nil {
		return nil, nil, fault.Optionf("Normalize", "is unknown: %w", err)
	}
	if err = cmp.Or(
		o.checkHeld(p),
		checkMethod("Nested", o.Nested, 0),
		o.checkKernels(p.Kernel != nil),
		o.resolveClinical(),
		fault.Refuse(!ascend(o.Lambdas), "Lambdas", "are greater than 0 and ascend, not %v", o.Lambdas),
		fault.Refuse(o.PairsSample < cv.PairsAll, "PairsSample", "is at least 1, or all of them, not %d",
			o.PairsSample),
		fault.Refuse(o.PairsSample != cv.PairsAuto && (p.compares() || o.Method != nil && o.Method.Kind != cv.LeavePairOut),
			"PairsSample", "is for leave-pair-out of labels"),
		fault.Refuse(o.Threshold != nil && p.timed(), "Threshold", "makes two labels of more, and there are censored times"),
		fault.Refuse(o.Permutations < 0, "Permutations", "are at least 0, not %d", o.Permutations),
		fault.Refuse(!o.Intervals.Known(),
			"Intervals", "%q is unknown: known are halves and none, and nothing for what is quick",
			string(o.Intervals)),
		fault.Refuse(o.Metric != nil && p.compares() && p.Valid == nil,
			"Metric", "is about labels, which preferences and comparisons replace: the error over held-out ones chooses"),
		fault.Refuse(o.Method != nil && p.Valid != nil, "Method", "and rows for validation are two ways to choose λ"),
	); err != nil {
		return nil, nil, err
	}
	switch {
	case p.Kernel != nil:
		o.Kernels = []kernel.Kernel{kernel.Precomputed{}}
	case len(o.Kernels) == 0:
		o.Kernels = []kernel.Kernel{kernel.Linear{}}
	}
	l, err := o.Learner.learner(p, &o)
	return &o, l, err
}

// checkKernels refuses kernels, and a normalisation, that do not go with a kernel matrix, or with none.
func (o *EstimateOptions) checkKernels(matrix bool) error {
	precomputed := slices.Contains(o.Kernels, kernel.Kernel(kernel.Precomputed{}))
	return cmp.Or(
		fault.Refuse(slices.Contains(o.Kernels, nil), "Kernels", "have one that is nil"),
		fault.Refuse(matrix && len(o.Kernels) > 0, "Kernels", "are of features, and the problem has a kernel matrix"),
		fault.Refuse(!matrix && precomputed, "Kernels",
			"have a precomputed kernel, and the problem has no kernel matrix"),
		fault.Refuse(matrix && o.Normalize != data.NormalizeNone, "Normalize",
			"is about features, and a kernel matrix has none"),
	)
}

// checkHeld refuses an invalid method of holding out.
func (o *EstimateOptions) checkHeld(p *Problem) error {
	if p.compares() {
		return compared.CheckMethod(o.Method)
	}
	return checkMethod("Method", o.Method, 2)
}

// checkMethod refuses an invalid method. With least 0 it takes kfold with 0 folds: the number is found later.
func checkMethod(option string, m *cv.Method, least int) error {
	if m == nil || m.Kind == cv.KFold && m.Folds == 0 && least == 0 {
		return nil
	}
	if err := m.Check(); err != nil {
		return fault.Optionf(option, "%w", err)
	}
	return nil
}

// ascend reports whether values of λ, or rounds, are finite, greater than 0 and ascend.
func ascend[T int | float64](values []T) bool {
	last := T(0)
	for _, v := range values {
		if !(v > last) || math.IsInf(float64(v), 1) {
			return false
		}
		last = v
	}
	return true
}

// given reports whether there is a basis.
func (b Basis) given() bool { return b.Size > 0 || b.Rows != nil }

// check refuses an invalid basis for m rows.
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
