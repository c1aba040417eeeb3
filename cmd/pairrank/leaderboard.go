package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/internal/report"
)

// boardFlags are the flags of leaderboard.
type boardFlags struct {
	scores scoreFlags // of tables of scores
	comparison.RankOptions
	pages              pageFlags
	rows               setFlags // of the items
	columns            table.ComparisonsOptions
	side               bool
	items, pairWeights string
	reference, versus  string
	about, heldOut     string
	annotators         string // FILE
	output, save       string
}

func newLeaderboard(a *app) *cobra.Command {
	var f boardFlags
	return a.Bind(&cobra.Command{
		Use:   "leaderboard (COMPARISONS | RESULTS…) [--loss logistic] [--hold-out pair]",
		Short: "rank items by comparisons, systems by scores",
		Long: `leaderboard reads comparisons of named items, one a line (winner and loser; or
left, right and winner; or counts of wins and ties), and prints the score of each
item, its 95 % interval, and the set of ranks in which it lies.

RESULTS are a table of scores: a line for each system, item and score, such as model,
task and accuracy; with --wide systems a column for each system; with
--system-from-file a file for each. Then it ranks the systems by their scores on the
same items, says which are not told apart, and compares them with --against. With
--fail-worse and --fail-unless it is a gate (docs/evaluations.md).

The squared loss fits differences of scores to outcomes; the logistic loss is the
model of Bradley and Terry, in which a tie is half a win of either side, or as
--ties says. With --outcome COLUMN each comparison has a margin, or for the
logistic loss the probability that the left item is better. Intervals are for scores at --lambda 0, the default, or for
--bias-reduced scores, which are finite if an item only wins; a penalty shrinks
scores, which then have no intervals. With five annotators or more, intervals come
from leaving out each annotator; with --cluster COLUMN, such as questions or
matches, from leaving out each cluster; with --intervals line, each line of the
file. --intervals bootstrap weighs outcomes, or these units, at random instead.

--cycles tests whether the items have a ranking at all, and --annotators measures how
each annotator agrees with the others. --annotator-scale gives each annotator a factor
on the differences of scores, for judges of unequal worth.

--trusted COLUMN=VALUE says which votes are of people: they correct the many votes of
a judge, on whose own board no interval can be trusted.

--hold-out measures how well the board predicts unseen comparisons, lines, pairs of
items, annotators, clusters, strata, items with features, or folds.

With more than 4,000 items without features, only the items that --about names have
intervals, and only folds can be held out.`,
		Example: `  pairrank leaderboard votes.csv
  pairrank leaderboard votes.csv --loss logistic --hold-out annotator
  pairrank leaderboard arena.csv.gz --loss logistic --ties davidson --anchor gpt-4=1200
  pairrank leaderboard games.csv --loss logistic --side --next 5 --json
  pairrank leaderboard battles.csv --cluster question_id --hold-out cluster
  pairrank leaderboard results.csv --score-left home_goals --score-right away_goals
  pairrank leaderboard judged.jsonl --outcome probability --loss logistic
  pairrank leaderboard votes.csv --trusted judge=human --cluster question_id
  pairrank leaderboard votes.csv --loss logistic --annotator-scale
  pairrank leaderboard votes.csv --cycles --versus ada,bob
  pairrank leaderboard contests.csv --items lizards.csv --lambda 1 --hold-out item
  pairrank leaderboard evals.csv --against old-model --fail-worse new-model=0.01
  pairrank leaderboard tasks.tsv --wide systems --standardize item --report report.html`,
		Args: atLeast(1, "COMPARISONS"),
		RunE: func(verb *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			f.scores.given = cli.Given(verb.Flags())
			return a.leaderboard(args, &f)
		},
	}, func() cli.Targets {
		c := &f.columns
		rows := f.rows.targets("leaderboard")
		figures := f.pages.targets()
		return cli.Join(figures, comparisonTargets(c), f.scores.targets(), cli.Targets{
			"id-column": rows["id-column"], "ignore-columns": rows["ignore-columns"], "missing": rows["missing"],
			"missing-in":      rows["missing-in"],
			"feature-columns": rows["feature-columns"], "factor-columns": rows["factor-columns"],
			"covariates": option.Into(&c.Covariates, listOf), "side": &f.side, "items": &f.items,
			"trusted":  option.Into(&c.Trusted, columnIs),
			"residual": option.Into(&f.Residuals, priors), "loss": (*string)(&f.Loss), "ties": (*string)(&f.Ties),
			"lambda": option.Into(&f.Lambdas, penalty), "lambdas": option.Into(&f.Lambdas, numeral.ParseLambdas),
			"bias-reduced": &f.BiasReduced, "scale": &f.Scale, "reference": &f.reference,
			"anchor":   option.Reader(f.readAnchor),
			"hold-out": option.Into(&f.HoldOut, pointer(comparison.ParseUnit)),
			"held-out": &f.heldOut, "next": &f.Next, "about": &f.about, "seed": &f.Seed, "output": &f.output,
			"save": &f.save, "pair-weights": &f.pairWeights, "intervals": &f.Variance, "versus": &f.versus,
			"cycles": &f.Cycles, "annotators": &f.annotators, "annotator-scale": &f.AnnotatorScale,
			"rows": &f.columns.Rows,
		})
	})
}

// columnIs reads COLUMN=VALUE.
func columnIs(text string) (of [2]string, err error) {
	column, value, is := strings.Cut(text, "=")
	if !is || column == "" || value == "" {
		return of, fmt.Errorf("%q is not COLUMN=VALUE", text)
	}
	return [2]string{column, value}, nil
}

