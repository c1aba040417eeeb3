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
// factorisation, which is large and uses all threads itself, else as many as there are
// threads and as fit into memory. What iterates spends much of its time in pieces too small
// to be shared out.
func (s *space) foldsAtOnce() int {
	threads := parallel.Workers()
	if s.exact() != nil {
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
	m, values, length := float64(s.rows()), 0.0, float64(s.features())
	switch {
	case s.onBasis():
		length = float64(len(s.support))
		values = m * length
	case s.given == nil:
		values = float64(data.Stored(s.x))
	}
	const perValue = 12 // of a sparse matrix, its column included
	return 2 * (2*perValue*values + 400*m + 8*20*length)
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
