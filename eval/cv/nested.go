package cv

import (
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

// Chooser trains on some rows, with every choice of its own made on them alone,
// and predicts the others, m_test×1 in order.
type Chooser func(ctx context.Context, train, test []int) (*data.Dense, error)

// Nested estimates the error of a whole procedure, choices included: each outer test set of
// the m rows is predicted by choosing and training on its training set (Varma and Simon 2006,
// Bias in error estimation when using cross-validation for model selection). The error of
// the best λ, which Measure gives, is optimistic, since λ was chosen by it; this one is
// not. labels have one output. It costs one call of choose for each outer test set. It
// returns the errors of choose, with the fold, and those of Measure. Of o it takes what is
// held out and progress, and what is pooled.
func Nested(ctx context.Context, choose Chooser, labels Labels, o Options) (Point, error) {
	trainer := Trainer(func(ctx context.Context, train, test []int, _ []float64, emit func(l int, f *data.Dense)) error {
		f, err := choose(ctx, train, test)
		if err == nil {
			emit(0, f)
		}
		return err
	})
	o.Candidates, o.Metric, o.Also = []float64{math.NaN()}, nil, nil
	estimates, err := Measure(ctx, trainer.Predict, labels, o)
	if err != nil {
		return Point{}, err
	}
	return estimates[0].Points[0], nil
}

// NestedAgain is Nested over the outer folds of so many draws, of which first is that of Nested: the mean error
// over the pairs of all, with the seeds from o.Seed on. The draws share rows and pairs, so that it has no
// standard error. Draws that hold no pair do not count. Cost and errors are those of as many
// calls of Nested.
func NestedAgain(ctx context.Context, choose Chooser, labels Labels, o Options, first Point, times int) (Point, error) {
	wrong, pairs := first.Error*float64(first.Pairs), first.Pairs
	for range times - 1 {
		o.Seed++
		p, err := Nested(ctx, choose, labels, o)
		var none *NoPairsError
		switch {
		case errors.As(err, &none):
			continue
		case err != nil:
			return Point{}, err
		}
		wrong, pairs = wrong+p.Error*float64(p.Pairs), pairs+p.Pairs
	}
	return Point{Candidate: math.NaN(), Error: wrong / float64(pairs), Pairs: pairs}, nil
}

// NestedEstimate is the error of a whole procedure, with its choices.
type NestedEstimate struct {
	// Point has the error over the pairs of the outer folds. Its StdErr is undefined where the folds
	// were drawn more than once, hold fewer than FewPairs pairs, or err by exactly the same.
	Point
	// Outer is how the outer folds are made, and Times how often they were drawn: those of a single
	// list hold few of its pairs each time.
	Outer Method
	Times int
	// All is how many pairs the data has.
	All int64
	// Interval is the 95 % interval of Error by the half-samples of the estimate. It is Defined for folds of
	// a single list that hold as many pairs as there are, where there are half-samples.
	Interval Interval
}

// CountPairs counts the pairs of rows of a part with different labels, in O(m log m).
func CountPairs(y []float64, parts *pref.Partition) int64 {
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
