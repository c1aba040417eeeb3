package main

import (
	"errors"
	"fmt"
	"strconv"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/internal/spell"
	"pairrank/report"
)

// rate learns the scores, and what is asked of them.
func (a *app) rate(r *report.Rated, f *boardFlags) error {
	r.Options = comparison.Options{Loss: comparison.Loss(f.loss), Ties: comparison.Ties(f.ties),
		BiasReduced: f.biasReduced}
	if err := r.SetScale(f.scale, f.anchor.item, f.anchor.at); err != nil {
		return cli.Usagef("--anchor: %w", err)
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
	if r.Free != nil {
		if err := a.measureBoard(r, f); err != nil {
			return err
		}
	}
	if err := a.refer(r, f); err != nil {
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
	tell, end := advice.Task(a.App, "choosing pairs")
	defer end()
	return a.Await(func() (err error) {
		r.Next, err = r.Board.NextOf(a.Ctx, f.next, r.About, tell)
		return largeError(err)
	})
}

// fitBoard learns the scores, with λ and τ chosen by the held-out loss where there are several.
func (a *app) fitBoard(r *report.Rated, f *boardFlags) error {
	meter := a.Begin("learning scores", 0)
	defer meter.End()
	r.Options.Progress = tellResidual(meter)
	if err := a.chooseBoard(r, f, meter); err != nil {
		return err
	}
	if n := r.Board.Components().Len(); n > r.Problem.Components().Len() {
		a.Warn("without the ties that are dropped the comparisons have %d components: scores of different ones are not "+
			"comparable", n)
	}
	if h := r.HeldOut; h != nil && h.StdErr.Defined {
		a.doubtUnits(r, "the error of what is left out is", h.Units())
	}
	if h := r.HeldOut; h != nil && h.Approximate {
		err := a.Await(func() (err error) {
			r.Distance, err = r.Board.DistanceOf(a.Ctx, f.leftOut(), f.seed)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := a.setAbout(r, f); err != nil {
		return err
	}
	if r.Board.Large() && r.About == nil {
		return nil
	}
	if err := a.freeBoard(r); err != nil {
		return err
	}
	return a.testFeatures(r)
}

// testFeatures tests whether features explain the scores, where they can be tested.
func (a *app) testFeatures(r *report.Rated) error {
	test, err := cli.AwaitFor(a.Ctx, func() (*comparison.FeatureTest, error) {
		return comparison.TestFeatures(a.Ctx, r.Problem, r.Options)
	})
	if err != nil || test == nil {
		return a.Ctx.Err()
	}
	const level = 0.05
	if r.Features = test; test.P <= level && r.Problem.Residual == 0 {
		a.tell(r, true, comparison.NoteFeaturesLack, "the features do not explain the scores (p = %.2g): intervals and sets "+
			"of ranks take for granted that they do, and are too narrow", test.P)
	}
	return nil
}

// leftOut is the unit in the lines of the problem.
func (f *boardFlags) leftOut() comparison.Unit {
	if f.unit.Kind == "line" && f.single {
		return comparison.Unit{Kind: "comparison"} // lines that are alike have been added up
	}
	return f.unit
}

// chooseBoard learns the scores, and leaves out what is asked.
func (a *app) chooseBoard(r *report.Rated, f *boardFlags, meter *cli.Meter) error {
	if r.Options.Large(r.Problem) && len(f.grid) > 1 {
		a.defaultUnit(f)
	}
	unit := f.leftOut()
	r.Options.Lambda, r.Problem.Residual = f.grid[0], f.priors[0]
	if tried := len(f.grid) * len(f.priors); tried == 1 {
		err := a.Await(func() (err error) {
			r.Board, err = comparison.Fit(a.Ctx, r.Problem, r.Options)
			if err == nil && f.holdOut != nil {
				r.HeldOut, err = r.Board.Predict(a.Ctx, unit, f.seed)
			}
			return heldError(err, unit)
		})
		if r.HeldOut != nil {
			r.HeldOut.Unit = f.unit
		}
		return err
	}
	chosen, err := cli.AwaitFor(a.Ctx, func() (*comparison.Chosen, error) {
		return comparison.Choose(a.Ctx, r.Problem, r.Options, comparison.Grid{Lambdas: f.grid, Residuals: f.priors,
			Unit: unit, Seed: f.seed, Progress: func(done, total int) {
				meter.SetTotal(int64(total))
				meter.Set(int64(done))
			}})
	})
	if err != nil {
		return heldError(err, unit)
	}
	for _, note := range chosen.Notes {
		a.Note("%s", note)
	}
	r.Board, r.HeldOut, r.Options, r.Problem = chosen.Board, chosen.HeldOut, chosen.Options, chosen.Problem
	r.HeldOut.Unit = f.unit
	for k, c := range chosen.Tried {
		r.Path = append(r.Path, report.NewBoardPoint(c, k == chosen.Best))
	}
	return nil
}

// heldError gives an error of leaving out its exit code and its way out.
func heldError(err error, unit comparison.Unit) error {
	var lacks *comparison.UnitError
	if !errors.As(err, &lacks) {
		return boardError(err)
	}
	err = cli.AsUsage(err)
	if kind := unit.Kind; kind == "annotator" || kind == "stratum" || kind == "cluster" {
		err = cli.WithHint(err, "--%s COLUMN names them", kind)
	}
	return err
}

// freeBoard learns scores without a penalty, because only these have intervals. Where the scores at λ = 0 are not
// finite, it learns bias-reduced ones.
func (a *app) freeBoard(r *report.Rated) error {
	if r.Options.Lambda == 0 {
		r.Free = r.Board
		return nil
	}
	p, o := r.Problem, r.Options
	o.Lambda = 0
	if p.Residual > 0 { // without a penalty, parts of items' own leave nothing to features
		p = p.WithoutFeatures()
	}
	fit := func() (err error) {
		r.Free, err = cli.AwaitFor(a.Ctx, func() (*comparison.Board, error) { return comparison.Fit(a.Ctx, p, o) })
		return err
	}
	r.FreeBy = report.FreeZero
	err := fit()
	if separated := new(comparison.SeparatedError); errors.As(err, &separated) && o.Ties != comparison.Davidson {
		r.FreeBy, o.BiasReduced = report.FreeReduced, true
		err = fit()
	}
	switch {
	case a.Ctx.Err() != nil:
		return err
	case err != nil:
		a.Note("--lambda shrinks the scores, so they have no intervals, and scores without a penalty have none: %v", err)
	default:
		a.Note("--lambda shrinks the scores, so intervals and sets of ranks are of scores %s",
			map[string]string{report.FreeZero: "at λ = 0", report.FreeReduced: "with reduced bias"}[r.FreeBy])
	}
	return nil
}

// boardError gives an error of a fit its exit code and its way out.
func boardError(err error) error {
	var separated *comparison.SeparatedError
	var large *comparison.LargeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return cli.AsUsage(largeError(err))
	case !errors.As(err, &separated):
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
