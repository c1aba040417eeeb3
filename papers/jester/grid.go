package main

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/parallel"
	"pairrank/kernel"
	"pairrank/papers/experiment"
)

// widths are those of the Gaussian kernel: γ of exp(−γ‖x−x'‖²).
var widths = experiment.Powers(-15, 15, 1)

// group is users with the features of the jokes, which serve all of them.
type group struct {
	users []active
	x     *data.Dense
}

// errors are the disagreements of the users at one width, a row for each user and a
// column for each λ.
func (g *group) errors(ctx context.Context, l learner, width float64, lambdas []float64) (*data.Dense, error) {
	k := kernel.Matrix(kernel.Gaussian{Gamma: width}, g.x, g.x)
	found := data.NewDense(len(g.users), len(lambdas), nil)
	if diagonal(k) {
		// No joke is like another: all that are not learnt from score 0.
		for e := range found.Data {
			found.Data[e] = 0.5
		}
		return found, nil
	}
	failed := make([]error, len(g.users))
	parallel.For(len(g.users), func(_, u int) {
		failed[u] = g.users[u].errorsTo(ctx, found.Row(u), l, k, lambdas)
	})
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// diagonal reports whether all values off the diagonal are 0.
func diagonal(k *data.Dense) bool {
	for i := range k.Rows {
		for j, v := range k.Row(i) {
			if i != j && v != 0 {
				return false
			}
		}
	}
	return true
}

// errorsTo sets dst to the disagreement of a user's other jokes, for each λ.
func (a *active) errorsTo(ctx context.Context, dst []float64, l learner, k *data.Dense, lambdas []float64) error {
	evaluator, err := metric.NewEvaluator([]metric.Metric{metric.Disagreement}, metric.Options{})
	if err != nil {
		return err
	}
	if err := evaluator.SetQuery(metric.Query{Labels: a.held}); err != nil {
		return err
	}
	known := data.SelectColumns(data.Select(k, a.train), a.train).(*data.Dense)
	cross := data.SelectColumns(data.Select(k, a.test), a.train).(*data.Dense)
	var term [1]metric.Term
	return l.learn(ctx, known, cross, a.y, lambdas, func(at int, scores []float64) error {
		if err := evaluator.TermsTo(term[:], scores); err != nil {
			return err
		}
		dst[at] = term[0].Value().Value
		return nil
	})
}

// chosen is a width and λ, with the mean error that chose them.
type chosen struct{ width, lambda, error float64 }

// hopeless is how far the least error of a width is above that of a lesser one where the
// choice ends: from there on the jokes are less and less alike.
const hopeless = 0.05

// choose is the width and λ of the least mean error over the users of a group; of
// equals the least width with its largest λ. Widths ascend.
func (g *group) choose(ctx context.Context, l learner, widths, lambdas []float64) (chosen, error) {
	c := chosen{error: math.Inf(1)}
	for _, width := range widths {
		found, err := g.errors(ctx, l, width, lambdas)
		if err != nil {
			return c, err
		}
		at, mean := best(found)
		if mean > c.error+hopeless {
			break
		}
		if mean < c.error {
			c = chosen{width, lambdas[at], mean}
		}
	}
	return c, nil
}

// best is the last of the columns with the least mean, and that.
func best(errors *data.Dense) (column int, least float64) {
	least = math.Inf(1)
	for c := errors.Cols - 1; c >= 0; c-- {
		mean := 0.0
		for u := range errors.Rows {
			mean += errors.Row(u)[c] / float64(errors.Rows)
		}
		if mean < least {
			column, least = c, mean
		}
	}
	return column, least
}

// test is the error of each user of a group at what was chosen.
func (g *group) test(ctx context.Context, l learner, c chosen) ([]float64, error) {
	found, err := g.errors(ctx, l, c.width, []float64{c.lambda})
	if err != nil {
		return nil, err
	}
	return found.Data, nil
}
