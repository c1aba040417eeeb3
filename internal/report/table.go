package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// WriteText writes the facts and the tables for people. To a Styled it writes marks of styles. It returns the errors
// of w, and for a list those of WriteTable.
func (v *View) WriteText(w io.Writer) error {
	if v.List {
		return v.Tables[0].WriteTable(w, '\t')
	}
	b, tables := newLines(w, v.Keys), v.Tables
	if v.Above != "" {
		b.WriteString(v.Above + "\n")
	}
	for k, f := range v.Facts {
		for len(tables) > 0 && tables[0].After <= k {
			tables[0].writeTo(b)
			tables = tables[1:]
		}
		switch {
		case f.Rank == Headline || f.Rank == Aside:
		case f.Key == "" && v.Keys == 0:
			b.WriteString(unmarked(f.Text) + "\n")
		default:
			b.line(f.Key, "%s", f.Text)
		}
	}
	for _, t := range tables {
		t.writeTo(b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// layout is the columns of a table in the text.
type layout struct {
	t      *Table
	order  []int
	widths []int
	indent string
}

// line is cells in columns. The last cell is not padded if it is aligned to the left.
func (o *layout) line(cells []string) string {
	var b strings.Builder
	b.WriteString(o.indent)
	for at, text := range cells {
		if at > 0 {
			b.WriteString("  ")
		}
		fill := strings.Repeat(" ", max(0, o.widths[at]-utf8.RuneCountInString(text)))
		switch {
		case !o.t.Columns[o.order[at]].Left:
			b.WriteString(fill + text)
		case at < len(o.order)-1:
			b.WriteString(text + fill)
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

// of is what the columns have of a table, such as their heads.
func (o *layout) of(cell func(column int) string) []string {
	cells := make([]string, len(o.order))
	for at, j := range o.order {
		cells[at] = unmarked(cell(j))
	}
	return cells
}

// measured are the cells of rows, as −1 the dots, and makes each column as wide as its texts.
func (o *layout) measured(rows []int) (cells [][]string) {
	o.widths = make([]int, len(o.order))
	for at, j := range o.order {
		c := &o.t.Columns[j]
		if o.widths[at] = c.Width; o.t.Above == "" {
			o.widths[at] = max(c.Width, utf8.RuneCountInString(c.Head))
		}
	}
	for _, k := range rows {
		line := o.of(func(j int) string {
			if k < 0 {
				return "…"
			}
			return o.t.cell(k, j)
		})
		if k >= 0 && k < len(o.t.cells) {
			line = line[:min(len(line), len(o.t.cells[k]))]
		}
		for at, text := range line {
			o.widths[at] = max(o.widths[at], utf8.RuneCountInString(text))
		}
		cells = append(cells, line)
	}
	return cells
}

// around is how many rows of a path are shown on each side of the chosen one.
const around = 3

// shown are the rows that the text has. Of a path these are the rows around the marked one and the two ends, with −1 in
// the place of the others: a line of dots, which is no shorter than one row.
func (t *Table) shown() (rows []int) {
	if !t.Path {
		return chosenRows(t.Shown, t.Len)
	}
	best, last := max(t.Mark-1, 0), t.Len-1
	far := func(l int) bool { return l > 0 && l < last && (l < best-around || l > best+around) }
	for l := range t.Len {
		switch {
		case !far(l) || !far(l-1) && !far(l+1):
			rows = append(rows, l)
		case !far(l - 1):
			rows = append(rows, -1)
		}
	}
	return rows
}

// writeTo writes the table. On a terminal with styles each row of a path has a point for its value between the least
// and the largest, which are the ends of the scale: bars from zero would all look alike.
func (t *Table) writeTo(b *lines) {
	o, rows, start, end := &layout{t: t, order: t.columnsIn(), indent: "  "}, t.shown(), "\n", "\n"
	switch {
	case t.Bare:
		o.indent, start, end = "", "", ""
	case t.Above != "":
		end = ""
	}
	cells := o.measured(rows)
	scale, head := t.scale(b, o), t.Above
	if head == "" {
		head = o.line(o.of(func(j int) string { return t.Columns[j].Head })) + scale.head()
	}
	b.WriteString(start + head + "\n")
	for n, k := range rows {
		text, chosen := o.line(cells[n]), k >= 0 && k+1 == t.Mark && t.Marked != ""
		if b.styled && chosen && t.Path {
			text = string(Strong) + text + string(Plain)
		}
		if k >= 0 {
			text += scale.point(t.point(k).Value)
		}
		if chosen {
			text += "  " + t.Marked
		}
		b.WriteString(text + "\n")
	}
	for _, text := range t.Below {
		b.WriteString("  " + text + "\n")
	}
	b.WriteString(end)
}

// scale is where the values of a path stand, nil where there is none.
type scale struct{ least, largest float64 }

// scale is nil without values that differ, and on a terminal that shows no styles or is not wide enough.
func (t *Table) scale(b *lines, o *layout) *scale {
	if !b.styled || !t.Path {
		return nil
	}
	s := &scale{math.Inf(1), math.Inf(-1)}
	for k := range t.Len {
		if v := t.point(k).Value; !math.IsNaN(v) {
			s.least, s.largest = min(s.least, v), max(s.largest, v)
		}
	}
	width := 2 + pointCells + 2 + len(t.Marked)
	for _, w := range o.widths {
		width += 2 + w
	}
	if !(s.largest > s.least) || math.IsInf(s.largest, 1) || b.columns > 0 && width > b.columns {
		return nil
	}
	return s
}

// head has the ends of the scale.
func (s *scale) head() string {
	if s == nil {
		return ""
	}
	least, largest := Number(s.least).String(), Number(s.largest).String()
	return fmt.Sprintf("  %s%*s", least, pointCells-len(least), largest)
}

// point is a value on the scale.
func (s *scale) point(v float64) string {
	if s == nil {
		return ""
	}
	point := ""
	if !math.IsNaN(v) {
		point = pointText((v - s.least) / (s.largest - s.least))
	}
	return fmt.Sprintf("  %c%-*s%c", Point, pointCells, point, Plain)
}
