package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// textTable is texts in columns, separated by two blanks.
type textTable struct {
	columns []column
	rows    [][]string // a cell for each column, or for the first ones
	best    int        // the chosen row
	mark    string     // text after the chosen row, or ""
	// errors are the errors of the rows of a path, which are shown around the chosen row; NaN has no point.
	// Other tables have none. least and largest are the ends of the scale of the points.
	errors         []float64
	least, largest float64
}

// column is a column with its minimum width. Numbers are aligned to the right.
type column struct {
	head  string
	width int
	left  bool
}

// line is cells in columns. The last cell is not padded if it is aligned to the left.
func line(columns []column, cells []string) string {
	var b strings.Builder
	for c, text := range cells {
		if c > 0 {
			b.WriteString("  ")
		}
		fill := strings.Repeat(" ", max(0, columns[c].width-utf8.RuneCountInString(text)))
		switch {
		case !columns[c].left:
			b.WriteString(fill + text)
		case c < len(cells)-1:
			b.WriteString(text + fill)
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

// writeColumns writes rows, heads first, in columns as wide as their texts. The first column
// is aligned to the left, the others, which are numbers, to the right.
func writeColumns(w io.Writer, rows [][]string) error {
	var columns []column
	for _, row := range rows {
		for k, text := range row {
			if k == len(columns) {
				columns = append(columns, column{left: k == 0})
			}
			columns[k].width = max(columns[k].width, utf8.RuneCountInString(text))
		}
	}
	for _, row := range rows {
		if _, err := io.WriteString(w, line(columns, row)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeList writes rows of texts aligned to the left, in columns as wide as neighbouring rows need.
func writeList(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// around is how many rows of a path are shown on each side of the chosen one.
const around = 3

// add adds a column to the table, with a cell for each row.
func (t *textTable) add(head string, width int, cell func(l int) string) {
	t.columns = append(t.columns, column{head: head, width: max(width, len(head))})
	for l := range t.rows {
		t.rows[l] = append(t.rows[l], cell(l))
	}
}

// pathTable is the table of the estimates of all candidates: each choice with its error.
func pathTable(n, best int, mark, measure string, selection func(l int) *Selection) *textTable {
	t := &textTable{rows: make([][]string, n), best: best, mark: mark, errors: make([]float64, n)}
	t.least, t.largest = math.Inf(1), math.Inf(-1)
	for l := range t.errors {
		t.errors[l] = float64(selection(l).Error)
		if !math.IsNaN(t.errors[l]) {
			t.least, t.largest = min(t.least, t.errors[l]), max(t.largest, t.errors[l])
		}
	}
	t.add(string(selection(0).of()), 10, func(l int) string { return selection(l).at() })
	if selection(0).Selected > 0 {
		t.add("features", 8, func(l int) string { return strconv.Itoa(selection(l).Selected) })
	}
	t.add(measure, 8, func(l int) string { return selection(l).Error.String() })
	t.add("stderr", 8, func(l int) string { return selection(l).StdErr.String() })
	return t
}

// writeTo writes all rows; for a path those around the chosen one and the two ends, with lines of dots for the
// others. On a terminal with styles each row has a point for its error between the least and the largest, which
// are the ends of the scale: bars from zero would all look alike.
func (t *textTable) writeTo(b *lines) {
	heads, dots := make([]string, len(t.columns)), make([]string, len(t.columns))
	for c, column := range t.columns {
		heads[c], dots[c] = column.head, "…"
	}
	b.WriteString("\n  " + line(t.columns, heads))
	if t.scaled(b) {
		least, largest := Number(t.least).String(), Number(t.largest).String()
		fmt.Fprintf(b, "  %s%*s", least, pointCells-len(least), largest)
	}
	b.WriteString("\n")
	far := func(l int) bool {
		return t.errors != nil && l > 0 && l < len(t.rows)-1 && (l < t.best-around || l > t.best+around)
	}
	for l := range t.rows {
		switch {
		case !far(l) || !far(l-1) && !far(l+1): // a line of dots is no shorter than one row
			t.writeRow(b, l)
		case !far(l - 1):
			b.WriteString("  " + line(t.columns, dots) + "\n")
		}
	}
	b.WriteString("\n")
}

// writeRow writes a row, with the mark if it is the chosen one.
func (t *textTable) writeRow(b *lines, l int) {
	text, chosen := "  "+line(t.columns, t.rows[l]), l == t.best && t.mark != ""
	if b.styled && chosen && t.errors != nil {
		text = string(Strong) + text + string(Plain)
	}
	b.WriteString(text)
	if t.scaled(b) {
		point := ""
		if e := t.errors[l]; !math.IsNaN(e) {
			point = pointText((e - t.least) / (t.largest - t.least))
		}
		fmt.Fprintf(b, "  %c%-*s%c", Point, pointCells, point, Plain)
	}
	if chosen {
		b.WriteString("  " + t.mark)
	}
	b.WriteString("\n")
}

// scaled reports whether there is a scale: it needs errors that differ, and a wide enough terminal with styles.
func (t *textTable) scaled(b *lines) bool {
	width := 2 + pointCells + 2 + len(t.mark)
	for _, c := range t.columns {
		width += 2 + c.width
	}
	return b.styled && t.errors != nil && t.largest > t.least && !math.IsInf(t.largest, 1) &&
		(b.columns == 0 || width <= b.columns)
}
