package cv

import (
	"context"
	"math"

	"pairrank/data"
)

// Chooser trains on some rows, with every choice of its own made on them alone,
// and predicts the others, m_test×1 in order.
type Chooser func(ctx context.Context, train, test []int) (*data.Dense, error)

// Nested estimates the error of a whole procedure, choices included: each outer group of
// the m rows is predicted by choosing and training on the others (Varma and Simon 2006,
// Bias in error estimation when using cross-validation for model selection). The error of
// the best λ, which Estimated gives, is optimistic, since λ was chosen by it; this one is
// not. labels have one output. It costs one call of choose for each outer group. It
// returns the errors of choose, with the fold, and those of Measure.
func Nested(ctx context.Context, outer Method, choose Chooser, labels Labels, seed uint64, progress func(done, total int)) (Point, error) {
	trainer := Trainer(func(ctx context.Context, train, test []int, _ []float64, emit func(l int, f *data.Dense)) error {
		f, err := choose(ctx, train, test)
		if err == nil {
			emit(0, f)
		}
		return err
	})
	estimates, err := Measure(ctx, trainer.Predict, labels, Options{Method: outer, Candidates: []float64{math.NaN()}, Seed: seed, Progress: progress})
	if err != nil {
		return Point{}, err
	}
	return estimates[0].Points[0], nil
}

// FewPairs is the number of held-out pairs below which an error is coarse.
const FewPairs = 50
