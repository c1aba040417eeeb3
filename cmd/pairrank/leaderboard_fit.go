package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/internal/spell"
	"pairrank/report"
)

// rate learns the scores, and what is asked of them.
func (a *app) rate(r *report.Rated, f *boardFlags) error {
	r.Options = comparison.Options{Loss: comparison.Loss(f.loss), Ties: comparison.Ties(f.ties),
		BiasReduced: f.biasReduced}
	if err := r.SetScale(f.scale, f.anchor); err != nil {
		return cli.AsUsage(err)
	}
	if f.pairWeights == "equal" {
		r.EqualPairs = true
		r.Problem.EqualPairs(r.Options.Ties)
	}
	if err := a.checkAnnotators(r.Problem, f); err != nil {
		return err
	}
	if err := a.fitBoard(r, f); err != nil {
		return err
	}
	if err := a.judgeBoard(r, f); err != nil {
		return err
	}
	if f.next == 0 {
		return nil
	}
	if n := r.Problem.Components().Len(); n > 1 && r.Options.Lambda == 0 && r.Problem.Features == nil {
		return cli.WithHint(cli.AsData(fmt.Errorf("--next: the comparisons have %d components, between which no variance "+
			"is finite", n)), "compare an item of each with one of the others first")
	}
	meter := a.Begin("choosing pairs", 0)
	defer meter.End()
	return a.Await(func() error {
		r.Next = r.Board.NextOf(f.next, nil)
		return nil
	})
}

// fitBoard fits for every λ, and chooses by the held-out loss where there are several.
func (a *app) fitBoard(r *report.Rated, f *boardFlags) error {
	meter := a.Begin("learning scores", int64(len(f.grid)))
	defer meter.End()
	best := math.Inf(1)
	for k, lambda := range f.grid {
		o := r.Options
		o.Lambda = lambda
		b, held, err := a.fitOne(r.Problem, o, f)
		if err != nil {
			return err
		}
		loss := 0.0
		if held != nil {
			loss = lossOf(held)
			r.Path = append(r.Path, report.BoardPoint{Lambda: report.Number(lambda),
				Error: report.Number(held.Error.Value), Loss: report.Number(loss)})
		}
		if k == 0 || loss < best || loss == best && lambda > r.Options.Lambda {
			best, r.Board, r.HeldOut, r.Options = loss, b, held, o
			for j := range r.Path {
				r.Path[j].Chosen = j == k
			}
		}
		meter.Set(int64(k + 1))
	}
	if len(f.grid) == 1 {
		r.Path = nil
	}
	if r.Options.Lambda > 0 {
		a.Note("penalised scores have no interval that holds: --lambda 0, or --bias-reduced, has intervals")
		return nil
	}
	return a.measureBoard(r, f)
}

// lossOf is the held-out loss, above all others where there is none.
func lossOf(held *comparison.HeldOut) float64 {
	if !held.Loss.Defined {
		return math.Inf(1)
	}
	return held.Loss.Value
}

// fitOne learns the scores at one λ, and leaves out what is asked.
func (a *app) fitOne(p *comparison.Problem, o comparison.Options, f *boardFlags) (*comparison.Board,
	*comparison.HeldOut, error) {
	b, err := cli.AwaitFor(a.Ctx, func() (*comparison.Board, error) { return comparison.Fit(a.Ctx, p, o) })
	if err != nil {
		return nil, nil, boardError(err)
	}
	if f.holdOut == "" && len(f.grid) == 1 {
		return b, nil, nil
	}
	unit := f.unit
	if unit.Kind == "line" && f.single {
		unit.Kind = "comparison" // lines that are alike have been added up
	}
	held, err := cli.AwaitFor(a.Ctx, func() (*comparison.HeldOut, error) { return b.Predict(unit, f.seed) })
	if held != nil {
		held.Unit = f.unit
	}
	if err != nil && a.Ctx.Err() == nil {
		err = cli.AsUsage(err)
		if kind := f.unit.Kind; kind == "annotator" || kind == "stratum" {
			err = cli.WithHint(err, "--%s COLUMN names them", kind)
		}
	}
	return b, held, err
}

// boardError gives an error of a fit its exit code and its way out.
func boardError(err error) error {
	var separated *comparison.SeparatedError
	if !errors.As(err, &separated) {
		return cli.AsData(err)
	}
	if len(separated.Sets) > 0 {
		first := separated.Sets[0]
		only := " only wins"
		if len(first) > 1 {
			only = " only win against others"
		}
		err = fmt.Errorf("%w: %s%s", err, firstNames(first), only)
	}
	return cli.WithHint(cli.AsData(err),
		"--bias-reduced has finite scores with intervals, and --lambda F penalised ones")
}

// firstNames lists a few names.
func firstNames(names []string) string {
	const few = 3
	var quoted []string
	for _, name := range names[:min(len(names), few)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if n := len(names) - few; n > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", n))
	}
	return spell.List(quoted)
}
