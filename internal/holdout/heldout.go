package holdout

import (
	"context"
	"math"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/internal/pick"
)

// HeldOut returns the predictions of all rows at one λ, m×v, each from training without its test
// set, as Measure uses them; rows of no test set are NaN. It makes scores equal that are within
// rounding of each other in a list that is ranked together. Where lambda is one of o.Candidates the
// predictions have the bits of that estimate. It costs one call of predict, for all candidates or,
// without candidates, for lambda, and O(m log m). It returns the errors of predict and of
// Method.Splits.
func HeldOut(ctx context.Context, predict Predictor, labels Labels, o Options, lambda float64) (*data.Dense, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	splits, err := o.splits(labels)
	if err != nil {
		return nil, err
	}
	out := data.NewDense(labels.rows(), labels.outputs(), nil)
	for i := range out.Data {
		out.Data[i] = math.NaN()
	}
	lambdas, at := []float64{lambda}, 0
	if l := slices.Index(o.Candidates, lambda); l >= 0 {
		lambdas, at = o.Candidates, l // the same bits as the estimate
	}
	lists := splits.lists(labels.Queries)
	err = splits.gather(ctx, predict, lists, labels.outputs(), lambdas, func(g, l int, held Held) {
		if l != at {
			return
		}
		rows := lists[g]
		if labels.Edges != nil {
			tieLists(held, [][]int{pick.All[int](len(rows))})
		} else {
			tieLists(held, listsOf(rows, labels.Queries))
		}
		for a, i := range rows {
			copy(out.Row(int(i)), held.F.Row(a))
		}
	}, nil)
	return out, err
}

// Recorded returns a Predictor that trains once. It keeps the predictions, lambdas×m×v numbers or
// twice as many with bounds of their rounding, and returns them again for any of the same lambdas.
// All calls must have the same splits.
func Recorded(predict Predictor) Predictor {
	type at struct{ g, l int }
	var mu sync.Mutex
	var of []float64
	known := map[at]Held{}
	return func(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
		missing := slices.ContainsFunc(lambdas, func(v float64) bool { return !slices.Contains(of, v) })
		if !missing {
			for g := range s.Len() {
				for l, lambda := range lambdas {
					if held, is := known[at{g, slices.Index(of, lambda)}]; is {
						emit(g, l, Held{F: held.F.Clone(), Rounding: held.Rounding})
					}
				}
			}
			return nil
		}
		of = nil
		clear(known)
		err := predict(ctx, s, lambdas, func(g, l int, held Held) {
			again := kept(held)
			mu.Lock()
			known[at{g, l}] = again
			mu.Unlock()
			emit(g, l, held)
		})
		if err == nil {
			of = slices.Clone(lambdas)
		}
		return err
	}
}
