package report

import "fmt"

// choiceTable is the estimate of every value that one is chosen from: λ, or the
// rounds of rankboost.
type choiceTable struct {
	columns []column
	rows    [][]string // a cell for each column
	best    int        // the row that is chosen
	mark    string     // what stands behind it
	errors  []float64  // of each row; NaN has no bar
	largest float64    // of errors
}

// column is a column with its least width.
type column struct {
	head  string
	width int
}

// around is how many rows are shown on each side of the chosen one.
const around = 3

// add gives the table a column with a cell for each row.
func (t *choiceTable) add(head string, width int, cell func(l int) string) {
	t.columns = append(t.columns, column{head, max(width, len(head))})
	for l := range t.rows {
		t.rows[l] = append(t.rows[l], cell(l))
	}
}

// newChoiceTable is a table of the estimates of so many values, without a column. error is
// the one that a bar shows.
func newChoiceTable(values, best int, mark string, error func(l int) float64) *choiceTable {
	t := &choiceTable{rows: make([][]string, values), best: best, mark: mark, errors: make([]float64, values)}
	for l := range t.errors {
		t.errors[l] = error(l)
		if t.errors[l] > t.largest { // false for NaN
			t.largest = t.errors[l]
		}
	}
	return t
}

// writeTo writes the rows around the chosen one and the two ends; the others are
// lines of dots. On a terminal with styles each has a bar of its error, from zero.
func (t *choiceTable) writeTo(b *lines) {
	b.WriteString("\n")
	t.writeCells(b, func(c int) string { return t.columns[c].head })
	b.WriteString("\n")
	far := func(l int) bool { return l > 0 && l < len(t.rows)-1 && (l < t.best-around || l > t.best+around) }
	for l := range t.rows {
		switch {
		case !far(l) || !far(l-1) && !far(l+1): // a line of dots is no shorter than one row
			t.writeRow(b, l)
		case !far(l - 1):
			t.writeCells(b, func(int) string { return "…" })
			b.WriteString("\n")
		}
	}
	b.WriteString("\n")
}

// writeCells writes a cell for each column.
func (t *choiceTable) writeCells(b *lines, cell func(c int) string) {
	for c, column := range t.columns {
		fmt.Fprintf(b, "  %*s", column.width, cell(c))
	}
}

// writeRow writes a row, with the mark where it is the chosen one.
func (t *choiceTable) writeRow(b *lines, l int) {
	chosen := l == t.best
	if b.styled && chosen {
		b.WriteRune(Strong)
	}
	t.writeCells(b, func(c int) string { return t.rows[l][c] })
	if b.styled {
		if chosen {
			b.WriteRune(Plain)
		}
		t.writeBar(b, l)
	}
	if chosen {
		b.WriteString("  " + t.mark)
	}
	b.WriteString("\n")
}

// writeBar writes the bar of a row: as wide as its error is beside the largest.
func (t *choiceTable) writeBar(b *lines, l int) {
	bar := ""
	if t.errors[l] >= 0 && t.largest > 0 {
		bar = barText(t.errors[l] / t.largest)
	}
	fmt.Fprintf(b, "  %c%-*s%c", Bar, barCells, bar, Plain)
}
