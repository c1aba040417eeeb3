package main

import (
	"fmt"
	"strings"

	"pairrank/eval/cv"
)

// lambdaTable is the estimate of every value that one is chosen from: λ, or the
// rounds of rankboost.
type lambdaTable struct {
	columns []lambdaColumn
	rows    [][]string // a cell for each column
	best    int        // the row that is chosen
	mark    string     // what stands behind it
}

// lambdaColumn is a column with its least width.
type lambdaColumn struct {
	head  string
	width int
}

// around is how many rows are shown on each side of the chosen one.
const around = 3

// add gives the table a column with a cell for each row.
func (t *lambdaTable) add(head string, width int, cell func(l int) string) {
	t.columns = append(t.columns, lambdaColumn{head, max(width, len(head))})
	for l := range t.rows {
		t.rows[l] = append(t.rows[l], cell(l))
	}
}

// newLambdaTable is a table of so many values, without a column.
func newLambdaTable(values, best int, mark string) *lambdaTable {
	return &lambdaTable{rows: make([][]string, values), best: best, mark: mark}
}

// write writes the rows around the chosen one and the two ends; the others are
// lines of dots.
func (t *lambdaTable) write(b *strings.Builder) {
	line := func(cell func(c int) string) {
		for c, column := range t.columns {
			fmt.Fprintf(b, "  %*s", column.width, cell(c))
		}
	}
	b.WriteString("\n")
	line(func(c int) string { return t.columns[c].head })
	b.WriteString("\n")
	far := func(l int) bool { return l > 0 && l < len(t.rows)-1 && (l < t.best-around || l > t.best+around) }
	for l, row := range t.rows {
		if far(l) && (far(l-1) || far(l+1)) { // a line of dots is no shorter than one row
			if !far(l - 1) {
				line(func(int) string { return "…" })
				b.WriteString("\n")
			}
			continue
		}
		line(func(c int) string { return row[c] })
		if l == t.best {
			b.WriteString("  " + t.mark)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// noteEnd says so where the best of three values or more is the first or the last of
// them: a better one may lie beyond.
func (a *app) noteEnd(name, text string, best, values int) {
	const few = 3 // of which most are an end
	if values >= few && (best == 0 || best == values-1) {
		a.note("the chosen %s = %s is at the end of the values tried", name, text)
	}
}

// table is the estimate of one output and kernel, with standard errors or without.
func (p *trainPlan) table(e *cv.Estimate, stderr bool, mark string) *lambdaTable {
	t := newLambdaTable(len(e.Points), e.Best, mark)
	t.add(p.candidate(), 10, func(l int) string { return p.candidateText(e.Points[l].Lambda) })
	t.add("error", 8, func(l int) string { return fmt.Sprintf("%.5f", e.Points[l].Error) })
	if stderr {
		t.add("stderr", 8, func(l int) string { return numberText(valueNumber(e.Points[l].StdErr)) })
	}
	if p.metric != nil {
		t.add(p.metric.String(), 8, func(l int) string { return numberText(valueNumber(e.Points[l].Metric)) })
	}
	return t
}

// noteEnds is noteEnd for the estimates of all outputs.
func (a *app) noteEnds(p *trainPlan, estimates []*cv.Estimate) {
	if len(estimates) == 1 {
		e := estimates[0]
		a.noteEnd(p.candidate(), p.candidateText(e.Points[e.Best].Lambda), e.Best, len(e.Points))
		return
	}
	ends := 0
	for _, e := range estimates {
		if n := len(e.Points); n > 1 && (e.Best == 0 || e.Best == n-1) {
			ends++
		}
	}
	if ends > 0 {
		a.note("the chosen %s of %d of %d outputs is at the end of the values tried", p.candidate(), ends, len(estimates))
	}
}
