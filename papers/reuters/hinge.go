package main

import (
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
)

// svmOptions end a training nearer to the optimum than by default: at the largest λ
// the objective falls by less than 1e-3 from w = 0.
var svmOptions = ranksvm.Options{Epsilon: 1e-4}

// hinge learns each topic by RankSVM, for every fold and λ again, from the least λ up, each from the planes of the
// last. The entrance takes another way to the same optimum: within Epsilon of it other documents change places, and
// the AUC changes in the third digit.
func hinge(ctx context.Context, t *trial) ([]reached, error) {
	out := make([]reached, t.v)
	return out, eachTopic(t.v, func(k int) error {
		y := column(t.y, t.v, k)
		trainer := cv.Trainer(func(ctx context.Context, train, test []int, lambdas []float64,
			emit func(l int, f *data.Dense)) error {
			held := data.Select(t.known.X, test)
			err := path(ctx, data.Select(t.known.X, train), some(y, 1, train), lambdas, func(l int, w []float64) error {
				emit(l, scores(held, w))
				return nil
			})
			if errors.Is(err, pref.ErrNothingToLearn) { // all positive documents are held out: f = 0, as of least squares
				for l := range lambdas {
					emit(l, data.NewDense(len(test), 1, nil))
				}
				return nil
			}
			return err
		})
		e, err := cv.Measure(ctx, trainer.Predict, cv.Labels{Y: y, Queries: t.known.Queries},
			cv.Options{Splits: cv.SplitsOf(t.folds).Together(), Candidates: t.means})
		if err != nil {
			return err
		}
		p := e[0].Points[e[0].Best]
		out[k] = reached{lambda: p.Candidate, held: 1 - p.Error}
		return path(ctx, t.known.X, y, []float64{p.Candidate}, func(_ int, w []float64) (err error) {
			out[k].tested, err = t.newTested(scores(t.rest.X, w).Data, k)
			return err
		})
	})
}

// hingeInHindsight is RankSVM with the λ that is best on the test documents.
func hingeInHindsight(ctx context.Context, t *trial) ([]reached, error) {
	best := make([]reached, t.v)
	return best, eachTopic(t.v, func(k int) error {
		return path(ctx, t.known.X, column(t.y, t.v, k), t.means, func(l int, w []float64) error {
			r, err := t.newTested(scores(t.rest.X, w).Data, k)
			if r.auc > best[k].auc {
				best[k] = reached{t.means[l], math.NaN(), r}
			}
			return err
		})
	})
}

// path trains RankSVM for one λ after the other and calls take with the weights.
func path(ctx context.Context, x data.Matrix, y, lambdas []float64, take func(l int, w []float64) error) error {
	svm, err := ranksvm.New(x, y, data.OneList(len(y)), svmOptions)
	if err != nil {
		return err
	}
	for l, lambda := range lambdas {
		fit, err := svm.Train(ctx, lambda)
		if err != nil {
			return err
		}
		if err := take(l, fit.Weights); err != nil {
			return err
		}
	}
	return nil
}

// scores are the scores of documents.
func scores(x data.Matrix, w []float64) *data.Dense {
	m, _ := x.Dims()
	f := data.NewDense(m, 1, nil)
	x.MulVecTo(f.Data, w)
	return f
}
