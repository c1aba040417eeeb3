package pairrank

import (
	"cmp"
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/linalg"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
)

// folds retrains on folds, and keeps the predictions that a later call will need. goal is the goal of all rows.
func (t *trainer) folds(goal *goals.Goal) holdout.Predictor {
	predict := t.solution.form.again(t, goal)
	if t.o.HeldOut && !t.quiet {
		return holdout.Recorded(predict)
	}
	return predict
}

// foldsAtOnce is how many folds are trained at the same time. It is 1 if a fold makes a factorisation, which is
// large and uses all threads, or if many estimates run at the same time. Otherwise it is the number of threads,
// if as many folds fit into memory: an iteration spends much of its time in pieces too small to be divided
// among threads.
func (t *trainer) foldsAtOnce() int {
	if t.exact() != nil || t.amongMany {
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

// retrain trains on some rows and predicts others, for each candidate. holdout calls it for a learner without a
// shortcut.
func (t *trainer) retrain(ctx context.Context, train, test []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	return t.retrained(ctx, t.part(train), &heldRows{whole: t, rows: test}, test, candidates, emit)
}

// retrained trains a part and predicts the rows test, which are held.
func (t *trainer) retrained(ctx context.Context, part *trainer, held *heldRows, test []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	var overflow error
	err := t.learner.predict(ctx, part, nil, held, candidates,
		func(l int, held holdout.Held) {
			if f := held.F; overflow == nil {
				name := func(i int) string { return "held-out " + t.problem.Set.Called(test[i/f.Cols]) }
				overflow = fault.Finite(f.Data, name)
			}
			emit(l, held)
		})
	if !errors.Is(err, goals.ErrNothingToLearn) {
		return cmp.Or(err, overflow)
	}
	for l := range candidates {
		emit(l, t.zeros(len(test)))
	}
	return nil
}

// predictAnew trains on the rows of a part that was made anew, and predicts others of the whole.
func (t *trainer) predictAnew(ctx context.Context, others []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	x := t.mapRows(data.Select(t.whole.origin.x, others))
	if d, dense := x.(*data.Dense); dense && t.offset != nil {
		subtract(d, t.offset.point)
	}
	return t.whole.retrained(ctx, t, &heldRows{x: x}, others, candidates, emit)
}

// zeros are the exact predictions of rows if nothing is left to learn from.
func (t *trainer) zeros(rows int) holdout.Held {
	return holdout.Bounded(data.NewDense(rows, t.outputs, nil), data.NewDense(rows, t.outputs, nil))
}

// pairsAgain is leave-pair-out that selects features anew without each pair, for one candidate. Pairs with equal
// labels are not trained without, since the error does not look at them.
func (s *source) pairsAgain(ctx context.Context, labels holdout.Labels, o holdout.Options) ([]*cv.Estimate, error) {
	if len(o.Candidates) > 1 {
		return nil, fault.Optionf("Method", "lpo selects features anew without each pair, for one λ and one number of "+
			"features: kfold:10 chooses among several")
	}
	train := func(ctx context.Context, train, test []int, candidates []float64,
		emit func(l int, held holdout.Held)) error {
		for _, i := range test {
			if s.y[i] != s.y[test[0]] {
				return s.retrain(ctx, train, test, candidates, emit)
			}
		}
		for l := range candidates {
			emit(l, s.zeros(len(test)))
		}
		return nil
	}
	return holdout.RetrainedPairs(ctx, holdout.BoundedTrainer(train).AtOnce(s.foldsAtOnce()), labels, o)
}

// losses sets the losses of the candidate with the least sum, for each output. What is left out otherwise than for its
// error costs the predictions of the candidates.
func (s *source) losses(ctx context.Context, e *cv.KernelEstimate, l *losses) error {
	if l == nil {
		return nil
	}
	if l.splits != nil {
		by := s.solution.form.again(s.trainer, s.aim)
		if s.factored != nil && !e.Outputs[0].Retrained {
			by = holdout.OfPath(s.path(), nil).HoldOut
		}
		err := by(ctx, l.splits, e.Candidates, func(g, k int, h holdout.Held) {
			l.add(l.splits.Test(g)[:h.F.Rows], k, h) // small sets come several at a time, one after another
		})
		if err != nil {
			return s.Fault(err)
		}
	}
	e.LossConstant = l.goal.Constant()
	for o := range l.outputs {
		best, least := 0, math.Inf(1)
		for k := range e.Candidates {
			sum := 0.0
			for _, loss := range l.all[k*l.outputs+o] {
				sum += loss
			}
			if sum < least {
				best, least = k, sum
			}
		}
		linalg.Axpy(1, l.all[best*l.outputs+o], e.Losses)
	}
	return nil
}
