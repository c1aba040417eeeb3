// Package board makes what is ranked of tables that were read, comparisons of items or scores of systems, and says how
// they were read and what is doubtful about them.
package board

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pairrank/comparison"
	"pairrank/event"
	"pairrank/format/table"
	"pairrank/internal/codes"
	"pairrank/internal/quote"
	"pairrank/internal/spell"
	"pairrank/scores"
)

// Notes are how comparisons were read, and what is doubtful about them, with more of it. It costs what fitting a
// ranking does.
func Notes(ctx context.Context, read *table.Comparisons, more []string) (notes []event.Note) {
	add := func(warning bool, code event.Code, format string, args ...any) {
		notes = append(notes, event.Note{Warning: warning, Code: code, Text: fmt.Sprintf(format, args...)})
	}
	for _, text := range read.Reading {
		add(false, codes.NoteReading, "%s", text)
	}
	for _, o := range []struct {
		n    int
		what string
	}{{read.Empty, "no outcome"}, {read.Unplayed, "no score"}} {
		if o.n > 0 {
			add(false, codes.NoteLeftOut, "%s with %s left out", spell.Plural(o.n, "line"), o.what)
		}
	}
	for _, text := range slices.Concat(read.Doubts, more) {
		add(true, codes.NoteBoardDoubt, "%s", text)
	}
	if n, is := copies(ctx, read); is {
		notes = append(notes, n)
	}
	for _, s := range read.Subjects {
		if read.Clusters == nil {
			add(false, codes.NoteRepeatedIDs, "the column %q has %d values on %d lines: lines of one value may depend on "+
				"one another; --cluster %s makes them a unit", s.Column, s.Values, len(read.Of), s.Column)
		}
	}
	return notes
}

// copies is the warning of lines that are copies of others, or votes on one comparison, if there is one.
func copies(ctx context.Context, read *table.Comparisons) (n event.Note, is bool) {
	const narrow = "make intervals too narrow"
	n = event.Note{Warning: true, Code: codes.NoteRepeatedLines}
	lines, way := len(read.Of), clusterOf(read, read.Header)
	switch {
	case read.Copies > 0:
		n.Text = fmt.Sprintf("every line is there %d times, or a multiple of it: %d lines are %d different ones, and copies "+
			"%s", read.Copies, lines, read.Distinct, narrow)
		n.Remedy = "keep one of each, or " + way + " makes equal lines a unit"
	case read.Clusters != nil:
		return n, false
	case read.Repeated > 0:
		n.Text = fmt.Sprintf("%d lines are %d different ones: equal lines, which are copies or depend on one another, %s",
			lines, read.Distinct, narrow)
		n.Remedy = "keep one of each, or " + way + " makes them a unit"
	case read.Again > 0:
		n.Text = fmt.Sprintf("%d lines are votes on %d different comparisons by %s: votes on one comparison depend on one "+
			"another, and %s", lines, lines-read.Again, spell.List(append([]string{"the items"}, read.By...)), narrow)
		n.Remedy = way + " makes them a unit"
	default:
		const much, level = 1.5, 0.001
		if read.Counts || len(read.Annotators) >= comparison.FewUnits {
			return n, false
		}
		ratio, chance := Problem(read).Variation(ctx)
		if ratio < much || chance > level {
			return n, false
		}
		few := fmt.Sprintf("%d lines are %d different ones, and ", lines, read.Distinct)
		if read.Distinct == lines {
			few = fmt.Sprintf("%d lines all differ, but ", lines)
		}
		n.Text = fmt.Sprintf("%spairs of items vary %.1f times as much about one ranking as independent votes would (p = "+
			"%.2g): copies, or votes that depend on one another, %s", few, ratio, chance, narrow)
		n.Remedy = "keep one line of each vote, or " + clusterOf(read, read.Said) + " makes equal lines a unit; --cycles " +
			"tests whether there is one ranking"
	}
	return n, true
}

// clusterOf is the option that makes lines that are equal in some columns a unit: by a column of questions or matches,
// or by these columns.
func clusterOf(read *table.Comparisons, names []string) string {
	const few = 6
	switch {
	case len(read.Subjects) > 0:
		names = []string{read.Subjects[0].Column}
	case len(names) > few || strings.Contains(strings.Join(names, ""), ","):
		return "--cluster LIST of the columns that are equal"
	}
	return "--cluster " + quote.ForShell(strings.Join(names, ","))
}

// Problem has comparisons that were read as a problem of the items that they name.
func Problem(read *table.Comparisons) *comparison.Problem {
	return &comparison.Problem{Items: read.Items, Annotators: read.Annotators, Strata: read.Strata,
		Clusters: read.Clusters, Covariates: read.Covariates, X: read.X, Compact: read.Lines}
}

// Scores has a table of scores that was read as a problem of its systems.
func Scores(t *table.ScoreTable) *scores.Problem {
	return &scores.Problem{Systems: t.Systems, Items: t.Items, Y: t.Y, Units: t.Units, Unit: t.Unit, Repeats: t.Repeats}
}

// ScoreNotes are how a table of scores was read, and what is doubtful about it.
func ScoreNotes(t *table.ScoreTable) (notes []event.Note) {
	for _, text := range t.Reading {
		notes = append(notes, event.Note{Code: codes.NoteReading, Text: text})
	}
	if t.Empty > 0 {
		notes = append(notes, event.Note{Code: codes.NoteLeftOut,
			Text: spell.Plural(t.Empty, "line") + " with no score left out"})
	}
	for _, text := range t.Doubts {
		notes = append(notes, event.Note{Warning: true, Code: codes.NoteBoardDoubt, Text: text})
	}
	return notes
}
