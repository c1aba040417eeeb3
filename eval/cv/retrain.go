package cv

import (
	"context"
	"fmt"

	"pairrank/data"
)

// Trainer trains on some of the rows for each λ and predicts others. train and
// test are row numbers, ascending; emit receives the predictions of test, in
// order, for lambdas[l].
type Trainer func(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error

// Retrained returns the estimates, one for each of the v outputs, by training again
// without each fold, as predict of a Trainer does. It works for every learner and every goal, and costs one training
// for each fold and λ. It returns an error for lpo, the default of a
// single list, which would take m(m−1)/2 trainings,
// and those of predict and of Measure.
func Retrained(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if o.Splits == nil && o.Method == (Method{Kind: LeavePairOut}) {
		return nil, fmt.Errorf("leave-pair-out by retraining would train %d times; use kfold:10", len(labels.Y)*(len(labels.Y)-1)/2)
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

// Predict is the Predictor that calls the trainer once for each test set that has rows, one
// after the other. It costs O(m) a set beside the training. It returns the first error of
// the trainer, with the number of the fold.
func (t Trainer) Predict(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
	for g := range s.Len() {
		if len(s.Test(g)) == 0 {
			continue
		}
		test := make([]int, len(s.Test(g)))
		for a, i := range s.Test(g) {
			test[a] = int(i)
		}
		err := t(ctx, s.Train(g), test, lambdas, func(l int, f *data.Dense) {
			emit(g, l, Predictions(f))
		})
		if err != nil {
			return fmt.Errorf("training without fold %d: %w", g+1, err)
		}
	}
	return nil
}
