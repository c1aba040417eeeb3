package main

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/report"
	"pairrank/report/page"
)

// boardFlags are the flags of leaderboard.
type boardFlags struct {
	pages                       pageFlags
	rows                        setFlags // of the items
	covariates                  string
	side                        bool
	items, residual             string
	loss, ties, lambda, lambdas string
	biasReduced                 bool
	scale, anchor, pairWeights  string
	intervals, versus           string
	cycles                      bool
	annotators                  string
	holdOut, heldOut            string
	next                        int
	seed                        uint64
	output                      string

	unit    comparison.Unit // that is left out
	grid    []float64       // of λ
	prior   float64         // of --residual
	single  bool            // a line of the file is one comparison
	columns table.ComparisonsOptions
}

func newLeaderboard(a *app) *cobra.Command {
	var f boardFlags
	cmd := &cobra.Command{
		Use:   "leaderboard COMPARISONS [--loss logistic] [--hold-out pair]",
		Short: "rank named items by comparisons between them",
		Long: `leaderboard reads comparisons of named items, one a line (winner and loser; or
left, right and winner; or counts of wins and ties), and prints the score of each
item, its 95 % interval, and the set of ranks in which it lies.

The squared loss fits differences of scores to outcomes; the logistic loss is the
model of Bradley and Terry, in which a tie is half a win of either side, or as
--ties says. Intervals are of --lambda 0, the default, or of --bias-reduced scores,
which are finite where an item only wins; penalised scores have none that hold.
With annotators, intervals are by leaving out each of them. --intervals bootstrap
weighs outcomes, or annotators, at random instead.

--cycles tests whether the items have a ranking at all, and --annotators says who
judges as the others do.

--hold-out says how well the board predicts what it has not seen: a comparison, a
line, a pair of items, an annotator, a stratum, an item with features, or folds.`,
		Example: `  pairrank leaderboard votes.csv
  pairrank leaderboard votes.csv --loss logistic --hold-out annotator
  pairrank leaderboard arena.csv.gz --loss logistic --ties davidson --anchor gpt-4=1200
  pairrank leaderboard games.csv --loss logistic --side --next 5 --json
  pairrank leaderboard votes.csv --cycles --versus ada,bob
  pairrank leaderboard contests.csv --items lizards.csv --lambda 1 --hold-out item`,
		Args: exactly("COMPARISONS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return a.leaderboard(args[0], &f)
		},
	}
	a.Bind(cmd, func() cli.Targets {
		c := &f.columns
		rows := f.rows.targets("leaderboard")
		return cli.Join(f.pages.targets(page.ScoresFigure), cli.Targets{
			"id-column": rows["id-column"], "ignore-columns": rows["ignore-columns"], "missing": rows["missing"],
			"missing-in":      rows["missing-in"],
			"feature-columns": rows["feature-columns"], "factor-columns": rows["factor-columns"],
			"left": &c.Left, "right": &c.Right, "winner": &c.Winner, "loser": &c.Loser, "wins-left": &c.WinsLeft,
			"wins-right": &c.WinsRight, "ties-column": &c.Ties, "weight-column": &c.Weight, "annotator": &c.Annotator,
			"stratum": &c.Stratum, "covariates": &f.covariates, "side": &f.side, "items": &f.items,
			"residual": &f.residual, "loss": &f.loss, "ties": &f.ties, "lambda": &f.lambda, "lambdas": &f.lambdas,
			"bias-reduced": &f.biasReduced, "scale": &f.scale, "anchor": &f.anchor, "hold-out": &f.holdOut,
			"held-out": &f.heldOut, "next": &f.next, "seed": &f.seed, "output": &f.output,
			"pair-weights": &f.pairWeights, "intervals": &f.intervals, "versus": &f.versus, "cycles": &f.cycles,
			"annotators": &f.annotators,
		})
	})
	return cmd
}

