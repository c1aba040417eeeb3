package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
)

func newCheck(a *app) *cobra.Command {
	var rows *setFlags
	var edges checkFlags
	limit := 0
	cmd := &cobra.Command{
		Use:   "check DATA [--json]",
		Short: "list everything that is wrong with a file of rows",
		Long: `check reads DATA and lists every error with its line, column and text, then what
is readable but probably not meant (queries with one label, constant features,
equal rows), then the counts of the file. The exit code is 3 when there are
errors.

Of a table (CSV, TSV, npz) the first error is told.

With --edges and --rows it checks edges between nodes: ids that do not match,
repeated and missing edges, and of similarity matrices how far they are from
symmetric and their smallest eigenvalue.`,
		Example: `  pairrank check train.txt
  pairrank check train.txt.gz --limit 20
  zcat train.txt.gz | pairrank check - --json
  pairrank check --edges edges.tsv --rows drugs.tsv --cols targets.tsv`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return cli.Usagef("--limit is at least 0, not %d", limit)
			}
			if edges.edges != "" && len(args) == 0 {
				if err := cli.RefuseOthers(cmd.Flags(), "edges between nodes", "edges", "edge-format", "transpose", "rows", "cols", "row-kernel", "col-kernel"); err != nil {
					return err
				}
				return a.checkRelation(&edges)
			}
			if edges.edges != "" || edges.rows != "" || edges.cols != "" || edges.transpose {
				return cli.Usagef("--edges FILE, --rows, --cols and --transpose take the place of DATA")
			}
			if err := cli.Refuse(cmd.Flags(), "edges between nodes, and there is no --edges FILE", "edge-format", "row-kernel", "col-kernel"); err != nil {
				return err
			}
			if len(args) == 0 {
				return cli.WithHint(cli.Usagef("DATA is missing"), "the form is pairrank %s", cmd.Use)
			}
			return a.check(args[0], rows, limit)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "list `N` errors at most; 0 lists all")
	edges.register(cmd)
	rows = a.rowsFlags(cmd)
	a.JSONFlag(cmd)
	a.ProgressFlag(cmd)
	return cmd
}

// checkReport is what check prints with --json.
type checkReport struct {
	File           string         `json:"file"`
	Errors         int            `json:"errors"`
	Warnings       int            `json:"warnings"`
	Lines          int            `json:"lines,omitempty"`
	Rows           int            `json:"rows"`
	Features       int            `json:"features"`
	Queries        int            `json:"queries"`
	HasQID         bool           `json:"qid"`
	Nonzero        int            `json:"nonzero"`
	Density        float64        `json:"density"`
	DistinctLabels int            `json:"distinct_labels"`
	Labels         []checkLabel   `json:"labels,omitempty"`
	Problems       []checkProblem `json:"problems"`
}

type checkLabel struct {
	Label float64 `json:"label"`
	Rows  int     `json:"rows"`
}

