package cv

import (
	"context"
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

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
	err = predict(ctx, groups, lambdas, func(g, l int, held Held) {
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
