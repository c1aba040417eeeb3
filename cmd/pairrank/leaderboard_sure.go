package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
	"pairrank/report"
)

// samples is the number of samples of a bootstrap.
const samples = 1000

// checkAnnotators returns an error where options need annotators or other units, and too few are named.
func (a *app) checkAnnotators(p *comparison.Problem, f *boardFlags) error {
	if f.annotators != "" && len(p.Annotators) < 2 {
		return cli.WithHint(cli.Usagef("--annotators needs two annotators or more"), "--annotator COLUMN names them")
	}
	if kind, _ := p.Independent(comparison.LeastUnits); f.intervals == "jackknife" && kind == "" {
		return cli.WithHint(cli.Usagef("--intervals jackknife needs three annotators or more, or clusters"),
			"--annotator COLUMN and --cluster COLUMN name them")
	}
	return nil
}

// unitOf is what the intervals take as independent, and the lines of each; "" is outcomes.
func (a *app) unitOf(r *report.Rated, f *boardFlags) (kind string, sets [][]int) {
	p := r.Problem
	switch f.intervals {
	case "sandwich":
		return "", nil
	case "jackknife":
		return p.Independent(comparison.LeastUnits)
	}
	kind, sets = p.Independent(comparison.FewUnits)
	if n := len(p.Annotators); kind == "" && n >= 2 {
		a.tell(r, false, comparison.NotePooledAnnotators, "%d annotators are too few to leave out each, so intervals take "+
			"their outcomes as independent, and are about these annotators alone", n)
	}
	return kind, sets
}

// tell tells a note that the board keeps.
func (a *app) tell(r *report.Rated, warning bool, code pairrank.NoteCode, format string, args ...any) {
	r.Notes = append(r.Notes, advice.Tell(a.App,
		pairrank.Note{Warning: warning, Code: code, Text: fmt.Sprintf(format, args...)})...)
}

// measureBoard computes the intervals and the sets of ranks.
func (a *app) measureBoard(r *report.Rated, f *boardFlags) error {
	b := r.Free
	if b.Large() && f.intervals != "auto" && f.intervals != "sandwich" {
		return cli.WithHint(cli.Usagef("--intervals %s fits the board of %d items too often", f.intervals,
			len(r.Problem.Items)), "--about LIST has sandwich intervals of some items")
	}
	if b.Large() {
		meter := a.Begin("computing intervals", 0)
		defer meter.End()
		return a.Await(func() error { return measureAbout(a.Ctx, r, f.seed) })
	}
	kind, sets := a.unitOf(r, f)
	if n := len(sets); kind != "" && n < comparison.LeastUnits {
		r.NoIntervals = fmt.Sprintf("%s, and %d are needed", spell.Plural(n, kind), comparison.LeastUnits)
		a.tell(r, true, comparison.NoteNoInterval, "no intervals: %s", r.NoIntervals)
		return nil
	}
	if f.intervals == "bootstrap" {
		if err := a.bootstrap(r, f.seed); err != nil {
			return err
		}
	}
	meter := a.Begin("computing intervals", 0)
	defer meter.End()
	err := a.Await(func() error {
		if r.Variance == nil && kind != "" {
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
	a.doubtVariance(r, kind, sets)
	if v := r.Variance; v != nil && v.Units == 0 && !f.single {
		a.doubtOutcomes(r)
	}
	if v := r.Variance; f.intervals == "bootstrap" && v != nil && v.Replicates < samples {
		a.Warn("%d of %d samples of the bootstrap have no fit, and are left out", samples-v.Replicates,
			samples)
	}
	return nil
}

// doubtVariance says which items have no interval, and why, and what is doubtful about the others.
func (a *app) doubtVariance(r *report.Rated, kind string, sets [][]int) {
	v := r.Variance
	var exact, alone, means []string
	for i, item := range r.Problem.Items {
		switch {
		case slices.Contains(v.Exact, i):
			exact = append(exact, item)
		case math.IsNaN(v.V.Row(i)[i]):
			alone = append(alone, item)
		case math.IsNaN(v.Width(i, -1)):
			means = append(means, item)
		}
	}
	warn := func(code pairrank.NoteCode, format string, args ...any) { a.tell(r, true, code, format, args...) }
	if kind != "" && v.Units == 0 {
		warn(comparison.NoteNoInterval, "one %s alone connects some items, so intervals take outcomes as independent", kind)
	} else if len(alone) > 0 {
		warn(comparison.NoteNoInterval, "no interval of %s: only one %s connects %s with the others", firstNames(alone),
			v.Unit, map[bool]string{true: "it", false: "each"}[len(alone) == 1])
	}
	if len(means) > 0 {
		warn(comparison.NoteNoInterval, "no interval of %s: scores are relative to the mean of the features, which is there",
			firstNames(means))
	}
	const why = "every outcome is what the scores predict, so nothing says how far they are from the truth"
	switch {
	case len(exact) == len(r.Problem.Items):
		r.Variance, r.Ranks, r.NoIntervals = nil, nil, why
		warn(comparison.NoteNoInterval, "no intervals: %s", why)
		return
	case len(exact) > 0:
		warn(comparison.NoteNoInterval, "no interval of %s: %s", firstNames(exact), why)
	}
	if v.Units == 0 {
		return
	}
	r.Effective = r.Problem.Effective(sets)
	a.doubtUnits(r, "intervals are", metric.Over{N: v.Units, Of: v.Unit, Effective: r.Effective})
}

// doubtUnits warns of intervals or a standard error over few units.
func (a *app) doubtUnits(r *report.Rated, what string, over metric.Over) {
	if doubt := over.Doubt(); doubt != "" {
		a.tell(r, true, comparison.NoteFewUnits, "%s over %s", what, doubt)
	}
}

// doubtOutcomes says where the outcomes of a line depend on one another.
func (a *app) doubtOutcomes(r *report.Rated) {
	const level = 0.01
	if d := r.Free.Dispersion(); d != nil && d.P <= level && d.Ratio > 1 {
		a.tell(r, true, comparison.NoteOverdispersed, "the counts of lines vary %.1f times as much as those of independent "+
			"outcomes (p = %.2g): intervals that take these as independent are too narrow", d.Ratio, d.P)
	}
}

// refer refers the scores to the mean over comparisons, or says how much wider intervals are without that.
func (a *app) refer(r *report.Rated, f *boardFlags) error {
	if f.reference == "comparisons" {
		if r.Board.Large() {
			return cli.Usagef("--reference comparisons needs the variances of all items, and %d are too many",
				len(r.Problem.Items))
		}
		if r.Board != r.Free {
			r.Board.Refer(nil)
		}
		if r.Free != nil {
			r.Free.Refer(r.Variance)
		}
		r.ByComparisons = true
		return nil
	}
	if v := r.Variance; v != nil && !r.Board.Large() && r.Problem.Features == nil && r.Anchor < 0 {
		const much = 1.2
		if w := r.Free.Widened(v); w > much {
			a.tell(r, false, comparison.NoteRareItems, "scores refer to the mean of the items, and rarely compared ones make "+
				"the median interval %.1f times as wide as one about the mean over comparisons", w)
		}
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