// penalty reads --lambda.
func penalty(text string) ([]float64, error) {
	v, err := numeral.Parse(text)
	if err != nil || !(v >= 0) {
		return nil, fmt.Errorf("%q is no number of at least 0", text)
	}
	return []float64{v}, nil
}

// priors reads --residual.
func priors(text string) ([]float64, error) {
	values, err := numeral.ParseLambdas(text)
	if err != nil || slices.Min(values) <= 0 {
		return nil, fmt.Errorf("%q is no list of numbers above 0", text)
	}
	return values, nil
}

// readAnchor reads --anchor, NAME=SCORE.
func (f *boardFlags) readAnchor(text string) (err error) {
	if is := strings.LastIndex(text, "="); is > 0 {
		if f.At, err = numeral.Parse(text[is+1:]); err == nil {
			f.Anchor = text[:is]
			return nil
		}
	}
	return fmt.Errorf("%q is not NAME=SCORE", text)
}

// readAbout reads --about: names, or the first K by score.
func (f *boardFlags) readAbout() (err error) {
	first, is := strings.CutPrefix(f.about, "first:")
	switch {
	case f.about == "":
	case is:
		if f.First, err = strconv.Atoi(first); err != nil || f.First < 1 {
			return cli.Usagef("--about first:K takes a number of items, not %q", first)
		}
	default:
		if f.About, err = listOf(f.about); err != nil {
			return cli.AsUsage(fmt.Errorf("--about: %w", err))
		}
	}
	return nil
}

// twoItems are the items of --versus, NAME,NAME, or the text alone where it does not name two. A name may have commas
// in it.
func (f *boardFlags) twoItems(items []string) [2]string {
	for k := range f.versus {
		if f.versus[k] != ',' {
			continue
		}
		left, right := strings.TrimSpace(f.versus[:k]), strings.TrimSpace(f.versus[k+1:])
		if left != right && slices.Contains(items, left) && slices.Contains(items, right) {
			return [2]string{left, right}
		}
	}
	return [2]string{f.versus}
}

// check refuses flags that do not go together.
func (f *boardFlags) check() error {
	kind := "pair"
	if f.HoldOut != nil {
		kind = f.HoldOut.Kind
	}
	if f.EqualPairs = f.pairWeights == "equal"; f.EqualPairs && kind != "pair" && kind != "item" && kind != "kfold" {
		return cli.Usagef("--pair-weights equal is for --hold-out pair, item and kfold:K: what leaves out a part of a pair "+
			"would change the weight of the rest, and %s does", kind)
	}
	if o := &f.columns.Outcome; f.Loss == comparison.Logistic {
		if o.Difference || o.Are == "margin" {
			return cli.Usagef("the logistic loss has outcomes from 0 to 1, and margins are for --loss squared")
		}
		o.Are = "probability"
	}
	f.ByComparisons = f.reference == "comparisons"
	f.columns.CountsApart, f.columns.Apart = true, f.Variance == comparison.ByLine
	if kind == "item" && f.items == "" {
		return cli.Usagef("--hold-out item needs --items FILE: an item that is left out has a score by its features")
	}
	return cmp.Or(checkOutputFormat(f.heldOut, "held-out margins", "csv"),
		checkOutputFormat(f.output, "leaderboards", "csv"), checkOutputFormat(f.annotators, "annotators", "csv"))
}

func (a *app) leaderboard(paths []string, f *boardFlags) error {
	outputs := append(f.pages.files(), f.heldOut, f.output, f.annotators, f.save)
	if err := a.CheckOutputs(outputs, append(paths[:len(paths):len(paths)], f.items)...); err != nil {
		return err
	}
	either, err := a.readEither(paths, f)
	switch {
	case err != nil:
		return err
	case either.scores != nil:
		return a.rankScores(paths, either.scores, f)
	}
	return a.rankCompared(paths[0], either.comparisons, f)
}

// rankCompared ranks items by comparisons that were read.
func (a *app) rankCompared(path string, read *table.Comparisons, f *boardFlags) error {
	p, err := a.boardOf(read, f)
	if err != nil {
		return err
	}
	if f.annotators != "" && len(p.Annotators) < 2 {
		return cli.WithHint(cli.Usagef("--annotators needs two annotators or more"), "--annotator COLUMN names them")
	}
	if f.AnnotatorScale && len(p.Annotators) < 2 {
		return cli.WithHint(cli.Usagef("--annotator-scale needs two annotators or more"), "--annotator COLUMN names them")
	}
	if err := f.readAbout(); err != nil {
		return err
	}
	f.Versus = f.twoItems(p.Items)
	var run advice.Run
	m := run.Monitor(a.App, true)
	f.Monitor = m
	r, err := cli.AwaitFor(a.Ctx, func() (*comparison.Ranking, error) { return comparison.Rank(a.Ctx, *p, f.RankOptions) })
	if err != nil {
		return run.Error(err)
	}
	d := report.NewLeaderboard(cli.Shown(path), r)
	a.tellFormulas(cmp.Or(f.output, f.heldOut), p.Items...)
	for _, file := range []struct {
		path  string
		write func(w io.Writer) error
	}{
		{f.heldOut, func(w io.Writer) error { return writeMargins(numbersIn(w, f.heldOut), read, r.HeldOut) }},
		{f.output, func(w io.Writer) error { return d.WriteTable(w, separatorOf(f.output)) }},
		{f.annotators, func(w io.Writer) error { return d.WriteAnnotators(w, separatorOf(f.annotators)) }},
	} {
		if file.path != "" {
			if err := a.Write(file.path, file.write); err != nil {
				return err
			}
		}
	}
	if f.save != "" {
		m, err := r.Board.Model()
		if err == nil {
			err = a.Write(f.save, m.Write)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(a.present(&f.pages, path, d), run.Error(r.Unsolved()))
}
