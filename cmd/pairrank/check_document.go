package main

import (
	"math"
	"strings"

	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/report"
)

// checkOf is the document of a file with its counts and its problems; the list of errors may be shorter than
// their count.
func checkOf(file string, problems []svmlight.Problem, sum svmlight.Summary) *report.Check {
	d := &report.Check{
		Kind: report.KindCheck, File: file, Errors: sum.Errors, Warnings: sum.Warnings, Lines: sum.Lines, Rows: sum.Rows,
		Features: sum.Features, Queries: sum.Queries, HasQID: sum.HasQID, Nonzero: sum.Nonzero,
		Density: sum.Density, DistinctLabels: sum.DistinctLabels, Problems: []report.CheckProblem{},
	}
	for _, l := range sum.Labels {
		d.Labels = append(d.Labels, report.LabelRows(l))
	}
	for _, p := range problems {
		d.Problems = append(d.Problems, report.CheckProblem{Severity: p.Severity.String(), Code: p.Code, Line: p.Line,
			Column: p.Col, Text: p.Text, Message: p.Msg})
	}
	return d
}

// checkColumns are the columns of a table in a document.
func checkColumns(columns []table.Column) (out []report.CheckColumn) {
	inJSON := func(text string) string { return strings.ToValidUTF8(text, "\ufffd") }
	for _, c := range columns {
		column := report.CheckColumn{Column: c.Number, Name: inJSON(c.Name), Role: c.Role, Feature: c.Feature,
			Type: c.Type, Missing: c.Missing, Faults: c.Faults, Distinct: c.Distinct, More: c.More}
		if !math.IsNaN(c.Min) {
			column.Min, column.Max = new(report.Number(c.Min)), new(report.Number(c.Max))
		}
		for _, l := range c.Levels {
			column.Levels = append(column.Levels, report.CheckLevel{Text: inJSON(l.Text), Rows: l.Rows})
		}
		out = append(out, column)
	}
	return out
}
