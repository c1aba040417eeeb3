package holdout

import (
	"context"
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/parallel"
)

// Trainer trains on some of the rows for each λ and predicts others. train and
// test are row numbers, ascending; emit receives the predictions of test, in
// order, for lambdas[l].
type Trainer func(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error

// BoundedTrainer is a Trainer that bounds the rounding of its predictions.
type BoundedTrainer func(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, held Held)) error

// Retrained returns the estimates, one for each of the v outputs, by training again without each
// fold; predict is the Predictor of a Trainer. It works for every learner and every goal, and costs
// one training for each fold and λ. It returns an error for lpo, the default for a single list,
// which would take m(m−1)/2 trainings, and the errors of predict and of Measure.
func Retrained(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*cv.Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if o.Splits == nil && o.Method == (cv.Method{Kind: cv.LeavePairOut}) {
		return nil, fmt.Errorf("leave-pair-out by retraining would train %d times; use kfold:10",
			len(labels.Y)*(len(labels.Y)-1)/2)
	}
	estimates, err := Measure(ctx, predict, labels, o)
	if err != nil {
		return nil, err
	}
	for _, e := range estimates {
		e.Retrained = true
	}
	return estimates, nil
}

// bounded is t with Predictions.
func (t Trainer) bounded() BoundedTrainer {
	return func(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, held Held)) error {
		return t(ctx, train, test, lambdas, func(l int, f *data.Dense) { emit(l, Predictions(f)) })
	}
}

// Predict is the Predictor that calls the trainer once for each non-empty test set, one after the
// other. It costs O(m) a set, and the training. It returns the first error of the trainer, with the
// number of the fold.
func (t Trainer) Predict(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
	return t.AtOnce(1)(ctx, s, lambdas, emit)
}

// AtOnce is that of the BoundedTrainer with Predictions.
func (t Trainer) AtOnce(n int) Predictor { return t.bounded().AtOnce(n) }

// AtOnce returns the Predictor that calls the trainer as Trainer.Predict does, for up to n test
// sets at the same time, from n goroutines. The trainer must be safe for concurrent use; memory
// holds n trainings. The predictions do not depend on n. Neither does the error: it is that of the
// first set with an error, which ends the trainings of later sets.
func (t BoundedTrainer) AtOnce(n int) Predictor {
	return func(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
		r := newRace(ctx, s.Len())
		defer r.end()
		parallel.ForWorkers(n, s.Len(), func(_, g int) {
			if ctx, entered := r.enter(g); entered {
				r.leave(g, t.fold(ctx, s, g, lambdas, emit))
			}
		})
		return r.err
	}
}

// fold trains without test set g, where that has rows, and emits its predictions.
func (t BoundedTrainer) fold(ctx context.Context, s *Splits, g int, lambdas []float64,
	emit func(g, l int, held Held)) error {
	if len(s.Test(g)) == 0 {
		return nil
	}
	test := make([]int, len(s.Test(g)))
	for a, i := range s.Test(g) {
		test[a] = int(i)
	}
	err := t(ctx, s.Train(g), test, lambdas, func(l int, held Held) { emit(g, l, held) })
	if err != nil {
		return fmt.Errorf("training without fold %d: %w", g+1, err)
	}
	return nil
}

// race runs sets at the same time, begun in their order. The first set in order with an error
// decides the result: the sets before it continue, since one of them may have an error, too; the
// sets after it end.
type race struct {
	ctx context.Context

	mu     sync.Mutex
	failed int   // the first set that has failed, or how many there are
	err    error // its error
	ends   map[int]context.CancelFunc
}

func newRace(ctx context.Context, sets int) *race {
	return &race{ctx: ctx, failed: sets, ends: map[int]context.CancelFunc{}}
}

// enter returns the context of set g, unless one before it has failed.
func (r *race) enter(g int) (ctx context.Context, entered bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if g > r.failed {
		return nil, false
	}
	ctx, r.ends[g] = context.WithCancel(r.ctx)
	return ctx, true
}

// leave records the outcome of set g.
func (r *race) leave(g int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends[g]()
	delete(r.ends, g)
	if err == nil || g > r.failed {
		return
	}
	r.failed, r.err = g, err
	for other, end := range r.ends {
		if other > g {
			end()
		}
	}
}

// end ends the sets that a panic has left.
func (r *race) end() {
	for _, end := range r.ends {
		end()
	}
}
