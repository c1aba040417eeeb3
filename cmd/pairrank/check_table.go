package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/event"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/doubt"
	"pairrank/internal/report"
	"pairrank/internal/rows"
)

// usualLimit is how many errors of a kind are listed of a table.
const usualLimit = 20

// checkTable checks a table.
func (a *app) checkTable(cmd *cobra.Command, path, format string, rows *setFlags, missing data.Missing,
	limit int) error {
	if limit < 0 {
		limit = usualLimit
	}
	opts := rows.tableOptions(a, format, readOptions{}, missing)
	meter := a.Begin("checking "+cli.Shown(path), 0)
	defer meter.End()
	var doubts []doubt.Doubt
	found, err := cli.AwaitFor(a.Ctx, func() (*table.Checked, error) {
		found, err := withRows(a, path, format, func(read readRows) (*table.Checked, error) {
			return table.Check(opts, limit, read)
		})
		if found != nil && found.Set != nil {
			doubts = doubt.Doubts(found.Set)
		}
		return found, err
	})
	meter.End()
	if err != nil {
		return rows.columnError(err, format)
	}
	if d := a.checkCompared(path, found); d != nil {
		return a.reportCheck(d, nil)
	}
	d := rows.checkDocument(path, format, found, doubts)
	a.suggest(cmd, d)
	return a.reportCheck(d, nil)
}

// checkCompared is the document of comparisons between named items: a table without labels that a leaderboard reads. It
// is nil for other tables.
func (a *app) checkCompared(path string, found *table.Checked) *report.Check {
	labelled := func(c table.Column) bool { return c.Role == "label" }
	if path == "-" || found.Errors() == 0 || slices.ContainsFunc(found.Columns, labelled) {
		return nil
	}
	read, err := table.ReadComparisons(path, table.ComparisonsOptions{MaxLine: a.MaxLine})
	if err != nil {
		return nil
	}
	a.noteColumns(cli.Shown(path), read.Columns)
	d := a.comparedDocument(path, read)
	d.Lines = found.Lines
	return d
}

// checkComparisons checks comparisons whose columns options name.
func (a *app) checkComparisons(path string, columns table.ComparisonsOptions) error {
	read, err := a.readComparisons(path, columns)
	if err != nil {
		return err
	}
	return a.reportCheck(a.comparedDocument(path, read), nil)
}

// comparedDocument is the document of what is doubtful about comparisons.
func (a *app) comparedDocument(path string, read *table.Comparisons) *report.Check {
	var problems []svmlight.Problem
	for _, n := range advice.Remedied(board.Notes(a.Ctx, read, board.Problem(read).Doubts())...) {
		if n.Warning {
			problems = append(problems, svmlight.Problem{Severity: svmlight.Warning,
				SyntaxError: data.SyntaxError{File: cli.Shown(path), Msg: n.String()}})
		} else {
			a.Note("%s", n)
		}
	}
	d := checkOf(cli.Shown(path), problems, svmlight.Summary{Warnings: len(problems)})
	d.Items = len(read.Items)
	outcomes, _ := board.Problem(read).Outcomes()
	d.Comparisons = report.Number(outcomes)
	return d
}

// checkDocument is the document of what was found in a table.
func (f *setFlags) checkDocument(path, format string, found *table.Checked, doubts []doubt.Doubt) *report.Check {
	var problems []svmlight.Problem
	add := func(severity svmlight.Severity, err error) {
		at := data.SyntaxError{File: cli.Shown(path), Msg: err.Error()}
		var syntax *data.SyntaxError
		if errors.As(err, &syntax) {
			at = *syntax
		}
		if n := table.Cells(err); n > 1 {
			at.Msg += moreInColumn(n)
		}
		problems = append(problems, svmlight.Problem{Severity: severity, SyntaxError: at})
	}
	findings := 0
	var kinds []report.CheckKind
	for _, of := range found.Faults {
		kind := report.CheckKind{Kind: of.Kind, Errors: of.Count, Listed: len(of.Errors)}
		for _, err := range of.Errors {
			add(svmlight.Error, err)
			for _, hint := range cli.Hints(f.columnError(err, format)) {
				if !slices.Contains(kind.Hints, hint) && len(kind.Hints) < mostHints {
					kind.Hints = append(kind.Hints, hint)
				}
			}
		}
		kinds = append(kinds, kind)
	}
	var sum svmlight.Summary
	if found.Set != nil {
		sum = countRows(found.Set)
		for _, text := range doubt.Findings(found.Set) {
			add(svmlight.Warning, errors.New(text))
			findings++
		}
	}
	problems = append(problems, doubted(path, doubts)...)
	if sizes := sizesProblem(path, format, sum); sizes != nil {
		problems = append(problems, *sizes)
		findings++
	}
	sum.Lines, sum.Errors, sum.Warnings = found.Lines, found.Errors(), findings+len(doubts)
	d := checkOf(cli.Shown(path), problems, sum)
	d.Kinds = kinds
	d.SetTable(checkColumns(found.Columns), doubts, found.Set)
	d.Hints = doubtHints(doubts)
	return d
}

// doubted are the warnings of doubts about the rows of a file.
func doubted(path string, doubts []doubt.Doubt) (all []svmlight.Problem) {
	for _, d := range doubts {
		all = append(all, svmlight.Problem{Severity: svmlight.Warning, Code: string(rows.CodeOf(d.Kind)),
			SyntaxError: data.SyntaxError{File: cli.Shown(path), Msg: d.Text}})
	}
	return all
}

// doubtHints are the ways out of what is doubtful about features.
func doubtHints(doubts []doubt.Doubt) (hints []string) {
	for _, d := range doubts {
		n := advice.Remedied(event.Note{Warning: true, Code: rows.CodeOf(d.Kind)})[0]
		if n.Remedy != "" && len(d.Features) > 0 && !slices.Contains(hints, n.Remedy) {
			hints = append(hints, n.Remedy)
		}
	}
	return hints
}

// mostHints is how many hints about errors of a kind are given.
const mostHints = 3

// moreInColumn says how many more cells of a column an error is about.
func moreInColumn(cells int) string {
	return fmt.Sprintf(", and %d more in the column, all of them", cells-1)
}

// countRows summarises rows that were read from text or a table: rows, features, queries, non-zero
// entries and distinct labels. It has no lines and no problems. The cost is O(m + entries).
func countRows(s *data.Set) svmlight.Summary {
	m, n := s.X.Dims()
	sum := svmlight.Summary{Rows: m, Features: n, Queries: s.Queries.Len(), HasQID: s.HasQID, Density: data.Density(s.X)}
	sum.Nonzero = int(math.Round(sum.Density * float64(m) * float64(n)))
	labels := map[float64]bool{}
	for _, y := range s.Y {
		labels[y] = true
	}
	sum.DistinctLabels = len(labels)
	return sum
}
