package pairrank

import (
	"cmp"
	"context"
	"errors"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/pick"
)

// part is the problem of some rows. A basis stays: its rows are points of the space, and their labels are not used.
func (t *trainer) part(some []int) *trainer {
	part := t.of(t.labelsOf(some), t.round)
	part.lowered, part.whole, part.within = t.lowered, t, some
	if t.onBasis() {
		return part
	}
	if t.k != nil {
		part.k = t.k.Submatrix(some, some)
	}
	if part.given != nil {
		part.given = part.k
	}
	if t.x != nil {
		part.x = data.Select(t.x, some)
	}
	return part
}

// partAnew is part, with the knots of splines, and the weights of sums of kernels, of its own rows.
func (t *trainer) partAnew(some []int) *trainer {
	if !mapped(t.o.Kernels) || random(t.o.Kernels) {
		return t.part(some).unweighed()
	}
	part := t.of(t.origin.labelsOf(some), t.round)
	part.whole, part.within, part.anew = t, some, true
	part.x = data.Select(t.origin.x, some)
	return part.explicit()
}

// labelsOf are the labels of some rows, with the features of all.
func (r *sample) labelsOf(some []int) *sample {
	y := data.NewDense(r.rows(), r.outputs, r.y).SelectRows(some).Data
	return &sample{x: r.x, given: r.given, y: y, censored: pick.Rows(r.censored, some),
		weights: pick.Rows(r.weights, some), outputs: r.outputs,
		queries: data.NewPartition(pick.Rows(r.queries.Of(), some), r.queries.Len()), groups: partOf(r.groups, some),
		givenFolds: partOf(r.givenFolds, some), edges: r.edges, offset: r.offset}
}

// partOf is a partition of some rows, numbered by their places, without empty parts; nil of nil.
func partOf(p *data.Partition, rows []int) *data.Partition {
	if p == nil {
		return nil
	}
	number := map[int32]int32{}
	of, all := make([]int32, len(rows)), p.Of()
	for k, i := range rows {
		g, is := number[all[i]]
		if !is {
			g = int32(len(number))
			number[all[i]] = g
		}
		of[k] = g
	}
	return data.NewPartition(of, len(number))
}

// retrain trains on some rows and predicts others, for each candidate. holdout calls it for a learner without a
// shortcut.
func (t *trainer) retrain(ctx context.Context, train, test []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	return t.retrained(ctx, t.part(train), &heldRows{whole: t, rows: test}, test, candidates, emit)
}

// retrained trains a part and predicts the rows test, which are held.
func (t *trainer) retrained(ctx context.Context, part *trainer, held *heldRows, test []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	var overflow error
	err := t.learner.predict(ctx, part, nil, held, candidates,
		func(l int, held holdout.Held) {
			if f := held.F; overflow == nil {
				name := func(i int) string { return "held-out " + t.problem.Set.Called(test[i/f.Cols]) }
				overflow = fault.Finite(f.Data, name)
			}
			emit(l, held)
		})
	if !errors.Is(err, goals.ErrNothingToLearn) {
		return cmp.Or(err, overflow)
	}
	for l := range candidates {
		emit(l, t.zeros(len(test)))
	}
	return nil
}

// predictAnew trains on the rows of a part that was made anew, and predicts others of the whole.
func (t *trainer) predictAnew(ctx context.Context, others []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	x := t.mapRows(data.Select(t.whole.origin.x, others))
	if d, dense := x.(*data.Dense); dense && t.offset != nil {
		subtract(d, t.offset.point)
	}
	return t.whole.retrained(ctx, t, &heldRows{x: x}, others, candidates, emit)
}

// zeros are the exact predictions of rows if nothing is left to learn from.
func (t *trainer) zeros(rows int) holdout.Held {
	return holdout.Bounded(data.NewDense(rows, t.outputs, nil), data.NewDense(rows, t.outputs, nil))
}