// check reads the values of the flags, and refuses those that do not go together.
func (f *boardFlags) check(changed func(flag string) bool) (err error) {
	logistic := f.loss == string(comparison.Logistic)
	switch {
	case !logistic && changed("ties"):
		return cli.Usagef("--ties is for --loss logistic: in the squared loss a tie is an outcome of 0")
	case !logistic && f.biasReduced:
		return cli.Usagef("--bias-reduced is for --loss logistic: the squared loss has finite scores")
	case f.biasReduced && f.ties == string(comparison.Davidson):
		return cli.Usagef("--bias-reduced is for --ties half and drop, not davidson")
	}
	f.unit = comparison.Unit{Kind: "pair"}
	if f.holdOut != "" {
		if f.unit, err = comparison.ParseUnit(f.holdOut); err != nil {
			return cli.AsUsage(err)
		}
	}
	f.columns.CountsApart = f.unit.Kind == "line"
	if f.unit.Kind == "item" && f.items == "" {
		return cli.Usagef("--hold-out item needs --items FILE: an item that is left out has a score by its features")
	}
	f.grid = []float64{0}
	switch {
	case f.lambda != "":
		if f.grid[0], err = numeral.Parse(f.lambda); err != nil || !(f.grid[0] >= 0) {
			return cli.Usagef("--lambda takes a number of at least 0, not %q", f.lambda)
		}
	case f.lambdas != "":
		if f.grid, err = numeral.ParseLambdas(f.lambdas); err != nil {
			return cli.AsUsage(err)
		}
	}
	if f.residual != "" {
		if f.prior, err = numeral.Parse(f.residual); err != nil || !(f.prior > 0) || math.IsInf(f.prior, 0) {
			return cli.Usagef("--residual takes a number above 0, not %q", f.residual)
		}
	}
	if f.columns.Covariates, err = listOf("covariates", f.covariates); err != nil {
		return err
	}
	if f.heldOut != "" {
		if err := checkOutputFormat(f.heldOut, "held-out margins", "csv"); err != nil {
			return err
		}
	}
	if f.output != "" {
		err = checkOutputFormat(f.output, "leaderboards", "csv")
	}
	if f.annotators != "" {
		err = cmp.Or(err, checkOutputFormat(f.annotators, "annotators", "csv"))
	}
	if f.intervals != "auto" && slices.Max(f.grid) > 0 {
		err = cmp.Or(err, cli.Usagef("--intervals %s needs --lambda 0: penalised scores have no interval that holds",
			f.intervals))
	}
	return cmp.Or(err, f.pages.check())
}

func (a *app) leaderboard(path string, f *boardFlags) error {
	outputs := append(f.pages.files(), f.heldOut, f.output, f.annotators)
	if err := a.CheckOutputs(outputs, path, f.items); err != nil {
		return err
	}
	r, read, err := a.readBoard(path, f)
	if err != nil {
		return err
	}
	if err := a.rate(r, f); err != nil {
		return err
	}
	if f.heldOut != "" {
		err := a.Write(f.heldOut, func(w io.Writer) error {
			return writeMargins(numbersIn(w, f.heldOut), read, r.HeldOut)
		})
		if err != nil {
			return err
		}
	}
	d := report.NewLeaderboard(r)
	if f.output != "" {
		err := a.Write(f.output, func(w io.Writer) error { return d.WriteTable(w, separatorOf(f.output)) })
		if err != nil {
			return err
		}
	}
	if f.annotators != "" {
		err := a.Write(f.annotators, func(w io.Writer) error { return d.WriteAnnotators(w, separatorOf(f.annotators)) })
		if err != nil {
			return err
		}
	}
	pages := a.writePages(a.Ctx, &f.pages, told{path, d})
	return errors.Join(pages, a.Print(a.Ctx, d)) // a page that fails does not take the document along
}

// writeMargins writes a line for each line of the file: the margin of left over right without what was left out
// with it; of counts with comparison three, without one win of the left, of the right, and a tie.
func writeMargins(w io.Writer, read *table.Comparisons, h *comparison.HeldOut) error {
	text := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for k, at := range read.Of {
		m := h.Margins[at]
		line := text(m[max(read.Outcome[k], 0)])
		if h.Unit.Kind == "comparison" && read.Counts {
			line = text(m[0]) + "\t" + text(m[1]) + "\t" + text(m[2])
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
