package main

import (
	"io"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/event"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/codes"
	"pairrank/internal/pick"
	"pairrank/internal/ratio"
	"pairrank/internal/report"
)

// judgeComparisons measures how named scores order the wins of comparisons.
func (a *app) judgeComparisons(args []string, f *evaluateFlags) error {
	if len(args) == 0 {
		return cli.WithHint(cli.Usagef("SCORES is missing"), "the form is pairrank evaluate --comparisons FILE SCORES")
	}
	if err := cli.OnceStdin(f.comparisons, args[0]); err != nil {
		return err
	}
	if err := a.CheckOutputs(f.pages.files(), f.comparisons, args[0]); err != nil {
		return err
	}
	f.compared.Weight = f.rows.columns.Weight
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
	of := pick.Rows(scores, rows)
	p := board.Problem(read)
	if err := p.Check(); err != nil {
		return cli.AsData(err)
	}
	advice.Tell(a.App, board.Notes(a.Ctx, read, nil)...)
	judged := p.Judge(of)
	if doubt := ratio.Doubt(judged.Units()); judged.StdErr.Defined && doubt != "" {
		advice.Tell(a.App, event.Note{Warning: true, Code: codes.NoteFewUnits, Text: "the error is over " + doubt})
	}
	return a.present(&f.pages, args[0], report.NewJudgement(p, judged))
}
