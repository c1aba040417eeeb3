package report

import (
	"fmt"
	"math"
)

// choiceTable is the estimate of every value that one is chosen from: λ, or the
// rounds of rankboost.
type choiceTable struct {
	columns []column
	rows    [][]string // a cell for each column
	best    int        // the row that is chosen
	mark    string     // what stands behind it
	errors  []float64  // of each row; NaN has no point
	// least and largest are those of errors, the ends of the scale of the points.
	least, largest float64
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
// the one that a point shows.
func newChoiceTable(values, best int, mark string, error func(l int) float64) *choiceTable {
	t := &choiceTable{rows: make([][]string, values), best: best, mark: mark, errors: make([]float64, values)}
	t.least, t.largest = math.Inf(1), math.Inf(-1)
	for l := range t.errors {
		t.errors[l] = error(l)
		if !math.IsNaN(t.errors[l]) {
			t.least, t.largest = min(t.least, t.errors[l]), max(t.largest, t.errors[l])
		}
	}
	return t
}

// writeTo writes the rows around the chosen one and the two ends; the others are
// lines of dots. On a terminal with styles each has a point where its error is between the least and
// the largest, whose numbers are the ends of the scale: bars from zero would all look alike.
func (t *choiceTable) writeTo(b *lines) {
	b.WriteString("\n")
	t.writeCells(b, func(c int) string { return t.columns[c].head })
	if t.scaled(b) {
		least, largest := Number(t.least).String(), Number(t.largest).String()
		fmt.Fprintf(b, "  %s%*s", least, pointCells-len(least), largest)
	}
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
	if b.styled && chosen {
		b.WriteRune(Plain)
	}
	t.writePoint(b, l)
	if chosen {
		b.WriteString("  " + t.mark)
	}
	b.WriteString("\n")
}

// scaled reports whether there is a scale: errors that differ, and a terminal with styles that is wide
// enough.
func (t *choiceTable) scaled(b *lines) bool {
	width := 2 + pointCells + 2 + len(t.mark)
	for _, c := range t.columns {
		width += 2 + c.width
	}
	return b.styled && t.largest > t.least && !math.IsInf(t.largest, 1) && (b.columns == 0 || width <= b.columns)
}

// writePoint writes where the error of a row is on the scale.
func (t *choiceTable) writePoint(b *lines, l int) {
	if !t.scaled(b) {
		return
	}
	point := ""
	if e := t.errors[l]; !math.IsNaN(e) {
		point = pointText((e - t.least) / (t.largest - t.least))
	}
	fmt.Fprintf(b, "  %c%-*s%c", Point, pointCells, point, Plain)
}
