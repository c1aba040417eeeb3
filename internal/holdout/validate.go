package holdout

import (
	"context"

	"pairrank/eval/cv"
)

// Validated returns one estimate for each output on a validation set of m rows with the given labels. predict trains on
// the training set once for each λ, in the order of Options.Candidates, and predicts the validation set. Validated
// ignores Options.Method. The standard error is over the queries of the validation set, and undefined for a single
// query. It costs one call of predict and O(m log m) for each λ and output. It returns the errors of predict and of
// Measure.
func Validated(ctx context.Context, predict func(ctx context.Context, lambdas []float64,
	emit func(l int, held Held)) error, labels Labels, o Options) ([]*cv.Estimate, error) {
	o.Method = cv.Method{Kind: cv.Validation}
	progress := o.Progress
	o.Progress = nil
	one := func(ctx context.Context, _ *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
		done := 0
		return predict(ctx, lambdas, func(l int, held Held) {
			emit(0, l, held)
			if done++; progress != nil {
				progress(done, len(lambdas))
			}
		})
	}
	return Measure(ctx, one, labels, o)
}
