package cv

import (
	"context"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/learn/rls"
	"pairrank/pref"
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

// HeldOut returns the predictions of all rows at one λ, m×v, each from training without
// its group: those that Estimated and Retrained measure. Scores within rounding of one
// another are made equal in each list that is ranked together. Where lambda is one of
// o.Candidates the predictions are those of that estimate to the last bit. It costs one
// call of predict for all candidates, or without them for lambda, and O(m log m). It
// returns the errors of predict and of Method.Groups.
func HeldOut(ctx context.Context, predict Predictor, labels Labels, o Options, lambda float64) (*data.Dense, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	groups, err := o.groups(labels)
	if err != nil {
		return nil, err
	}
	out := newHeldRows(len(groups.Rows), labels.outputs())
	lambdas, at := []float64{lambda}, 0
	if l := slices.Index(o.Candidates, lambda); l >= 0 {
		lambdas, at = o.Candidates, l // what was measured, to the last bit
	}
	err = predict(ctx, groups, lambdas, func(g, l int, held rls.Held) {
		if l != at {
			return
		}
		rows := groups.Part(g)
		switch {
		case labels.Edges != nil:
			tieLists(held, [][]int{rowNumbers(len(rows))})
		case o.Groups != nil || o.Method.Kind != LeaveOneOut:
			tieLists(held, listsOf(rows, labels.Queries))
		}
		out.take(rows, held)
	})
	if o.Groups == nil && o.Method.Kind == LeaveOneOut && labels.Edges == nil {
		tieLists(out.held(), listsOf(pref.OneList(len(groups.Rows)).Rows, labels.Queries))
	}
	return out.f, err
}
