package cv

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/pref"
)

// Trainer trains on some of the rows for each λ and predicts others. train and
// test are row numbers, ascending; emit receives the predictions of test, in
// order, for lambdas[l].
type Trainer func(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error

// Retrained returns the estimates, one for each of the v outputs, by training again
// without each fold. It works for every learner and every goal, and costs one training
// for each fold and λ. It returns an error for lpo, the default of a
// single list, which would take m(m−1)/2 trainings,
// and those of the trainer and of Measure.
func Retrained(ctx context.Context, trainer Trainer, labels Labels, o Options) ([]*Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if o.Method == (Method{Kind: LeavePairOut}) {
		return nil, fmt.Errorf("leave-pair-out by retraining would train %d times; use kfold:10", len(labels.Y)*(len(labels.Y)-1)/2)
	}
	estimates, err := Measure(ctx, trainer.Predict, labels, o)
	if err != nil {
		return nil, err
	}
	for _, e := range estimates {
		e.Retrained = true
	}
	return estimates, nil
}

// Predict is the Predictor that calls the trainer once for each group that has rows, one
// after the other, with the rows of the group as test and the others as train. It costs
// O(m) a group beside the training. It returns the first error of the trainer, with the
// number of the fold.
func (t Trainer) Predict(ctx context.Context, groups *pref.Partition, lambdas []float64, emit func(g, l int, held Held)) error {
	of := groups.Of()
	for g := range groups.Len() {
		var train, test []int
		for i, group := range of {
			if int(group) == g {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		if len(test) == 0 {
			continue
		}
		err := t(ctx, train, test, lambdas, func(l int, f *data.Dense) {
			emit(g, l, Predictions(f))
		})
		if err != nil {
			return fmt.Errorf("training without fold %d: %w", g+1, err)
		}
	}
	return nil
}
