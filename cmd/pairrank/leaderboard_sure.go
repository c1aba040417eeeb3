package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/report"
)

// samples is the number of samples of a bootstrap.
const samples = 1000

// checkAnnotators returns an error where options need annotators, and none or one is named.
func (a *app) checkAnnotators(p *comparison.Problem, f *boardFlags) error {
	if len(p.Annotators) >= 2 {
		return nil
	}
	for _, o := range []struct {
		given bool
		flag  string
	}{{f.intervals == "jackknife", "--intervals jackknife"}, {f.annotators != "", "--annotators"}} {
		if o.given {
			return cli.WithHint(cli.Usagef("%s needs two annotators or more", o.flag), "--annotator COLUMN names them")
		}
	}
	return nil
}

// measureBoard computes the intervals and the sets of ranks.
func (a *app) measureBoard(r *report.Rated, f *boardFlags) error {
	b := r.Free
	if b.Large() && (f.intervals == "jackknife" || f.intervals == "bootstrap") {
		return cli.WithHint(cli.Usagef("--intervals %s fits the board of %d items too often", f.intervals,
			len(r.Problem.Items)), "--about LIST has sandwich intervals of some items")
	}
	if f.intervals == "bootstrap" {
		if err := a.bootstrap(r, f.seed); err != nil {
			return err
		}
	}
	meter := a.Begin("computing intervals", 0)
	defer meter.End()
	if b.Large() {
		return a.Await(func() error { return measureAbout(a.Ctx, r, f.seed) })
	}
	jackknife := f.intervals == "jackknife" || f.intervals == "auto" && len(r.Problem.Annotators) > 0
	err := a.Await(func() error {
		if jackknife {
			r.Variance = b.Jackknife()
		}
		if r.Variance == nil {
			r.Variance = b.Sandwich()
		}
		of := r.Variance
		if r.About != nil {
			of = of.For(r.About)
		}
		r.Ranks = b.RanksOf(of, f.seed)
		return nil
	})
	if err != nil {
		return err
	}
	var without []string
	for i, item := range r.Problem.Items {
		if math.IsNaN(r.Variance.Of(i, -1)) {
			without = append(without, item)
		}
	}
	switch n := len(without); {
	case jackknife && r.Variance.Annotators == 0:
		a.Warn("one annotator alone connects some items, so intervals take outcomes as independent")
	case n == 1:
		a.Warn("%s has no interval: only one annotator connects it with the others", firstNames(without))
	case n > 1:
		a.Warn("%d items have no interval, since only one annotator connects each with the others: %s", n,
			firstNames(without))
	}
	if n := samples - r.Variance.Replicates; f.intervals == "bootstrap" && n > 0 {
		a.Warn("%d of %d samples of the bootstrap have no fit, and are left out", n, samples)
	}
	return nil
}

// bootstrap computes the variances of --intervals bootstrap.
func (a *app) bootstrap(r *report.Rated, seed uint64) error {
	tell, end := advice.Task(a.App, "fitting samples of the bootstrap")
	defer end()
	err := a.Await(func() (err error) {
		r.Variance, err = r.Free.Bootstrap(a.Ctx, samples, seed, tell)
		return err
	})
	if errors.Is(err, comparison.ErrFewSamples) {
		err = cli.AsNumerical(fmt.Errorf("--intervals bootstrap: %w", err))
	}
	return err
}

// judgeBoard compares annotators with the others, two items with one another, and tests what no ranking explains.
func (a *app) judgeBoard(r *report.Rated, f *boardFlags) error {
	if f.versus != "" {
		pair, err := twoItems(r.Problem.Items, f.versus)
		if err != nil {
			return cli.AsUsage(err)
		}
		if r.Variance == nil {
			return cli.Usagef("--versus needs intervals, and this board has none")
		}
		r.Versus = &pair
	}
	if len(r.Problem.Annotators) >= 2 && !r.Board.Large() {
		err := a.Await(func() error {
			r.Raters = r.Board.Raters()
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !f.cycles {
		return nil
	}
	if r.Board.Large() {
		return cli.Usagef("--cycles fits the board of %d items too often", len(r.Problem.Items))
	}
	tell, end := advice.Task(a.App, "testing cycles")
	defer end()
	cycles, err := cli.AwaitFor(a.Ctx, func() (*comparison.Cycles, error) {
		return comparison.FindCycles(a.Ctx, r.Problem, f.seed, tell)
	})
	if err != nil {
		return cli.AsData(fmt.Errorf("--cycles: %w", err))
	}
	r.Cycles = cycles
	return nil
}

// twoItems finds two items in NAME,NAME. A name may have commas in it.
func twoItems(items []string, text string) (pair [2]int, err error) {
	at := map[string]int{}
	for i, item := range items {
		at[item] = i
	}
	for k := range text {
		if text[k] != ',' {
			continue
		}
		i, left := at[strings.TrimSpace(text[:k])]
		j, right := at[strings.TrimSpace(text[k+1:])]
		if left && right && i != j {
			return [2]int{i, j}, nil
		}
	}
	return pair, fmt.Errorf("--versus takes two items of the board, NAME,NAME, not %q", text)
}
