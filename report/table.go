package report

import (
	"fmt"
	"strings"
)

// Table is the estimate of every value that one is chosen from: λ, or the
// rounds of rankboost.
type Table struct {
	columns []column
	rows    [][]string // a cell for each column
	best    int        // the row that is chosen
	mark    string     // what stands behind it
}

// column is a column with its least width.
type column struct {
	head  string
	width int
}

// around is how many rows are shown on each side of the chosen one.
const around = 3

// Add gives the table a column with a cell for each row.
func (t *Table) Add(head string, width int, cell func(l int) string) {
	t.columns = append(t.columns, column{head, max(width, len(head))})
	for l := range t.rows {
		t.rows[l] = append(t.rows[l], cell(l))
	}
}

// NewTable is a table of so many values, without a column.
func NewTable(values, best int, mark string) *Table {
	return &Table{rows: make([][]string, values), best: best, mark: mark}
}

// Write writes the rows around the chosen one and the two ends; the others are
// lines of dots.
func (t *Table) Write(b *strings.Builder) {
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
