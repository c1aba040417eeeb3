package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/numeral"
	"pairrank/internal/spell"
	"pairrank/report"
)

// boardFlags are the flags of leaderboard.
type boardFlags struct {
	columns                     table.ComparisonsOptions
	rows                        setFlags // of the items
	covariates                  string
	side                        bool
	items, residual             string
	loss, ties, lambda, lambdas string
	biasReduced                 bool
	scale, anchor               string
	holdOut, heldOut            string
	next                        int
	seed                        uint64
	output                      string
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
With annotators, intervals are by leaving out each of them.

--hold-out says how well the board predicts what it has not seen: a comparison, a
line, a pair of items, an annotator, a stratum, an item with features, or folds.`,
		Example: `  pairrank leaderboard votes.csv
  pairrank leaderboard votes.csv --loss logistic --hold-out annotator
  pairrank leaderboard arena.csv.gz --loss logistic --ties davidson --anchor gpt-4=1200
  pairrank leaderboard games.csv --loss logistic --side --next 5 --json
  pairrank leaderboard contests.csv --items lizards.csv --lambda 1 --hold-out item`,
		Args: exactly("COMPARISONS"),
		RunE: func(_ *cobra.Command, args []string) error { return a.leaderboard(args[0], &f) },
	}
	a.Bind(cmd, func() cli.Targets {
		c := &f.columns
		rows := f.rows.targets("leaderboard")
		return cli.Targets{
			"id-column": rows["id-column"], "ignore-columns": rows["ignore-columns"], "missing": rows["missing"],
			"feature-columns": rows["feature-columns"], "factor-columns": rows["factor-columns"],
			"left": &c.Left, "right": &c.Right, "winner": &c.Winner, "loser": &c.Loser, "wins-left": &c.WinsLeft,
			"wins-right": &c.WinsRight, "ties-column": &c.Ties, "weight-column": &c.Weight, "annotator": &c.Annotator,
			"stratum": &c.Stratum, "covariates": &f.covariates, "side": &f.side, "items": &f.items,
			"residual": &f.residual, "loss": &f.loss, "ties": &f.ties, "lambda": &f.lambda, "lambdas": &f.lambdas,
			"bias-reduced": &f.biasReduced, "scale": &f.scale, "anchor": &f.anchor, "hold-out": &f.holdOut,
			"held-out": &f.heldOut, "next": &f.next, "seed": &f.seed, "output": &f.output,
		}
	})
	return cmd
}

func (a *app) leaderboard(path string, f *boardFlags) error {
	if err := a.CheckOutputs([]string{f.heldOut, f.output}, path, f.items); err != nil {
		return err
	}
	if f.heldOut != "" && f.holdOut == "" {
		return cli.Usagef("--held-out FILE needs --hold-out, which says what is left out")
	}
	r, read, err := a.readBoard(path, f)
	if err != nil {
		return err
	}
	if err := a.rate(r, f); err != nil {
		return err
	}
	if f.heldOut != "" {
		if err := a.Write(f.heldOut, func(w io.Writer) error { return writeMargins(w, read, r.HeldOut) }); err != nil {
			return err
		}
	}
	d := report.NewLeaderboard(r)
	if f.output != "" {
		sep := byte('\t')
		if formatOf(f.output) == "csv" {
			sep = ','
		}
		if err := a.Write(f.output, func(w io.Writer) error { return d.WriteTable(w, sep) }); err != nil {
			return err
		}
	}
	return a.Print(a.Ctx, d)
}

// readBoard reads the comparisons and the items, and says what is doubtful.
func (a *app) readBoard(path string, f *boardFlags) (*report.Rated, *table.Comparisons, error) {
	o := f.columns
	o.MaxLine = a.MaxLine
	var err error
	if o.Covariates, err = listOf("covariates", f.covariates); err != nil {
		return nil, nil, err
	}
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	read, err := cli.AwaitFor(a.Ctx, func() (c *table.Comparisons, err error) {
		if path != "-" {
			return table.ReadComparisons(path, o)
		}
		err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			c, err = table.ReadComparisonsFrom(r, name, o)
			return err
		})
		return c, err
	})
	if err != nil {
		return nil, nil, cli.WithHint(cli.ReadError(err), "--left, --right, --winner and the like name the columns")
	}
	a.Note("%s: columns: %s", cli.Shown(path), strings.Join(read.Columns, ", "))
	for _, doubt := range read.Doubts {
		a.Warn("%s", doubt)
	}
	p := &comparison.Problem{Items: read.Items, Annotators: read.Annotators, Strata: read.Strata,
		Covariates: read.Covariates, X: read.X}
	for _, l := range read.Lines {
		p.Lines = append(p.Lines, comparison.Line(l))
	}
	if f.side {
		p.AddSide()
	}
	if err := a.readItems(p, f); err != nil {
		return nil, nil, err
	}
	for _, doubt := range p.Doubts() {
		a.Warn("%s", doubt)
	}
	return &report.Rated{File: cli.Shown(path), Problem: p, Anchor: -1}, read, nil
}

// readItems reads the features of the items, of which some may not have been compared.
func (a *app) readItems(p *comparison.Problem, f *boardFlags) error {
	if f.items == "" {
		if f.residual != "" {
			return cli.Usagef("--residual needs --items FILE, the features that leave it")
		}
		return nil
	}
	f.rows.noLabel = true
	set, err := a.readSet(f.items, &f.rows, readOptions{Storage: svmlight.StoreDense})
	if err != nil {
		return err
	}
	if set.IDs == nil {
		return cli.WithHint(cli.AsData(fmt.Errorf("%s does not name the items", f.items)),
			"--id-column COLUMN says which column has their names")
	}
	at := map[string]int{}
	for i, id := range set.IDs {
		if _, twice := at[id]; twice {
			return cli.AsData(fmt.Errorf("%s has item %q twice", f.items, id))
		}
		at[id] = i
	}
	var rows []int
	for _, item := range p.Items {
		i, is := at[item]
		if !is {
			return cli.AsData(fmt.Errorf("%s has no item %q, which is compared", f.items, item))
		}
		rows = append(rows, i)
		delete(at, item)
	}
	for i, id := range set.IDs {
		if _, is := at[id]; is {
			p.Items, rows = append(p.Items, id), append(rows, i)
		}
	}
	p.Features = data.Select(set.X, rows).(*data.Dense)
	if f.residual != "" {
		if p.Residual, err = strconv.ParseFloat(f.residual, 64); err != nil || !(p.Residual > 0) {
			return cli.Usagef("--residual takes a number above 0, not %q", f.residual)
		}
	}
	return nil
}

// rate learns the scores, and what is asked of them.
func (a *app) rate(r *report.Rated, f *boardFlags) (err error) {
	r.Options = comparison.Options{Loss: comparison.Loss(f.loss), Ties: comparison.Ties(f.ties),
		BiasReduced: f.biasReduced}
	unit := comparison.Unit{Kind: "pair"}
	if f.holdOut != "" {
		if unit, err = comparison.ParseUnit(f.holdOut); err != nil {
			return cli.AsUsage(err)
		}
	}
	lambdas := []float64{0}
	switch {
	case f.lambda != "" && f.lambdas != "":
		return cli.Usagef("--lambda and --lambdas cannot be given together")
	case f.lambda != "":
		if lambdas[0], err = numeral.Parse(f.lambda); err != nil || lambdas[0] < 0 {
			return cli.Usagef("--lambda takes a number of at least 0, not %q", f.lambda)
		}
	case f.lambdas != "":
		if lambdas, err = numeral.ParseLambdas(f.lambdas); err != nil {
			return cli.AsUsage(err)
		}
	}
	if err := a.fitBoard(r, lambdas, unit, f); err != nil {
		return err
	}
	if err := r.SetScale(f.scale, f.anchor); err != nil {
		return cli.AsUsage(err)
	}
	if f.next > 0 {
		r.Next = r.Board.NextOf(f.next, nil)
	}
	return nil
}

// fitBoard fits for every λ, and chooses by the held-out loss where there are several.
func (a *app) fitBoard(r *report.Rated, lambdas []float64, unit comparison.Unit, f *boardFlags) error {
	meter := a.Begin("learning scores", int64(len(lambdas)))
	defer meter.End()
	best := math.Inf(1)
	for k, lambda := range lambdas {
		o := r.Options
		o.Lambda = lambda
		b, err := cli.AwaitFor(a.Ctx, func() (*comparison.Board, error) { return comparison.Fit(a.Ctx, r.Problem, o) })
		if err != nil {
			return boardError(err)
		}
		var held *comparison.HeldOut
		if f.holdOut != "" || len(lambdas) > 1 {
			if held, err = b.Predict(unit, f.seed); err != nil {
				return cli.AsUsage(err)
			}
		}
		loss := 0.0
		if held != nil {
			loss = held.Loss.Value
			r.Path = append(r.Path, report.BoardPoint{Lambda: report.Number(lambda), Error: report.Number(held.Error.Value),
				Loss: report.Number(loss)})
		}
		if loss < best || loss == best && lambda > r.Options.Lambda {
			best, r.Board, r.HeldOut, r.Options = loss, b, held, o
			for j := range r.Path {
				r.Path[j].Chosen = j == k
			}
		}
		meter.Set(int64(k + 1))
	}
	if len(lambdas) == 1 {
		r.Path = nil
	}
	if r.Options.Lambda > 0 {
		a.Note("penalised scores have no interval that holds: --lambda 0, or --bias-reduced, has intervals")
		return nil
	}
	if len(r.Problem.Annotators) > 0 {
		r.Variance = r.Board.Jackknife()
		if r.Variance == nil {
			a.Warn("an annotator alone connects items, so that intervals take outcomes as independent")
		}
	}
	if r.Variance == nil {
		r.Variance = r.Board.Sandwich()
	}
	r.Ranks = r.Board.RanksOf(r.Variance, f.seed)
	return nil
}

// boardError gives an error of a fit its exit code and its way out.
func boardError(err error) error {
	var separated *comparison.SeparatedError
	if errors.As(err, &separated) {
		text := ""
		if len(separated.Sets) > 0 {
			first := separated.Sets[0]
			text = fmt.Sprintf(": %s only wins", spell.List(quotedNames(first[:min(len(first), 3)])))
			if len(first) > 3 {
				text = fmt.Sprintf(": %d items only win against others", len(first))
			}
		}
		return cli.WithHint(cli.AsData(fmt.Errorf("%w%s", err, text)),
			"--bias-reduced has finite scores with intervals, and --lambda F penalised ones")
	}
	return cli.AsData(err)
}

func quotedNames(names []string) []string {
	out := slices.Clone(names)
	for k := range out {
		out[k] = strconv.Quote(out[k])
	}
	return out
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
