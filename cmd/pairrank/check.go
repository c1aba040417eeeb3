package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/doubt"
	"pairrank/internal/report"
	"pairrank/internal/spell"
	"pairrank/relation"
)

func newCheck(a *app) *cobra.Command {
	var rows setFlags
	var columns table.ComparisonsOptions
	compared, limit := comparisonTargets(&columns), 0
	return a.Bind(&cobra.Command{
		Use:   "check DATA [--json]",
		Short: "list every fault of a file of rows",
		Long: `check reads DATA and lists every error with its line, column and text. Then come
warnings of what is probably not meant (queries with one label, constant features,
equal rows, features that look like ids or give the label away), the same in
every format, and the counts of the file. The exit code is 3 if there are errors.

For a table (CSV, TSV, npz, Parquet, JSON) it first lists the columns: role,
type, missing and distinct values, and their range or commonest texts. It lists 20
errors of each kind, or --limit N. A table without labels that leaderboard reads is
checked as comparisons, and so is one whose columns --outcome, --score-left and the
like name. relation check checks edges between nodes.

Where something is wrong it says what the table looks like, and suggests one
command. This is a guess: nothing is read by it.`,
		Example: `  pairrank check train.txt
  pairrank check train.txt.gz --limit 20
  pairrank check patients.csv --label-column died
  pairrank check judged.csv --outcome probability
  zcat train.txt.gz | pairrank check - --json`,
		Args: exactly("DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("limit") {
				limit = -1
			}
			columns.Weight = rows.columns.Weight
			for name := range compared {
				if name != "weight-column" && cmd.Flags().Changed(name) {
					return a.checkComparisons(args[0], columns)
				}
			}
			return a.check(cmd, args[0], &rows, limit)
		},
	}, func() cli.Targets {
		return cli.Join(cli.Targets{"limit": &limit}, compared, rows.targets("check"))
	})
}

// check checks rows. It lists all errors for a limit of 0, and as many as is usual for −1.
func (a *app) check(cmd *cobra.Command, path string, rows *setFlags, limit int) error {
	format, missing, err := rows.formatFor(path)
	if err != nil {
		return err
	}
	if format != "svmlight" {
		return a.checkTable(cmd, path, format, rows, missing, limit)
	}
	meter := a.Begin("checking "+cli.Shown(path), 0)
	defer meter.End()
	type outcome struct {
		problems []svmlight.Problem
		sum      svmlight.Summary
	}
	found, err := cli.AwaitFor(a.Ctx, func() (found outcome, err error) {
		err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			opts := svmlight.Options{ZeroBased: rows.zeroBased.is, Missing: missing, MaxLine: a.MaxLine}
			found.problems, found.sum, err = svmlight.Check(r, name, opts, limit)
			return err
		})
		return found, err
	})
	meter.End()
	var empty *data.SyntaxError
	if found.sum.Rows == 0 && found.problems == nil && a.JSON && errors.As(err, &empty) {
		found.problems, found.sum.Errors = []svmlight.Problem{{Severity: svmlight.Error, SyntaxError: *empty}}, 1
	}
	if found.sum.Lines == 0 && found.problems == nil {
		return err
	}
	var doubts []doubt.Doubt
	switch wide := found.sum.Features > doubt.MostDoubted; {
	case err != nil || found.sum.Errors > 0 || path == "-":
	case wide:
		a.Note("what features hold is not looked at: there are more than %d", doubt.MostDoubted)
	default:
		if doubts, err = a.featureDoubts(path, rows, missing); err != nil {
			return err
		}
		found.problems = slices.DeleteFunc(found.problems, func(p svmlight.Problem) bool { return p.Features })
		found.problems = append(found.problems, doubted(path, doubts)...)
		found.sum.Warnings = len(found.problems)
	}
	if sizes := sizesProblem(path, "svmlight", found.sum); sizes != nil {
		found.problems, found.sum.Warnings = append(found.problems, *sizes), found.sum.Warnings+1
	}
	d := checkOf(cli.Shown(path), found.problems, found.sum)
	d.Hints = doubtHints(doubts)
	a.suggest(cmd, d)
	return a.reportCheck(d, err)
}

// sizesProblem is the warning of a file of the sizes of queries that is not read, nil where there is none.
func sizesProblem(path, format string, sum svmlight.Summary) *svmlight.Problem {
	if sum.HasQID || sum.Rows == 0 {
		return nil
	}
	text := unreadSizes(path, format, sum.Rows)
	if text == "" {
		return nil
	}
	return &svmlight.Problem{Severity: svmlight.Warning, Code: unreadSizesCode,
		SyntaxError: data.SyntaxError{File: cli.Shown(path), Msg: text}}
}

// featureDoubts is what is doubtful about the features of SVMlight text, as of any table: it needs the rows in memory.
func (a *app) featureDoubts(path string, rows *setFlags, missing data.Missing) ([]doubt.Doubt, error) {
	set, err := a.readSVMlight(path, rows, readOptions{Comments: true}, missing)
	if err != nil {
		return nil, err
	}
	return doubt.Doubts(set), nil
}

// reportCheck prints what was found. The error of the run is that of reading or, where
// there is none, how many errors the file has.
func (a *app) reportCheck(d *report.Check, readErr error) error {
	printed := a.Print(a.Ctx, d)
	if printed == nil && readErr == nil && d.Errors > 0 {
		return cli.AsData(fmt.Errorf("%s has %s", d.File, spell.Plural(d.Errors, "error")))
	}
	return cmp.Or(printed, readErr)
}

// checkEdges is relation check.
func (a *app) checkEdges(f *edgeFlags) error {
	p, err := a.readProblem(f, f.nodes(), nil)
	if err != nil {
		return err
	}
	sum, err := cli.AwaitFor(a.Ctx, func() (*relation.Summary, error) { return relation.Summarize(&p.Problem), nil })
	if err != nil {
		return err
	}
	problems := edgeFaults(p, sum)
	if err := a.Print(a.Ctx, report.NewEdgeCheck(sum, p.unobserved, problems)); err != nil || len(problems) == 0 {
		return err
	}
	return cli.AsData(fmt.Errorf("%s", spell.Plural(len(problems), "problem")))
}

// edgeFaults lists what would stop a training on the edges and their nodes.
func edgeFaults(p *edgeProblem, sum *relation.Summary) (problems []string) {
	summaries := []*relation.NodeSummary{&sum.Rows, sum.Cols}
	for k, n := range p.sides() {
		for _, text := range append(notUTF8("node", n.ID), notUTF8("feature", n.Names)...) {
			problems = append(problems, n.Source+": "+text)
		}
		for _, s := range summaries[k].Similarities {
			if s.Asymmetric() {
				problems = append(problems, fmt.Sprintf("%s is not symmetric: --symmetrize takes the mean of (i,j) and "+
					"(j,i), which differ by up to %.3g of the largest", s.Source, s.Asymmetry))
			}
			if s.Indefinite() {
				fix := "clip or shift"
				if n.Similarities != nil {
					fix = "shift" // clip is for one matrix
				}
				problems = append(problems, fmt.Sprintf("%s has an eigenvalue of %.3g: --psd-fix %s mends it", s.Source,
					s.Smallest, fix))
			}
		}
	}
	if !sum.Ordered {
		problems = append(problems, "no two edges of a row have different labels, so nothing can be learnt about "+
			"their order")
	}
	return problems
}