type checkProblem struct {
	Severity string `json:"severity"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Text     string `json:"text,omitempty"`
	Message  string `json:"message"`
}

func (a *app) check(path string, rows *setFlags, limit int) error {
	format := rows.format
	if format == "auto" {
		format = formatOf(path)
	}
	if err := rows.checkTableFlags(path, format); err != nil {
		return err
	}
	if format != "svmlight" {
		return a.checkTable(path, rows, limit)
	}
	missing, err := data.ParseMissing(rows.missing)
	if err != nil {
		return cli.AsUsage(err)
	}
	meter := a.Begin("checking "+shown(path), 0)
	defer meter.End()
	type outcome struct {
		problems []svmlight.Problem
		sum      svmlight.Summary
	}
	found, err := cli.AwaitFor(a.Ctx, func() (found outcome, err error) {
		err = a.readFrom(path, func(r io.Reader, name string) (err error) {
			opts := svmlight.Options{ZeroBased: rows.zeroBased, Missing: missing, MaxLine: a.MaxLine}
			found.problems, found.sum, err = svmlight.Check(r, name, opts, limit)
			return err
		})
		return found, err
	})
	meter.End()
	var empty *svmlight.SyntaxError
	if found.sum.Rows == 0 && found.problems == nil && a.JSON && errors.As(err, &empty) {
		found.problems, found.sum.Errors = []svmlight.Problem{{Severity: svmlight.Error, SyntaxError: *empty}}, 1
	}
	if found.sum.Lines > 0 || found.problems != nil {
		if printed := a.printCheck(newCheckReport(path, found.problems, found.sum), found.problems); printed != nil {
			return printed
		}
	}
	if err == nil && found.sum.Errors > 0 {
		err = cli.AsData(fmt.Errorf("%s has %s", shown(path), plural(found.sum.Errors, "error")))
	}
	return err
}

// checkTable reads a table; its reader tells the first error. Names that no model
// can keep are errors, too, of which so many are listed, or all for 0.
func (a *app) checkTable(path string, rows *setFlags, limit int) error {
	set, err := a.readSet(path, rows, readOptions{})
	if err != nil {
		return err
	}
	m, n := set.X.Dims()
	sum := svmlight.Summary{Rows: m, Features: n, Queries: set.Queries.Len(), HasQID: set.HasQID, Density: data.Density(set.X)}
	sum.Nonzero = int(sum.Density*float64(m)*float64(n) + 0.5)
	counts := map[float64]bool{}
	for _, y := range set.Y {
		counts[y] = true
	}
	sum.DistinctLabels = len(counts)
	var problems []svmlight.Problem
	for _, text := range notUTF8("feature", set.Names) {
		problems = append(problems, svmlight.Problem{Severity: svmlight.Error, SyntaxError: svmlight.SyntaxError{File: shown(path), Msg: text}})
	}
	sum.Errors = len(problems)
	if limit > 0 {
		problems = problems[:min(limit, len(problems))]
	}
	if err := a.printCheck(newCheckReport(path, problems, sum), problems); err != nil || sum.Errors == 0 {
		return err
	}
	return cli.AsData(fmt.Errorf("%s has %s", shown(path), plural(sum.Errors, "error")))
}

func newCheckReport(path string, problems []svmlight.Problem, sum svmlight.Summary) checkReport {
	report := checkReport{
		File: shown(path), Errors: sum.Errors, Warnings: sum.Warnings, Lines: sum.Lines, Rows: sum.Rows,
		Features: sum.Features, Queries: sum.Queries, HasQID: sum.HasQID, Nonzero: sum.Nonzero,
		Density: sum.Density, DistinctLabels: sum.DistinctLabels, Problems: []checkProblem{},
	}
	for _, l := range sum.Labels {
		report.Labels = append(report.Labels, checkLabel{l.Label, l.Rows})
	}
	for _, p := range problems {
		report.Problems = append(report.Problems, checkProblem{p.Severity.String(), p.Line, p.Col, p.Text, p.Msg})
	}
	return report
}

func (a *app) printCheck(report checkReport, problems []svmlight.Problem) error {
	if a.JSON {
		return a.WriteJSON(report)
	}
	return a.Write("-", func(w io.Writer) error {
		for _, p := range problems {
			fmt.Fprintf(w, "%s: %s\n", p.Severity, p.SyntaxError.Error())
		}
		if listed := len(problems) - report.Warnings; listed < report.Errors {
			fmt.Fprintf(w, "and %s more\n", plural(report.Errors-listed, "error"))
		}
		_, err := fmt.Fprintf(w, "%s: %s\n", report.File, report.summary())
		return err
	})
}

// summary is the counts in one line.
func (r checkReport) summary() string {
	parts := []string{plural(r.Rows, "row"), plural(r.Features, "feature")}
	if r.HasQID {
		parts = append(parts, plural(r.Queries, "query"))
	} else {
		parts = append(parts, "no qid")
	}
	parts = append(parts, plural(r.DistinctLabels, "distinct label"), fmt.Sprintf("density %.3g", r.Density),
		plural(r.Errors, "error"), plural(r.Warnings, "warning"))
	return strings.Join(parts, ", ")
}

// plural is "1 row", "2 rows", "3 queries".
func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ry"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}
