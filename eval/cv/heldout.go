package cv

import (
	"context"
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

// HeldOut are the predictions of all rows at one λ, which is one of o.Candidates where
// there are any, m×v, each from training without its group: those that Estimated and Retrained measure, of which scores
// within rounding of one another are equal in each list that is ranked together.
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
