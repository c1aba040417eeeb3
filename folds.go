package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
)

// foldsAtOnce is how many folds are trained at the same time. It is 1 if a fold makes a factorisation, which is
// large and uses all threads, or if many estimates run at the same time. Otherwise it is the number of threads,
// if as many folds fit into memory: an iteration spends much of its time in pieces too small to be divided
// among threads.
func (t *trainer) foldsAtOnce() int {
	if t.solution.exact != nil || t.amongMany {
		return 1
	}
	return memory.AtOnce(parallel.Workers(), t.foldMemory())
}

// foldMemory estimates the bytes that training on a fold needs in addition to the data: a copy of its rows, the
// same amount for what a learner keeps of them (such as sorted features), 400 bytes a row, and 20 vectors as
// long as there are features, including 17 cutting planes. All of this counts twice, since the memory of a fold
// is freed while the next is being trained.
func (t *trainer) foldMemory() float64 {
	const perValue = 12 // of a sparse matrix, column index included
	values, length := t.iterated()
	return 2 * (2*perValue*values + 400*float64(t.rows()) + 8*20*length)
}

// iterated returns the number of values in the rows that an iteration reads, and the number of columns: of the
// features, or of the kernel map.
func (t *trainer) iterated() (values, columns float64) {
	switch {
	case t.onBasis():
		columns = float64(len(t.support))
		return float64(t.rows()) * columns, columns
	case t.given == nil:
		values = float64(data.Stored(t.x))
	}
	return values, float64(t.features())
}

// folds retrains on folds, and keeps the predictions that a later call will need. goal is the goal of all rows.
func (t *trainer) folds(goal *goals.Goal) holdout.Predictor {
	predict := t.solution.form.again(t, goal)
	if t.o.HeldOut && !t.quiet {
		return holdout.Recorded(predict)
	}
	return predict
}

// validate estimates every candidate on the rows for validation.
func (s *source) validate(ctx context.Context, o holdout.Options) ([]*cv.Estimate, error) {
	labels := holdout.Labels{Y: s.valid.Y, Censored: s.valid.Censored, Outputs: 1, Queries: s.valid.Queries,
		Weights: s.valid.Weights}
	held := &heldRows{x: s.valid.X}
	predict := func(ctx context.Context, candidates []float64, emit func(l int, held holdout.Held)) error {
		return s.learner.predict(ctx, s.trainer, s.path(), held, candidates, emit)
	}
	return holdout.Validated(ctx, predict, labels, o)
}

// foldsWork estimates the multiplications of an estimate that retrains on each fold of a method, on a share of
// the rows and queries.
func (t *trainer) foldsWork(method cv.Method, share float64, candidates []float64) float64 {
	const ordering = 100 // for a row among those of its query
	folds := float64(roundsOf(method, t))
	switch method.Kind {
	case cv.KFold:
	case cv.LeavePairOut:
		folds *= share * share
	default:
		folds *= share
	}
	return folds*t.learner.foldWork(t, share, candidates) + ordering*share*float64(t.rows()*len(candidates))
}

// trainingSteps is the approximate number of iterations of a training.
const trainingSteps = 100

// stepWork estimates the multiplications of one iteration on a share of the rows: two products with the rows,
// and the order of each.
func (t *trainer) stepWork(share float64) float64 {
	values, _ := t.iterated()
	return share * (2*values + 20*float64(t.rows()))
}
