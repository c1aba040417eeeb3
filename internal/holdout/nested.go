package holdout

import (
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// Chooser trains on the rows train, makes all its choices on them alone, and predicts the rows
// test, m_test×1 in order.
type Chooser func(ctx context.Context, train, test []int) (*data.Dense, error)

// Nested estimates the error of a whole procedure, choices included: each outer test set of the m
// rows is predicted by choosing and training on its training set (Varma and Simon 2006, Bias in
// error estimation when using cross-validation for model selection). The error of the best λ from
// Measure is optimistic, since λ minimises it; this error is not. labels have one output. It uses
// Method, Splits, Seed, Progress and Pooled of o. It costs one call of choose for each outer test
// set. It returns the errors of choose, with the fold, and those of Measure.
func Nested(ctx context.Context, choose Chooser, labels Labels, o Options) (cv.Point, error) {
	trainer := Trainer(func(ctx context.Context, train, test []int, _ []float64,
		emit func(l int, f *data.Dense)) error {
		f, err := choose(ctx, train, test)
		if err == nil {
			emit(0, f)
		}
		return err
	})
	o.Candidates, o.Metric, o.Also = []float64{math.NaN()}, nil, nil
	estimates, err := Measure(ctx, trainer.Predict, labels, o)
	if err != nil {
		return cv.Point{}, err
	}
	return estimates[0].Points[0], nil
}

// NestedAgain repeats Nested until there are times draws of the outer folds, with the seeds from o.Seed on; first is
// the result of the first draw. It returns the points of all draws; a draw without a pair has a point without Pairs.
// Cost and errors are those of times calls of Nested.
func NestedAgain(ctx context.Context, choose Chooser, labels Labels, o Options, first cv.Point,
	times int) ([]cv.Point, error) {
	draws := []cv.Point{first}
	for range times - 1 {
		o.Seed++
		p, err := Nested(ctx, choose, labels, o)
		if none := new(*NoPairsError); err != nil && !errors.As(err, none) {
			return nil, err
		}
		draws = append(draws, p)
	}
	return draws, nil
}

// CountPairs counts the pairs of rows of a part with different labels or, where some are marked as censored, of
// comparable times, in O(m log m).
func CountPairs(y []float64, censored []bool, parts *data.Partition) int64 {
	if censored != nil {
		goal, err := goals.Times(y, censored, parts, pref.Options{Cost: pref.Unit})
		if err != nil {
			return 0
		}
		return int64(goal.Pairs)
	}
	labels, pairs := []float64(nil), int64(0)
	for g := range parts.Len() {
		labels = labels[:0]
		for _, i := range parts.Part(g) {
			labels = append(labels, y[i])
		}
		slices.Sort(labels)
		for first, k := 0, 0; k < len(labels); k++ {
			if labels[k] != labels[first] {
				first = k
			}
			pairs += int64(first)
		}
	}
	return pairs
}

// FewPairs is the number of held-out pairs below which an error is coarse.
const FewPairs = 50
