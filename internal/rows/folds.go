package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// folds trains folds again, and keeps what they predict where it will be asked for. The
// goal is that of all rows.
func (s *space) folds(goal *pref.Goal) cv.Predictor {
	predict := s.solution.form.again(s, goal)
	if s.o.HeldOut {
		return cv.Recorded(predict)
	}
	return predict
}

// foldsAtOnce is how many folds are trained at the same time: one where a fold makes a
// factorisation, which is large and uses all threads itself, or the estimate is one of
// many at the same time, else as many as there are threads and as fit into memory. What
// iterates spends much of its time in pieces too small to be shared out.
func (s *space) foldsAtOnce() int {
	threads := parallel.Workers()
	if s.exact() != nil || s.amongMany {
		return 1
	}
	need := s.foldMemory()
	if free, beyond := memory.Beyond(need * float64(threads)); beyond {
		return max(1, min(threads, int(free/need)))
	}
	return threads
}

// foldMemory estimates the bytes that training a fold takes beside the data: a copy of its
// rows, as much again for what a learner keeps of them, such as sorted features, 400 a row
// and 20 vectors as long as there are features, 17 of which are cutting planes; all of it
// twice, since what a fold leaves behind goes when the next is in work.
func (s *space) foldMemory() float64 {
	const perValue = 12 // of a sparse matrix, its column included
	values, length := s.iterated()
	return 2 * (2*perValue*values + 400*float64(s.rows()) + 8*20*length)
}

// iterated is how many values the rows have that an iteration goes through, and how many columns: those of the
// features, or of the kernel map.
func (s *space) iterated() (values, columns float64) {
	switch {
	case s.onBasis():
		columns = float64(len(s.support))
		return float64(s.rows()) * columns, columns
	case s.given == nil:
		values = float64(data.Stored(s.x))
	}
	return values, float64(s.features())
}

// foldsWork is about the multiplications of an estimate that trains each fold of a method again, on a share of the
// rows and queries.
func (s *space) foldsWork(method cv.Method, share float64, candidates []float64) float64 {
	const ordering = 100 // of a row among those of its query
	folds := float64(splitsOf(method, s.task))
	if method.Kind != cv.KFold {
		folds *= share
	}
	return folds*s.learner.foldWork(s, share, candidates) + ordering*share*float64(s.rows()*len(candidates))
}

// trainingSteps is about how many iterations a training takes.
const trainingSteps = 100

// stepWork is about the multiplications of one of them on a share of the rows: two products with the rows, and the
// order of each.
func (s *space) stepWork(share float64) float64 {
	values, _ := s.iterated()
	return share * (2*values + 20*float64(s.rows()))
}

// retrain trains on some rows and predicts others, for each candidate: what cv asks of
// a learner without a shortcut.
func (s *space) retrain(ctx context.Context, train, test []int, candidates []float64,
	emit func(l int, held cv.Held)) error {
	var overflow error
	err := s.learner.predict(ctx, s.part(train), nil, &heldRows{whole: s, rows: test}, candidates,
		func(l int, held cv.Held) {
			if f := held.F; overflow == nil {
				name := func(i int) string { return fmt.Sprintf("held-out row %d", test[i/f.Cols]+1) }
				overflow = fault.Finite(f.Data, name)
			}
			emit(l, held)
		})
	if !errors.Is(err, pref.ErrNothingToLearn) {
		return cmp.Or(err, overflow)
	}
	for l := range candidates {
		emit(l, s.zeros(len(test)))
	}
	return nil
}

// zeros are the predictions of some rows where nothing is left to learn from, which are
// exact.
func (t *task) zeros(rows int) cv.Held {
	return cv.Bounded(data.NewDense(rows, t.outputs, nil), data.NewDense(rows, t.outputs, nil))
}
