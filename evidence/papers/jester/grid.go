package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/codes"
	"pairrank/internal/parallel"
	"pairrank/kernel"
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
func (g *group) errors(ctx context.Context, l study.Learner, width float64, lambdas []float64) (*data.Dense, error) {
	found := data.NewDense(len(g.users), len(lambdas), nil)
	failed := make([]error, len(g.users))
	parallel.For(len(g.users), func(_, u int) {
		failed[u] = errorsTo(ctx, found.Row(u), l, g.split(&g.users[u], width, lambdas))
	})
	return found, errors.Join(failed...)
}

// split learns from half of a user's jokes and measures the error on the others.
func (g *group) split(a *active, width float64, lambdas []float64) (s study.Split) {
	half := func(jokes []int, y []float64) *data.Set {
		return &data.Set{X: data.Select(g.x, jokes), Y: y, Queries: data.OneList(len(y))}
	}
	s.Set, s.Test = half(a.train, a.y), half(a.test, a.held)
	if len(lambdas) > 1 {
		s.Valid = s.Test
	}
	s.Options = func(o *pairrank.Options) {
		o.Kernels, o.Lambdas = []kernel.Kernel{kernel.Gaussian{Gamma: width}}, lambdas
	}
	return s
}

// errorsTo sets dst to the disagreement of the test rows of a split, for each λ.
func errorsTo(ctx context.Context, dst []float64, l study.Learner, s study.Split) error {
	trained, err := l.Train(ctx, s)
	if err != nil {
		return err
	}
	for _, note := range trained.Notes {
		if note.Code == codes.NoteFolds || note.Code == codes.NoteUnconverged {
			return fmt.Errorf("%s: %s", l.Name, note)
		}
	}
	if s.Valid == nil {
		means, _, err := study.Values(s.Test, trained.Scores, []metric.Metric{metric.Disagreement}, metric.Options{})
		if err == nil {
			dst[0] = means[0]
		}
		return err
	}
	for k, p := range trained.Choice.Chosen().Outputs[0].Points {
		dst[k] = p.Error
	}
	return nil
}

// chosen is a width and λ, with the mean error that chose them.
type chosen struct{ width, lambda, error float64 }

// hopeless is how far the least error of a width is above that of a lesser one where the
// choice ends: from there on the jokes are less and less alike.
const hopeless = 0.05

// choose is the width and λ of the least mean error over the users of a group; of
// equals the least width with its largest λ. Widths ascend.
func (g *group) choose(ctx context.Context, l study.Learner, widths, lambdas []float64) (chosen, error) {
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
func (g *group) test(ctx context.Context, l study.Learner, c chosen) ([]float64, error) {
	found, err := g.errors(ctx, l, c.width, []float64{c.lambda})
	if err != nil {
		return nil, err
	}
	return found.Data, nil
}
