package main

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/learn/ranksvm"
)

// effort is what one or several trainings took.
type effort struct {
	iterations, evaluations int
	seconds                 float64
	unfinished              int // not converged after mostIterations
}

// mostIterations bounds every training of this file.
const mostIterations = 3000

// train trains for one λ and adds it to the effort.
func (e *effort) train(ctx context.Context, solver *ranksvm.Solver, lambda float64) (*ranksvm.Fit, error) {
	fit, err := solver.Train(ctx, lambda)
	if err != nil {
		return nil, err
	}
	e.iterations += fit.Iterations
	e.evaluations += fit.Evaluations
	if !fit.Converged {
		e.unfinished++
	}
	return fit, nil
}

// searches counts iterations with the line search and without, at several λ, and has the
// test errors of both losses there.
func searches(ctx context.Context, s study) (found experiment.Result, err error) {
	t := experiment.NewTable("data", "%s", "rows", "%.0f", "λ", "%.2g", "iterations: line search", "%.0f",
		"none", "%.0f",
		"evaluations: line search", "%.0f", "none", "%.0f", "seconds: line search", "digits", "none", "digits",
		"wrong test pairs: hinge", "%.5f", "squared hinge", "%.5f")
	for _, c := range s.collections {
		for _, factor := range []float64{100, 10, 1, 0.1, 0.01} {
			lambda := c.lambda * factor
			var e [2]effort
			for k := range e {
				e[k], err = s.effort(func(e *effort) error {
					solver, err := c.solver(ranksvm.Options{NoLineSearch: k == 1})
					if err == nil {
						_, err = e.train(ctx, solver, lambda)
					}
					return err
				})
				if err != nil {
					return found, err
				}
				if e[k].unfinished > 0 {
					return found, fmt.Errorf("%s, λ = %.2g: not converged after %d iterations",
						c.name, lambda, mostIterations)
				}
			}
			row := []any{c.name, c.search, lambda, e[0].iterations, e[1].iterations, e[0].evaluations, e[1].evaluations,
				e[0].seconds, e[1].seconds}
			for _, loss := range ranksvm.Losses {
				missed, err := c.missed(ctx, loss, lambda)
				if err != nil {
					return found, err
				}
				row = append(row, missed)
			}
			t.Row(row...)
			tell("%s, λ = %.2g: %d iterations with line search, %d without", c.name, lambda, e[0].iterations,
				e[1].iterations)
		}
	}
	found.Add(t)
	return found, nil
}

// missed is the part of the test pairs in the wrong order.
func (c *collection) missed(ctx context.Context, loss ranksvm.Loss, lambda float64) (float64, error) {
	solver, err := c.solver(ranksvm.Options{Loss: loss})
	if err != nil {
		return 0, err
	}
	fit, err := solver.Train(ctx, lambda)
	if err != nil {
		return 0, err
	}
	m := len(c.set.Y)
	x := data.Slice(c.set.X, c.largest(), m)
	return wrong(&data.Set{X: x, Y: c.set.Y[c.largest():]}, fit.Weights)
}

// solver is one for the rows of these experiments.
func (c *collection) solver(o ranksvm.Options) (*ranksvm.Solver, error) {
	x, y := c.first(c.search)
	o.Epsilon, o.MaxIterations = epsilon, mostIterations
	return ranksvm.New(x, y, data.OneList(len(y)), o)
}

// effort is what some work takes: the median of the seconds.
func (s settings) effort(work func(e *effort) error) (e effort, err error) {
	e.seconds, err = repeat(s.runs, s.patience, func() error {
		e = effort{}
		return work(&e)
	})
	return e, err
}

// pathLength λ fall evenly from ten times the usual one to a hundredth of it.
const pathLength = 20

func (c *collection) path() (lambdas []float64) {
	for k := range pathLength {
		lambdas = append(lambdas, c.lambda*math.Pow(10, 1-3*float64(k)/(pathLength-1)))
	}
	return lambdas
}

// paths trains along a path of λ in three ways.
func paths(ctx context.Context, s study) (found experiment.Result, err error) {
	t := experiment.NewTable("data", "%s", "rows", "%.0f", "λ: most", "%.2g", "least", "%.2g", "solver", "%s",
		"iterations", "%.0f", "evaluations", "%.0f", "seconds", "digits")
	for _, c := range s.collections {
		lambdas := c.path()
		for _, way := range []struct {
			name string
			work func(e *effort) error
		}{
			{"one: planes and weights are kept", func(e *effort) error {
				solver, err := c.solver(ranksvm.Options{})
				for k := 0; k < len(lambdas) && err == nil; k++ {
					_, err = e.train(ctx, solver, lambdas[k])
				}
				return err
			}},
			{"a new one for each λ", func(e *effort) error { return c.anew(ctx, e, lambdas, false) }},
			{"a new one that starts at the last weights",
				func(e *effort) error { return c.anew(ctx, e, lambdas, true) }},
		} {
			e, err := s.effort(way.work)
			if err != nil {
				return found, err
			}
			if e.unfinished > 0 {
				return found, fmt.Errorf("%s: %d trainings did not converge", c.name, e.unfinished)
			}
			t.Row(c.name, c.search, lambdas[0], lambdas[len(lambdas)-1], way.name, e.iterations, e.evaluations,
				e.seconds)
			tell("%s, a path with %s: %d iterations", c.name, way.name, e.iterations)
		}
	}
	found.Add(t)
	return found, nil
}

// anew makes a solver for each λ.
func (c *collection) anew(ctx context.Context, e *effort, lambdas []float64, warm bool) error {
	var o ranksvm.Options
	for _, lambda := range lambdas {
		solver, err := c.solver(o)
		if err != nil {
			return err
		}
		fit, err := e.train(ctx, solver, lambda)
		if err != nil {
			return err
		}
		if warm {
			o.Start = fit.Weights
		}
	}
	return nil
}
