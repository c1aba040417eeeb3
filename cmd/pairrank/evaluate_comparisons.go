package main

import (
	"io"
	"slices"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/option"
	"pairrank/report"
)

// judgeComparisons measures how named scores order the wins of comparisons.
func (a *app) judgeComparisons(flags *pflag.FlagSet, args []string, f *evaluateFlags) error {
	if len(args) == 0 {
		return cli.WithHint(cli.Usagef("SCORES is missing"), "the form is pairrank evaluate --comparisons FILE SCORES")
	}
	if err := f.onlyComparisons(flags); err != nil {
		return err
	}
	if err := cli.OnceStdin(f.comparisons, args[0]); err != nil {
		return err
	}
	read, err := a.readComparisons(f.comparisons, f.compared)
	if err != nil {
		return err
	}
	var names []string
	var scores []float64
	err = a.ReadFrom(args[0], func(r io.Reader, name string) (err error) {
		names, scores, err = table.ReadNamedScores(r, name, a.MaxLine)
		return err
	})
	if err != nil {
		return cli.WithHint(cli.ReadError(err), "predict --with-ids and leaderboard -o write names with scores")
	}
	rows, err := placesOf(cli.Shown(args[0]), "score", names, read.Items)
	if err != nil {
		return err
	}
	of := make([]float64, len(rows))
	for k, i := range rows {
		of[k] = scores[i]
	}
	p := problemOf(read)
	if err := p.Check(); err != nil {
		return cli.AsData(err)
	}
	return a.Print(a.Ctx, report.NewJudgement(p, p.Judge(of)))
}

// onlyComparisons refuses options about labels and metrics.
func (f *evaluateFlags) onlyComparisons(flags *pflag.FlagSet) (err error) {
	others := []string{"comparisons", "max-line", "json", "progress", "threads", "help"}
	flags.Visit(func(flag *pflag.Flag) {
		o := option.Find("evaluate", flag.Name)
		if err == nil && o != nil && o.Needs != "comparisons" && !slices.Contains(others, flag.Name) {
			err = cli.Usagef("--%s is for labels, which --comparisons replaces", flag.Name)
		}
	})
	return err
}
