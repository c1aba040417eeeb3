package report

import (
	"strings"

	"pairrank/data"
	"pairrank/internal/spell"
)

// Check is the document of a check of a file of rows.
type Check struct {
	Kind           Kind           `json:"kind"`
	File           string         `json:"file"`
	Errors         int            `json:"errors"` // all, listed or not
	Warnings       int            `json:"warnings"`
	Lines          int            `json:"lines,omitempty"` // of text
	Rows           int            `json:"rows"`
	Features       int            `json:"features"`
	Queries        int            `json:"queries"`
	HasQID         bool           `json:"qid"`
	Nonzero        int            `json:"nonzero"`
	Density        float64        `json:"density"`
	DistinctLabels int            `json:"distinct_labels"`
	Labels         []LabelRows    `json:"labels,omitempty"`
	Problems       []CheckProblem `json:"problems"`
	Columns        *Columns       `json:"columns,omitempty"` // of a table
	Table          []CheckColumn  `json:"table,omitempty"`   // all columns of a table
	Kinds          []CheckKind    `json:"kinds,omitempty"`   // the errors of a table by kind
	Hints          []string       `json:"hints,omitempty"`   // about the warnings
	QueryRows      *CheckQueries  `json:"query_rows,omitempty"`
	Comparisons    Number         `json:"comparisons,omitzero"` // between Items, in place of rows
	Items          int            `json:"items,omitempty"`
	Suggested      *Suggested     `json:"suggested,omitempty"`
	Told
}

// Suggested is a guess of what a table is: nothing is read by it.
type Suggested struct {
	Command string   `json:"command"` // that reads the table so, as a shell takes it
	Guess   []string `json:"guess"`   // the columns with their roles, and the evidence
}

// Says tells the guess.
func (s *Suggested) Says() string { return "looks like, at a guess: " + strings.Join(s.Guess, ", ") }

// LabelRows is the number of rows with a label.
type LabelRows struct {
	Label float64 `json:"label"`
	Rows  int     `json:"rows"`
}

// CheckProblem is an error or a warning about a file.
type CheckProblem struct {
	Severity string `json:"severity"`       // error or warning
	Code     string `json:"code,omitempty"` // as that of a note about the same, "" for what has none
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Text     string `json:"text,omitempty"` // the offending text
	Message  string `json:"message"`
}

// View is a line for each problem, and one of counts.
func (d *Check) View() *View {
	v := &View{}
	if d.Table != nil {
		d.tellTable(v)
	}
	for _, p := range d.Problems {
		at := data.SyntaxError{File: d.File, Line: p.Line, Col: p.Column, Text: p.Text, Msg: p.Message}
		v.line("%s: %s", p.Severity, at.Error())
	}
	if listed := len(d.Problems) - d.Warnings; listed < d.Errors && d.Kinds == nil {
		v.line("and %s more", spell.Plural(d.Errors-listed, "error"))
	}
	hints := func(hints []string) {
		for _, hint := range hints {
			v.line("hint: %s", hint)
		}
	}
	for _, k := range d.Kinds {
		if n := k.Errors - k.Listed; n > 0 {
			v.line("and %s more: %s", spell.Plural(n, "error"), k.Kind)
		}
		hints(k.Hints)
	}
	hints(d.Hints)
	if d.Suggested != nil {
		hints([]string{d.Suggested.Says(), d.Suggested.Command})
	}
	found := spell.Plural(d.Errors, "error") + ", " + spell.Plural(d.Warnings, "warning")
	if d.Comparisons > 0 {
		v.line("%s: %v comparisons of %s, %s", d.File, float64(d.Comparisons), spell.Plural(d.Items, "item"), found)
		return v
	}
	queries := "no qid"
	if d.HasQID {
		queries = spell.Plural(d.Queries, "query")
	}
	v.line("%s: %s, %s, %s, %s, density %.3g, %s", d.File, spell.Plural(d.Rows, "row"),
		spell.Plural(d.Features, "feature"), queries, d.labels(), d.Density, found)
	return v
}
