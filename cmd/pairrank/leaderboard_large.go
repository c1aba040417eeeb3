package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/internal/spell"
	"pairrank/report"
)

// tellResidual shows how near the scores of a large board are to the optimum.
func tellResidual(meter *cli.Meter) func(float64) {
	return func(residual float64) {
		meter.Describe(map[string]any{"residual": residual}, fmt.Sprintf("residual %.1e", residual))
	}
}

// largeFolds is what is left out of a large board if nothing is asked for.
var largeFolds = comparison.Unit{Kind: "kfold", Folds: 10}

// defaultUnit takes folds for a large board where --hold-out says nothing, and says so.
func (a *app) defaultUnit(f *boardFlags) {
	if f.holdOut == nil && f.unit != largeFolds {
		f.unit = largeFolds
		a.Note("lambda is chosen by --hold-out %s: a pair cannot be left out of so many items", largeFolds)
	}
}

// setAbout finds the items of --about: names, or the first K by score.
func (a *app) setAbout(r *report.Rated, f *boardFlags) error {
	if r.Board.Large() && f.about == "" && r.Options.Lambda == 0 {
		a.Note("%s are too many for intervals of all: --about LIST, or first:10, has those of some",
			spell.Plural(len(r.Problem.Items), "item"))
	}
	if f.about == "" {
		return nil
	}
	if kind, _ := r.Problem.Independent(1); r.Board.Large() && kind != "" && r.Options.Lambda == 0 {
		a.Warn("intervals take outcomes as independent: no %s can be left out of so many items", kind)
	}
	if first, is := strings.CutPrefix(f.about, "first:"); is {
		k, err := strconv.Atoi(first)
		if err != nil || k < 1 {
			return cli.Usagef("--about first:K takes a number of items, not %q", first)
		}
		r.About = firstOf(r.Board.Scores, k)
		return nil
	}
	names, err := listOf(f.about)
	if err != nil {
		return cli.AsUsage(fmt.Errorf("--about: %w", err))
	}
	at := map[string]int{}
	for i, name := range r.Problem.Items {
		at[name] = i
	}
	for _, name := range names {
		i, is := at[name]
		if !is {
			return cli.Usagef("--about: no item is called %q", name)
		}
		if !slices.Contains(r.About, i) {
			r.About = append(r.About, i)
		}
	}
	if len(r.About) == 1 && f.next > 0 {
		return cli.Usagef("--next compares items, and --about names only one")
	}
	return nil
}

// firstOf are the k items of the highest scores, or all.
func firstOf(scores []float64, k int) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	return order[:min(k, len(order))]
}

// measureAbout computes the intervals of the items asked about, and of the anchor, and the sets of their ranks.
func measureAbout(ctx context.Context, r *report.Rated, seed uint64) error {
	if r.About == nil {
		return nil
	}
	of := slices.Clone(r.About)
	if r.Anchor >= 0 && !slices.Contains(of, r.Anchor) {
		of = append(of, r.Anchor)
	}
	v, err := r.Free.SandwichOf(ctx, of)
	if err != nil && ctx.Err() == nil {
		err = cli.AsUsage(err)
	}
	if err != nil {
		return err
	}
	r.Variance = v
	r.Ranks = r.Free.RanksOf(v.For(r.About), seed)
	return nil
}

// unsolved is the error of a large board that was not solved to its tolerance, which is written all the same.
func unsolved(r *report.Rated) error {
	residual, what := r.Board.Residual, "the scores"
	if v := r.Variance; v != nil && v.Residual > residual {
		residual, what = v.Residual, "the standard errors"
	}
	if h := r.HeldOut; h != nil && h.Residual > residual {
		residual, what = h.Residual, "the scores of the folds"
	}
	if !(residual > comparison.Tolerance) {
		return nil
	}
	return cli.WithHint(cli.AsNumerical(fmt.Errorf("%s have a relative residual of %.1e, and were to reach %.0e", what,
		residual, comparison.Tolerance)), "larger values of --lambda are solved further")
}

// largeError gives an error of what a large board cannot do its way out.
func largeError(err error) error {
	var large *comparison.LargeError
	switch {
	case !errors.As(err, &large):
		return err
	case strings.HasPrefix(large.What, "choosing"):
		return cli.WithHint(cli.AsUsage(err), "--about LIST names the items that --next is about")
	}
	return cli.WithHint(err, "--hold-out kfold:10 trains again without each fold")
}
